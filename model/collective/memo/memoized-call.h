/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_CALL_H
#define PHOTONIC_RAILS_MEMOIZED_CALL_H

#include "memo-store.h"

#include "ns3/collective-transport.h"
#include "ns3/identifier.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-domain.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** A message of an operation that has arrived at a rank, or that the other end has. */
struct MemoizedMessage
{
    uint32_t peer{0}; //!< a place in the group
    uint16_t channel{0};
    uint32_t ordinal{0};
    uint64_t bytes{0}; //!< on wires
};

/** A send by rendezvous, as one of its two ranks calls it. */
struct MemoizedSend
{
    MemoStore::Kind kind;
    GroupId group;
    RankId from;
    RankId to;
    uint64_t number{0};   //!< of the send, from one rank to the other
    bool isSender{false}; //!< else the receiver calls it
};

/** What has happened to the messages of a rank in an operation that was to need none. */
struct MemoizedHistory
{
    std::vector<MemoizedMessage> arrived; //!< in order
    std::vector<MemoizedMessage> settled; //!< in order
    Picoseconds latest{0};                //!< instant of the last of them; 0: there are none
    bool hasEntered{false};               //!< what it sends on circuits has been sent, too
    uint64_t mostEarly{0};                //!< messages that came before it was active
};

/** The way of a rank's messages to or from another in its server. */
struct MemoizedInsideWay
{
    RankId peer;
    uint16_t channel{0};
    bool isOut{false};
    ScaleUpPort port; //!< of the other rank
};

/** What a rank in an operation has inside its server, where messages wait for no circuits. */
struct MemoizedInside
{
    ScaleUpPort port; //!< of the rank; none: the operation has no such messages
    std::vector<MemoizedInsideWay> ways;
    ScaleUpCount count; //!< that the operation adds to its port's
};

/** The ways of a rank's messages on circuits in an operation: each without tag and bytes. */
struct MemoizedWays
{
    std::vector<TransportMessage> out;
    std::vector<TransportMessage> in;
};

/**
 * @ingroup photonic-rails
 * @brief A rank in an operation whose messages are made up for: it sends what the operation sends,
 * in the past. It exists even if the operation has ended at the rank meanwhile.
 */
class MemoizedPast
{
  public:
    virtual ~MemoizedPast() = default;
    /** @return whether a message that the rank gets, or that is settled, is of the operation */
    virtual bool Concerns(const TransportMessage& message) const = 0;
    /**
     * @param way out
     * @return the sizes of its messages on wires, and how many have each
     */
    virtual std::map<uint64_t, uint64_t> ListSizes(uint32_t way) const = 0;
    /**
     * Of an operation with messages inside servers: sends those that depend on no arrival. What
     * comes earlier waits. @return how many do that came before this instant
     */
    virtual uint64_t BeginInside() = 0;
    /** Gives the ways on circuits, before the following functions are called. */
    virtual void SetWays(const std::vector<TransportMessage>& out) = 0;
    /** It has circuits: sends the messages on them that depend on no arrival. */
    virtual void Begin() = 0;
    /** Takes a message, and sends those that it allows. @return it in the operation's terms */
    virtual MemoizedMessage Arrived(const TransportMessage& message) = 0;
    /** @return a message that is settled in the operation's terms */
    virtual MemoizedMessage Settled(const TransportMessage& message) = 0;

    /** @return of the sender's end of a send: whether it has the report of its receive */
    virtual bool HasReport() const
    {
        return false;
    }
};

/**
 * @ingroup photonic-rails
 * @brief The part of a rank in an operation on circuits, which may be known from one that was
 * simulated before (MemoizedOperation).
 */
