/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_OUTGOING_H
#define PHOTONIC_RAILS_OPUS_OUTGOING_H

#include "opus-header.h"
#include "opus-message.h"
#include "retransmission-timeout.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What one peer has not acknowledged yet: cut into datagrams, and when each is due.
 *
 * A datagram leaves as soon as fewer than OpusHeader::WINDOW numbers are on their way. It is due
 * again one RetransmissionTimeout later, then after twice as long each time; and, once it is as old
 * as that timeout, also whenever the peer is heard, since a peer that was away and is back need not
 * wait for the end of a long interval. Acknowledgements measure the round trip.
 *
 * After MostAttempts and the interval that follows the last one, a datagram's message is given up,
 * and so are all behind it: the owner may send them again, and they must not come before it.
 *
 * Plain C++: no simulator.
 */
class OpusOutgoing
{
  public:
    /** A message on its way. */
    struct Message
    {
        OpusMessage message;
        std::vector<uint8_t> octets; //!< its encoding
    };

    /** A piece of one. */
    struct Datagram
    {
        std::shared_ptr<Message> message;
        uint64_t sequence;
        uint32_t offset;
        uint16_t bytes;
        uint32_t attempts{0};
        Picoseconds last{ALWAYS_BEFORE}; //!< when it was sent for the last time
        Picoseconds due{ALWAYS_BEFORE};  //!< when it is sent again or given up
        std::vector<Picoseconds> copies; //!< when each was sent
        bool held{false};                //!< the peer has it, and waits for others before it
        bool woken{false};               //!< it was held, but those others were given up
    };

    /**
     * @param retransmitAfter the first interval, and the shortest
     * @param mostAttempts transmissions of a datagram
     * @param pieceBytes of a message in a datagram, at most
     */
    OpusOutgoing(Picoseconds retransmitAfter, uint32_t mostAttempts, uint16_t pieceBytes);

    /** Takes a message. @param message it */
    void Put(const OpusMessage& message);

    /**
     * What leaves now, which counts as sent.
     * @param now the instant
     * @return the datagrams, in order
     */
    std::vector<Datagram> TakeDue(Picoseconds now);

    /**
     * @param head of a datagram of the peer
     * @return whether it acknowledges only what was sent
     */
    bool CanBe(const OpusDatagram& head) const;

    /**
     * The peer was heard.
     * @param head of its datagram
     * @param now the instant
     * @return the messages that it has got whole, as of now
     */
    std::vector<OpusMessage> Hear(const OpusDatagram& head, Picoseconds now);

    /** @return the messages that are given up now, in order @param now the instant */
    std::vector<OpusMessage> GiveUp(Picoseconds now);

    /** @return when something is due or given up next; NEVER if nothing is on its way */
    Picoseconds GetNext() const;

    /** @return how far before a datagram the oldest is @param sequence of the datagram */
    uint8_t GetBehind(uint64_t sequence) const;

    /** @return whether everything is acknowledged or given up */
    bool IsEmpty() const;

  private:
    /** @return how many of the datagrams, from the oldest, may be on their way */
    std::size_t InWindow() const;
    /** Sends a datagram, or counts as if. */
    void Leave(Datagram& datagram, Picoseconds now);
    /** Measures the round trip of the datagram up to which all are acknowledged only now. */
    void Measure(const OpusDatagram& head, Picoseconds now);
    /** @return whether nothing is to be done for a datagram but wait for older ones */
    bool Rests(const Datagram& datagram) const;
    /** The oldest must not rest: nothing older is left that would make the peer go on. */
    void WakeOldest();

    RetransmissionTimeout m_timeout;
    uint32_t m_mostAttempts;
    uint16_t m_pieceBytes;
    uint64_t m_next{1};                       //!< sequence number
    std::deque<Datagram> m_datagrams;         //!< by sequence number
    Picoseconds m_lastContact{ALWAYS_BEFORE}; //!< when the peer was, for the last time
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_OUTGOING_H */
