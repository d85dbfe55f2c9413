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
 * @brief One number of 64 bits for all frames that a port has sent, and one for all received
 * frames. They are equal if the frames are equal, one by one, to the bit and to the picosecond.
 *
 * Its purpose is the comparison of simulations of millions of frames without storing them. The
 * digest covers, in order, the instants of the first and last bit of each frame, its addresses, its
 * size on the wire, and all its headers (of a packet of the host stack, all its bytes); and whether
 * a message continues in another wire message. Batches do not change it, nor does the interleaving
 * of sent and received frames. A difference remains undetected with a probability of about 2^-64;
 * the digest is not cryptographic. It costs about 2 ns a frame of a long run.
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
    /** The frames of one direction. */
    struct Stream
    {
        uint64_t value{0x243f6a8885a308d3}; //!< the digest; of no frames, the fraction of pi
        uint64_t frames{0};
        uint64_t wireBytes{0}; //!< with preambles and gaps

        /** @return whether both directions had the same frames */
        bool operator==(const Stream& other) const
        {
            return value == other.value && frames == other.frames && wireBytes == other.wireBytes;
        }

        /** @return whether the two directions had different frames */
        bool operator!=(const Stream& other) const
        {
            return !(*this == other);
        }
    };

    /** @return the sent frames */
    const Stream& GetSent() const;

    /** @return the frames that came in whole, for any destination */
    const Stream& GetReceived() const;

    // FrameSink
    void TakeSent(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void TakeReceived(const WireFrame& head, const RoceFrame& tail, const RunClock& times) override;
    void Settle(Picoseconds before) override;

  private:
    /** Adds frames to a direction. */
    void Take(Stream& stream, const WireFrame& head, const RoceFrame& tail, const RunClock& times);
    /** @return a number for a packet's bytes */
    uint64_t DigestOfPacket(const Packet& packet);

    Stream m_sent;
    Stream m_received;
    std::vector<uint8_t> m_bytes; //!< of the present packet
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_DIGEST_H */
