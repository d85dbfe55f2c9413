/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MESSAGE_POSTER_H
#define PHOTONIC_RAILS_MESSAGE_POSTER_H

#include "ns3/collective-transport.h"
#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/picoseconds.h"
#include "ns3/transport-times.h"

#include <array>
#include <list>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Posts the messages of a rank to its transports, on each network one after another: a
 * message is sent when it has been posted, which takes TransportTimes::message.
 *
 * It models the thread of a communication library that serves a network (NCCL's proxy). Messages
 * that become ready at one instant are posted from a picosecond later on, and not in the order of
 * events: by their ordinals, so that receivers and channels take turns, the nearest receiver first,
 * as algorithms send. A network on which posting takes no time gets its messages at once.
 *
 * Messages that have been given to it are sent, even if their operation fails meanwhile.
 */
class MessagePoster
{
  public:
    MessagePoster();
    ~MessagePoster();
    MessagePoster(const MessagePoster&) = delete;
    MessagePoster& operator=(const MessagePoster&) = delete;

    /** @param times of the rank, before its first message */
    void SetTimes(const CollectiveTimes& times);

    /** @return whether posting takes time on some network */
    bool TakesTime() const;

    /** Posts a message. @param kind of the network @param transport that sends it */
    void Post(TransportKind kind, Ptr<Transport> transport, const TransportMessage& message);

    /** Drops the messages that are not sent yet. */
    void Clear();

  private:
    /** A message that waits for its turn. */
    struct Item
    {
        Ptr<Transport> transport;
        TransportMessage message;
    };

    /** The thread that serves a network. */
    class Thread
    {
      public:
        Thread() = default;
        ~Thread();

        /** Sets the time of a message. */
        void SetTime(Picoseconds time);
        /** @return whether posting takes time */
        bool TakesTime() const;
        /** Adds a message that becomes ready at this instant. */
        void Add(const Item& item);
        /** Drops all messages. */
        void Clear();

      private:
        /** Begins with a message when the instant of its arrival is over. */
        void Begin(const Item& item);
        /** Posts the next message, unless one is being posted. */
        void PostNext();
        /** The message that is being posted can be sent. */
        void Posted();

        Picoseconds m_time{0};
        InstantQueue m_instant;
        std::list<Item> m_items; //!< the first is being posted
        EventId m_event;
    };

    std::array<Thread, TRANSPORT_KINDS> m_threads;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MESSAGE_POSTER_H */
