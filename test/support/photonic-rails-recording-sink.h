/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORDING_SINK_H
#define PHOTONIC_RAILS_RECORDING_SINK_H

#include "ns3/frame-sink.h"
#include "ns3/mac-number.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** A running hash of integers, of which the order counts. */
class RunningHash
{
  public:
    void Add(uint64_t value)
    {
        m_hash = (m_hash ^ value) * 0x9e3779b97f4a7c15ULL;
        m_hash ^= m_hash >> 29;
    }

    void Add(const std::string& text)
    {
        for (const char c : text)
        {
            Add(static_cast<uint8_t>(c));
        }
    }

    uint64_t Get() const
    {
        return m_hash;
    }

  private:
    uint64_t m_hash{0x243f6a8885a308d3ULL};
};

/** @return a hash of a packet's bytes */
inline uint64_t
HashOfBytes(Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    RunningHash hash;
    for (const uint8_t byte : bytes)
    {
        hash.Add(byte);
    }
    return hash.Get();
}

/** Adds to a hash all observations of a frame on a wire. */
inline void
AddToHash(RunningHash& hash, const WireFrame& frame)
{
    hash.Add(frame.first);
    hash.Add(frame.last);
    hash.Add(ToNumber(frame.source) << 8 | frame.trafficClass);
    hash.Add(ToNumber(frame.destination));
    hash.Add(frame.wireBytes);
    if (frame.packet)
    {
        hash.Add(HashOfBytes(frame.packet));
        return;
    }
    const RoceFrame& roce = frame.roce;
    hash.Add(uint64_t{roce.sourceIp} << 32 | roce.destinationIp);
    hash.Add(uint64_t{roce.sourcePort} << 32 | uint64_t{roce.identification} << 16 |
             uint64_t{roce.tos} << 8 | roce.ttl);
    hash.Add(uint64_t{static_cast<uint8_t>(roce.opcode)} << 32 | uint64_t{roce.partition} << 8 |
             (roce.solicited ? 1 : 0) | (roce.ackRequest ? 2 : 0) | (roce.becn ? 4 : 0) |
             (roce.continued ? 8 : 0));
    hash.Add(uint64_t{roce.destinationQp} << 32 | roce.psn);
    hash.Add(roce.address);
    hash.Add(uint64_t{roce.key} << 32 | roce.length);
    hash.Add(uint64_t{roce.immediate} << 32 | roce.msn);
    hash.Add(uint64_t{roce.payload} << 8 | roce.syndrome);
}

/** @return "data", "ack", "nak", "cnp" or "packet" */
inline std::string
KindOf(const WireFrame& frame)
{
    if (frame.packet)
    {
        return "packet";
    }
    return frame.roce.IsData()                                 ? "data"
           : frame.roce.opcode == RoceOpcode::CNP              ? "cnp"
           : frame.roce.syndrome == RoceSyndrome::NAK_SEQUENCE ? "nak"
                                                               : "ack";
}

/** @return a frame as text */
inline std::string
InWords(const WireFrame& frame)
{
    std::ostringstream text;
    text << frame.first << ".." << frame.last << " ps " << KindOf(frame) << ", " << frame.wireBytes
         << " bytes, class " << +frame.trafficClass << ", to " << frame.destination;
    if (frame.packet)
    {
        text << ", hash of the bytes " << HashOfBytes(frame.packet);
    }
    else
    {
        const RoceFrame& roce = frame.roce;
        text << std::hex << ", opcode 0x" << +static_cast<uint8_t>(roce.opcode) << std::dec
             << ", queue pair " << roce.destinationQp << ", PSN " << roce.psn
             << (roce.ackRequest ? ", asks for an ACK" : "")
             << (roce.continued ? ", continued" : "") << ", payload " << roce.payload
             << ", address " << roce.address << ", length " << roce.length << ", key " << roce.key
             << ", immediate " << roce.immediate << ", syndrome " << +roce.syndrome << ", MSN "
             << roce.msn << ", TOS " << +roce.tos << ", identification " << roce.identification;
    }
    return text.str();
}

/**
 * Notes every frame that a port sends and receives: a hash of all, and the frames themselves if
 * requested. Runs are taken apart, so that the batches of frames leave no trace.
 */
class RecordingSink : public FrameSink
{
  public:
    /** The frames of one direction. */
    struct Direction
    {
        uint64_t frames{0};
        uint64_t bytes{0};
        RunningHash hash;
        std::vector<WireFrame> rows; //!< if they are kept
    };

    /** Called for each frame that was sent. */
    using Witness = std::function<void(const WireFrame&)>;

    /**
     * @param mostRows how many of the frames themselves are kept, of each direction
     * @param witness called for each frame that was sent, if there is one
     */
    explicit RecordingSink(uint64_t mostRows, Witness witness = nullptr)
        : m_mostRows(mostRows),
          m_witness(std::move(witness))
    {
    }

    const Direction& GetSent() const
    {
        return m_sent;
    }

    const Direction& GetReceived() const
    {
        return m_received;
    }

    /** @return which promise of FrameSink was broken first; empty if none */
    const std::string& GetBrokenPromise() const
    {
        return m_broken;
    }

    /** @return the greatest number of frames in one call */
    uint64_t GetLongestRun() const
    {
        return m_longestRun;
    }

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override
    {
        Check(times.First(0) >= m_settled, "sent before what was settled", times.First(0));
        Check(times.First(0) > m_latestSent, "sent out of order", times.First(0));
        m_latestSent = times.First(times.GetCount() - 1);
        Take(m_sent, head, tail, times);
    }

    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override
    {
        Check(times.Last(0) >= m_settled, "received before what was settled", times.Last(0));
        Check(times.Last(0) > m_latestReceived, "received out of order", times.Last(0));
        m_latestReceived = times.Last(times.GetCount() - 1);
        Take(m_received, head, tail, times);
    }

    void Settle(Picoseconds before) override
    {
        Check(before >= m_settled, "settled backwards", before);
        m_settled = before;
    }

  private:
    void Check(bool kept, const char* promise, Picoseconds at)
    {
        if (!kept && m_broken.empty())
        {
            m_broken = std::string(promise) + " at " + std::to_string(at) + " ps";
        }
    }

    void Take(Direction& way, const WireFrame& head, const RoceFrame& tail, const RunClock& times)
    {
        const uint64_t count = times.GetCount();
        m_longestRun = std::max(m_longestRun, count);
        for (uint64_t i = 0; i < count; ++i)
        {
            const WireFrame frame = MakeFrameOfRun(head, tail, times, i);
            ++way.frames;
            way.bytes += frame.wireBytes;
            AddToHash(way.hash, frame);
            if (way.rows.size() < m_mostRows)
            {
                way.rows.push_back(frame);
            }
            if (m_witness && &way == &m_sent)
            {
                m_witness(frame);
            }
        }
    }

    uint64_t m_mostRows;
    Witness m_witness;
    Direction m_sent;
    Direction m_received;
    Picoseconds m_settled{ALWAYS_BEFORE};
    Picoseconds m_latestSent{ALWAYS_BEFORE};
    Picoseconds m_latestReceived{ALWAYS_BEFORE};
    uint64_t m_longestRun{0};
    std::string m_broken;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORDING_SINK_H */