class MemoizedCall
{
  public:
    /** An operation of all its ranks, or sends of two ranks that overlap. */
    class Operation : public SimpleRefCount<Operation>
    {
      public:
        virtual ~Operation() = default;
        /** A rank calls a collective operation. */
        virtual void Add(MemoizedCall& call) = 0;
        /** A send or a receive becomes a part of it. @return its place */
        virtual uint32_t Join(MemoizedCall& call) = 0;
        /** As the functions of a call. */
        virtual void Activate(MemoizedCall& call, bool early) = 0;
        virtual bool BeginInside(MemoizedCall& call,
                                 const MemoizedInside& inside,
                                 uint64_t early,
                                 std::unique_ptr<MemoizedPast> past) = 0;
        virtual bool Enter(MemoizedCall& call,
                           const MemoizedWays& ways,
                           std::unique_ptr<MemoizedPast> past) = 0;
        virtual void Refuse() = 0;
        virtual bool Leave(MemoizedCall& call) = 0;
        virtual void End(MemoizedCall& call, const MessageTotals& totals, uint64_t mostEarly) = 0;
        /** A call is gone. */
        virtual void Remove(MemoizedCall& call) = 0;
    };

    /** The operation of the rank. */
    class Owner
    {
      public:
        virtual ~Owner() = default;
        /** It was held, and may be over, as IsOver() or its messages say. */
        virtual void EndMemoized() = 0;
        /** It was held, and goes on by messages. @param history what it has missed */
        virtual void GoOnByMessages(const MemoizedHistory& history) = 0;
    };

    /** The sends of a job. */
    class Sends
    {
      public:
        virtual ~Sends() = default;
        /** @return what a send or a receive that enters is a part of */
        virtual Ptr<Operation> Find(const MemoizedSend& send) = 0;
    };

    /** @param place of the rank in its group */
    MemoizedCall(Ptr<Operation> operation, uint32_t place, RankId rank, Owner& owner);
    /** A send or a receive, which belongs to no operation before it enters. */
    MemoizedCall(Sends& sends, const MemoizedSend& send, Owner& owner);
    ~MemoizedCall();
    MemoizedCall(const MemoizedCall&) = delete;
    MemoizedCall& operator=(const MemoizedCall&) = delete;

    /** The start-up is over. @param early whether messages have come before */
    void Activate(bool early);

    /**
     * The same if there are messages inside servers, which may be sent now.
     * @param early messages of the operation that have come before this instant
     * @param past sends its messages if they are to be made up for
     * @return whether messages are held: they are not to be sent
     */
    bool BeginInside(const MemoizedInside& inside,
                     uint64_t early,
                     std::unique_ptr<MemoizedPast> past);

    /**
     * The rank is active and has circuits: it may send now.
     * @param ways of its messages
     * @param past sends them if they are to be made up for; null: it has been given
     * @return whether messages are held: they are not to be sent
     */
    bool Enter(const MemoizedWays& ways, std::unique_ptr<MemoizedPast> past);

    /**
     * What happens to the operation at the rank can't be known, and is not to be kept: it goes on
     * by messages.
     */
    void Refuse();

    /**
     * A send has no circuits any more, and may enter again later.
     * @return whether it is as if it had not entered: no message was to go by now, and none has
     */
    bool Leave();

    /** @return whether messages are held, or were to the end */
    bool IsHeld() const
    {
        return m_isHeld;
    }

    /** @return whether a held operation is over */
    bool IsOver() const
    {
        return m_isOver;
    }

    /** @return the messages of a held operation that is over */
    const MessageTotals& GetTotals() const
    {
        return m_totals;
    }

    /** @return the messages that came before a held operation was active, when it is over */
    uint64_t GetMostEarly() const
    {
        return m_mostEarly;
    }

    /** The operation is over, by messages. @param mostEarly messages that came before it was active
     */
    void End(const MessageTotals& totals, uint64_t mostEarly);

  private:
    friend class MemoizedOperation; // which sets what a call knows

    Ptr<Operation> m_operation; //!< null: a send that has not entered
    Sends* m_sends{nullptr};    //!< null: a collective operation
    std::optional<MemoizedSend> m_send;
    uint32_t m_place{0};
    RankId m_rank;
    Owner& m_owner;
    bool m_isHeld{false};
    bool m_isOver{false};
    MessageTotals m_totals;
    uint64_t m_mostEarly{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_CALL_H */
