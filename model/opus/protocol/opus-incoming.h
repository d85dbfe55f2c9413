/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_INCOMING_H
#define PHOTONIC_RAILS_OPUS_INCOMING_H

#include "opus-header.h"
#include "opus-message.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The receiving end of one peer's datagrams. They arrive in any order, some more than once,
 * and become messages in order, each once. A message is complete with its last byte: it does not
 * wait for those behind it in its bundle.
 *
 * Plain C++: no simulator.
 */
class OpusIncoming
{
  public:
    /** The result of a datagram. */
    struct Outcome
    {
        bool duplicate{false};             //!< it had arrived already
        std::vector<OpusMessage> messages; //!< that are complete now, in order
        std::vector<OpusRefusal> refusals; //!< of complete data that is no message
    };

    /**
     * @param head of a datagram with a piece
     * @param piece that follows the head
     * @return the result
     */
    Outcome Take(const OpusDatagram& head, const std::vector<uint8_t>& piece);
    /** The same, with a piece of a number of octets. */
    Outcome Take(const OpusDatagram& head, const uint8_t* piece, std::size_t size);

    /**
     * Writes the acknowledgement into a datagram for the peer, with an echo of the last copy. Later
     * datagrams carry no echo, and do not measure the round trip.
     * @param head of that datagram
     */
    void Acknowledge(OpusDatagram& head);

  private:
    /** A datagram that waits for those before it. */
    struct Held
    {
        OpusDatagram head;
        std::vector<uint8_t> piece;
    };

    /**
     * Skips the datagrams that have failed at the sender.
     * @param oldest the first that it still has
     */
    void SkipTo(uint64_t oldest);
    /** Takes the next piece. @param outcome gets the messages that it completes */
    void Append(const OpusDatagram& head, const uint8_t* piece, std::size_t size, Outcome& outcome);
    /** Takes the messages that are complete. @return the octets that they have */
    std::size_t TakeMessages(const uint8_t* octets, std::size_t bytes, Outcome& outcome) const;

    uint64_t m_taken{0}; //!< all datagrams up to this one
    uint8_t m_copy{0};   //!< copy of the last datagram that came, if it was not echoed yet
    std::map<uint64_t, Held> m_held; //!< by sequence number
    std::vector<uint8_t> m_assembly; //!< bytes of the bundle that are no complete message yet
    uint32_t m_arrived{0};           //!< bytes of the bundle that have come in order
    uint32_t m_expected{0};          //!< bytes of the bundle
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_INCOMING_H */
