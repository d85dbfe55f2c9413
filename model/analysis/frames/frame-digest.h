/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_DIGEST_H
#define PHOTONIC_RAILS_FRAME_DIGEST_H

#include "ns3/frame-sink.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One number of 64 bits for all that a port has sent, and one for all that it has received:
 * equal if the frames are, one by one, to the bit and to the picosecond.
 *
 * For comparing simulations of millions of frames without keeping any. It takes in, in order, of
 * each frame the instants of its first and last bit, its addresses, its size on the wire, and all
 * its headers (of a packet of the host stack, all its bytes); also whether a message goes on in
 * another wire message. How frames are batched makes no difference, nor how what is sent and what
 * is received take turns. A difference escapes with a probability of about 2^-64; it is no defence
 * against somebody who looks for two that are equal. Costs about 2 ns a frame of a long run.
 *
 * @code
 * auto digest = std::make_shared<FrameDigest>();
 * nic->AddSink(digest);
 * Simulator::Run();
 * std::cout << std::hex << digest->GetSent().value << " " << digest->GetReceived().value;
 * @endcode
 */
class FrameDigest : public FrameSink
{
  public:
    /** What went one way. */
    struct Stream
    {
        uint64_t value{0x243f6a8885a308d3}; //!< the digest; of no frames, the fraction of pi
        uint64_t frames{0};
        uint64_t wireBytes{0}; //!< with preambles and gaps

        /** @param other what went some other way @return whether it was the same */
        bool operator==(const Stream& other) const
        {
            return value == other.value && frames == other.frames && wireBytes == other.wireBytes;
        }

        /** @param other what went some other way @return whether it was not the same */
        bool operator!=(const Stream& other) const
        {
            return !(*this == other);
        }
    };

    /** @return what the port sent */
    const Stream& GetSent() const;

    /** @return what came in whole, for whomever */
    const Stream& GetReceived() const;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

  private:
    /** Takes in frames that went one way. */
    void Take(Stream& stream, const WireFrame& head, const RoceFrame& tail, const RunClock& times);
    /** @return a number for a packet's bytes */
    uint64_t DigestOfPacket(const Packet& packet);

    Stream m_sent;
    Stream m_received;
    std::vector<uint8_t> m_bytes; //!< of the packet that is looked at
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_DIGEST_H */
