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
 * @brief The sending end to one peer: messages that the peer has not acknowledged yet, in bundles
 * that are divided into datagrams, and the time when each is due.
 *
 * A bundle has the messages that were put since datagrams were last taken, one behind the other. So
 * what an owner sends to a peer at one instant goes in as few datagrams as its bytes need.
 *
 * A datagram leaves as soon as fewer than OpusHeader::WINDOW numbers are in flight. It is due again
 * one RetransmissionTimeout later, then after twice as long each time. When it is as old as that
 * timeout, it is also due whenever a datagram of the peer arrives, since a peer that was away and
 * is back need not wait for the end of a long interval. Acknowledgements measure the round trip.
 *
 * After MostAttempts and the interval after the last one, the messages of a datagram's bundle fail,
 * but for those that the peer has acknowledged, and so do all messages behind them: the owner may
 * send them again, and they must not arrive before these.
 *
 * Plain C++: no simulator.
 */
class OpusOutgoing
{
  public:
    /** Messages, one behind the other. */
    struct Bundle
    {
        /** A message in it. */
        struct Part
        {
            OpusMessage message;
            uint32_t end; //!< of its encoding in the octets
        };

        std::vector<Part> parts;
        std::vector<uint8_t> octets; //!< the encodings of all

        /** @return the first message that ends behind an offset in the octets */
        std::vector<Part>::const_iterator FindBehind(uint32_t offset) const;
    };

    /** A piece of a bundle. */
    struct Datagram
    {
        std::shared_ptr<const Bundle> bundle;
        uint64_t sequence;
        uint32_t offset;
        uint16_t bytes;
        uint32_t attempts{0};
        Picoseconds last{ALWAYS_BEFORE}; //!< time of the last transmission
        Picoseconds due{ALWAYS_BEFORE};  //!< time of the next transmission or of the failure
        std::vector<Picoseconds> copies; //!< time of each transmission
        bool held{false};                //!< the peer has it, and waits for earlier ones
        bool woken{false};               //!< it was held, but the earlier ones failed
    };

    /**
     * @param retransmitAfter the first interval, and the shortest
     * @param mostAttempts transmissions of a datagram
     * @param pieceBytes the most bytes of a bundle in a datagram
     */
    OpusOutgoing(Picoseconds retransmitAfter, uint32_t mostAttempts, uint16_t pieceBytes);

    /** Adds a message to the bundle that leaves next. */
    void Put(const OpusMessage& message);

    /** Takes the datagrams that leave now, and counts them as sent. @return them, in order */
    std::vector<Datagram> TakeDue(Picoseconds now);

    /**
     * @param head of a datagram of the peer
     * @return whether it acknowledges only datagrams that were sent
     */
    bool CanBe(const OpusDatagram& head) const;

    /**
     * Takes the head of a datagram of the peer.
     * @return the messages that the peer has completely, as of now
     */
    std::vector<OpusMessage> TakeHead(const OpusDatagram& head, Picoseconds now);

    /** @return the messages that fail now, in order */
    std::vector<OpusMessage> GiveUp(Picoseconds now);

    /**
     * @return the time of the next transmission or failure of a datagram; NEVER if there is none.
     * The bundle that leaves next is none yet
     */
    Picoseconds GetNext() const;

    /**
     * @param sequence of a datagram
     * @return its distance to the oldest one
     */
    uint8_t GetBehind(uint64_t sequence) const;

    /** @return whether every message is acknowledged or has failed */
    bool IsEmpty() const;

  private:
    /** Divides the bundle that leaves next into datagrams. */
    void Divide();
    /** @return the number of datagrams, from the oldest, that may be in flight */
    std::size_t InWindow() const;
    /** Counts a datagram as sent. */
    void Leave(Datagram& datagram, Picoseconds now);
    /** Measures the round trip by the datagram that completes the acknowledged ones. */
    void Measure(const OpusDatagram& head, Picoseconds now);
    /** @return whether a datagram only waits for older ones */
    bool Rests(const Datagram& datagram) const;
    /**
     * Makes the oldest datagram due if it rests: no older one is left that would make the peer
     * continue.
     */
    void WakeOldest();

    RetransmissionTimeout m_timeout;
    uint32_t m_mostAttempts;
    uint16_t m_pieceBytes;
    uint64_t m_next{1};                       //!< sequence number
    std::shared_ptr<Bundle> m_open;           //!< that leaves next, or null
    std::deque<Datagram> m_datagrams;         //!< by sequence number
    Picoseconds m_lastContact{ALWAYS_BEFORE}; //!< time of the last datagram of the peer
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_OUTGOING_H */
