/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_OBSERVERS_H
#define PHOTONIC_RAILS_TRAINS_OBSERVERS_H

#include "photonic-rails-recording-sink.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** Listens to one trace source and keeps a hash of what it heard. */
class TraceListener
{
  public:
    /**
     * @param rail a rail
     * @param port on it, counted through
     * @param which of the sources, 0 to 11
     */
    TraceListener(const Rail& rail, uint32_t port, uint32_t which)
        : m_which(which)
    {
        const uint32_t gpu = port / rail.GetPortsPerGpu();
        const uint32_t nic = port % rail.GetPortsPerGpu();
        m_object = which < 9    ? Ptr<Object>(rail.GetNic(gpu, nic))
                   : which < 11 ? Ptr<Object>(rail.GetOpticalSwitch())
                                : Ptr<Object>(rail.GetFiber(gpu, nic));
    }

    void Attach()
    {
        Visit(&Object::TraceConnectWithoutContext);
    }

    void Detach()
    {
        Visit(&Object::TraceDisconnectWithoutContext);
    }

    /** @return what it heard */
    std::string InWords() const
    {
        return std::string(NAMES[m_which]) + " fired " + std::to_string(m_count) + " times, hash " +
               std::to_string(m_order.Get()) + " " + std::to_string(m_sum);
    }

  private:
    static constexpr const char* NAMES[]{"FrameSent",
                                         "FrameReceived",
                                         "Sniffer",
                                         "PromiscSniffer",
                                         "MacTx",
                                         "MacRx",
                                         "PhyTxBegin",
                                         "PhyRxEnd",
                                         "FrameDropped",
                                         "FramePassed",
                                         "FrameDropped",
                                         "FrameDropped"};

    template <typename Connect>
    void Visit(Connect connect)
    {
        CallbackBase callback;
        switch (m_which)
        {
        case 0:
        case 1:
            callback = MakeCallback(&TraceListener::Frame, this);
            break;
        case 8:
        case 11:
            callback = MakeCallback(&TraceListener::Dropped, this);
            break;
        case 9:
            callback = MakeCallback(&TraceListener::Passed, this);
            break;
        case 10:
            callback = MakeCallback(&TraceListener::SwitchDropped, this);
            break;
        default:
            callback = MakeCallback(&TraceListener::Bytes, this);
        }
        const bool done = (PeekPointer(m_object)->*connect)(NAMES[m_which], callback);
        NS_ABORT_MSG_UNLESS(done, "there is no trace source " << NAMES[m_which]);
    }

    void Frame(const WireFrame& frame)
    {
        ++m_count;
        AddToHash(m_order, frame);
    }

    void Bytes(Ptr<const Packet> packet)
    {
        ++m_count;
        RunningHash hash; // several ports may hear at one instant: no order between those
        hash.Add(NowPicoseconds());
        hash.Add(HashOfBytes(packet));
        m_sum += hash.Get();
    }

    void Dropped(const WireFrame& frame, FrameDropReason reason)
    {
        ++m_count;
        RunningHash hash;
        hash.Add(NowPicoseconds());
        AddToHash(hash, frame);
        hash.Add(static_cast<uint64_t>(reason));
        m_sum += hash.Get();
    }

    void SwitchDropped(PortId port, const WireFrame& frame, FrameDropReason reason)
    {
        Dropped(frame, reason);
        m_sum += port.Get();
    }

    void Passed(PortId in, PortId out, const WireFrame& frame)
    {
        ++m_count;
        RunningHash hash;
        hash.Add(NowPicoseconds());
        hash.Add(uint64_t{in.Get()} << 32 | out.Get());
        AddToHash(hash, frame);
        m_sum += hash.Get();
    }

    uint32_t m_which;
    Ptr<Object> m_object;
    uint64_t m_count{0};
    RunningHash m_order;
    uint64_t m_sum{0}; //!< a hash of all, in which the order does not count
};

/** Counts what is lost, by place and reason. */
class DropLedger
{
  public:
    /** Listens at all places of a rail. */
    void Watch(const Rail& rail)
    {
        rail.GetOpticalSwitch()->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&DropLedger::AtSwitch, this));
        for (uint32_t g = 0; g < rail.GetGpus(); ++g)
        {
            for (uint32_t p = 0; p < rail.GetPortsPerGpu(); ++p)
            {
                const std::string port = std::to_string(g) + "." + std::to_string(p);
                rail.GetNic(g, p)->TraceConnect("FrameDropped",
                                                "NIC " + port,
                                                MakeCallback(&DropLedger::At, this));
                rail.GetFiber(g, p)->TraceConnect("FrameDropped",
                                                  "fiber " + port,
                                                  MakeCallback(&DropLedger::At, this));
            }
        }
    }

    /** @return the counts, a line a place and reason */
    std::vector<std::string> InWords() const
    {
        std::vector<std::string> lines;
        for (const auto& [key, entry] : m_entries)
        {
            lines.push_back("dropped at " + key + ": " + std::to_string(entry.first) + ", hash " +
                            std::to_string(entry.second));
        }
        return lines;
    }

  private:
    void At(std::string place, const WireFrame& frame, FrameDropReason reason)
    {
        RunningHash hash;
        hash.Add(NowPicoseconds());
        AddToHash(hash, frame);
        auto& [count, sum] = m_entries[place + ", " + ns3::ToString(reason)];
        ++count;
        sum += hash.Get();
    }

    void AtSwitch(PortId port, const WireFrame& frame, FrameDropReason reason)
    {
        At("switch port " + std::to_string(port.Get()), frame, reason);
    }

    std::map<std::string, std::pair<uint64_t, uint64_t>> m_entries; //!< how many, and their hash
};

/** Notes whether a frame passes anywhere at one of some instants. */
class TieWatch
{
  public:
    TieWatch() = default;

    /**
     * @param instants the instants
     * @param fibers delays of all fibers
     * @param propagation delay of the switch
     */
    TieWatch(std::vector<Picoseconds> instants,
             const std::vector<Picoseconds>& fibers,
             Picoseconds propagation)
        : m_instants(std::move(instants))
    {
        std::sort(m_instants.begin(), m_instants.end());
        std::set<Picoseconds> offsets{0};
        for (const Picoseconds here : fibers)
        {
            offsets.insert(here);
            offsets.insert(here + propagation);
            for (const Picoseconds there : fibers)
            {
                offsets.insert(here + propagation + there);
            }
        }
        m_offsets.assign(offsets.begin(), offsets.end());
    }

    /** A frame was sent. */
    void Note(const WireFrame& frame)
    {
        if (m_instants.empty() || m_tied)
        {
            return;
        }
        // an idle wire is decided on a picosecond after the first bit
        Look(frame.first);
        Look(frame.first + 1);
        for (const Picoseconds offset : m_offsets)
        {
            Look(frame.last + offset);
        }
    }

    bool HasTie() const
    {
        return m_tied;
    }

  private:
    void Look(Picoseconds at)
    {
        m_tied = m_tied || std::binary_search(m_instants.begin(), m_instants.end(), at);
    }

    std::vector<Picoseconds> m_instants;
    std::vector<Picoseconds> m_offsets;
    bool m_tied{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_OBSERVERS_H */
