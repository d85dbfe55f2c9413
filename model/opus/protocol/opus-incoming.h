/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_INCOMING_H
#define PHOTONIC_RAILS_OPUS_INCOMING_H

#include "opus-header.h"
#include "opus-message.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What comes from one peer: datagrams in any order, some more than once, become messages in
 * order, each once.
 *
 * Plain C++: no simulator.
 */
class OpusIncoming
{
  public:
    /** What a datagram came to. */
    struct Outcome
    {
        bool duplicate{false};             //!< it had come in already
        std::vector<OpusMessage> messages; //!< that are whole now, in order
        std::vector<OpusRefusal> refusals; //!< of what is whole now and is no message
    };

    /**
     * @param head of a datagram with a piece
     * @param piece what follows the head
     * @return what it came to
     */
    Outcome Take(const OpusDatagram& head, std::vector<uint8_t> piece);

    /**
     * Says in a datagram for the peer what has come in, and echoes what has just come in: later
     * datagrams say nothing of the round trip.
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

    /** Leaves out what the sender has given up. @param oldest the first that it still has */
    void SkipTo(uint64_t oldest);
    /** Takes the next piece. @param held it @param outcome where a message goes */
    void Append(const Held& held, Outcome& outcome);

    uint64_t m_taken{0};             //!< all up to this one
    uint8_t m_copy{0};               //!< this copy of the last came in last, and was not echoed
    std::map<uint64_t, Held> m_held; //!< by sequence number
    std::vector<uint8_t> m_assembly; //!< of the message that is not whole yet
    uint32_t m_expected{0};          //!< bytes of that message
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_INCOMING_H */
