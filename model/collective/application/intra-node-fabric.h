/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_FABRIC_H
#define PHOTONIC_RAILS_INTRA_NODE_FABRIC_H

#include "stretch-rank.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/collective-transport.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/message-totals.h"
#include "ns3/object.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** The messages of an operation of one rank, up to an instant. */
struct IntraNodeHistory
{
    /** A message of the operation. */
    struct Message
    {
        uint32_t peer{0}; //!< the other end: a place in the group
        uint16_t channel{0};
        uint32_t ordinal{0}; //!< among the operation's messages between the two on that channel
        uint64_t bytes{0};   //!< on wires
    };

    std::vector<Message> arrived; //!< in order
    std::vector<Message> settled;
};

/** An operation of one rank that is worked out together with those of the other ranks. */
class IntraNodeOperation
{
  public:
    virtual ~IntraNodeOperation() = default;

    /** The operation is over at this rank, at this instant. It may be destroyed by this. */
    virtual void IsOverAsOne() = 0;

    /** From now on the operation goes message by message. @param history up to now */
    virtual void GoOnByMessages(const IntraNodeHistory& history) = 0;
};

/** The communication library of one rank, on the fabric inside its server. */
class IntraNodeRank
{
  public:
    virtual ~IntraNodeRank() = default;

    /** @return whether its program has operations of a group */
    virtual bool HasGroup(GroupId group) const = 0;

    /** A message has come before its operation was called. @param at the instant, now or earlier */
    virtual void KeepEarly(const TransportMessage& message, Picoseconds at) = 0;

    /** @param most the messages of a flow that had waited when an operation was called */
    virtual void NoteEarly(uint64_t most) = 0;

    /** Something has happened at the rank. @param at the instant, now or earlier */
    virtual void NoteActivity(Picoseconds at) = 0;
};

/** The call of an operation by one rank, all of whose messages stay in its server. */
struct IntraNodeCall
{
    RankId rank;
    const CommunicationGroup* group{nullptr};
    uint64_t number{0}; //!< of the operation in its flow
    uint32_t place{0};  //!< of the rank in the group
    std::shared_ptr<const CollectiveSchedule> schedule;
    uint64_t bytes{0};       //!< of the buffer
    uint64_t messageSize{0}; //!< the largest size of a message, in bytes of data
    CollectiveProtocol protocol{CollectiveProtocol::SIMPLE};
    bool mayBeOne{false}; //!< the rank allows that it is worked out as one
    IntraNodeOperation* operation{nullptr};
};

/** The answer to a call. */
struct IntraNodeAnswer
{
    /** How a rank's operation goes on. */
    enum class How : uint8_t
    {
        MESSAGES, //!< message by message
        AS_ONE,   //!< IsOverAsOne() or GoOnByMessages() will be called
        OVER,     //!< all is done already
    };

    How how{How::MESSAGES};
    MessageTotals totals{}; //!< of the operation, unless it goes by messages
};

/**
 * @ingroup photonic-rails
 * @brief Works out operations of ranks of one server as one: from the times of their calls follow
 * the times at which they are over, without events for their messages.
 *
 * Each rank tells it of each operation whose group is inside the server, whether or not it can be
 * worked out as one.
 */
class IntraNodeFabric : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    /** Adds a rank of the server. @param library that it runs, as long as it takes part */
    virtual void Join(RankId rank, IntraNodeRank* library) = 0;

    /** Removes a rank, whose operations are gone. */
    virtual void Leave(RankId rank) = 0;

    /** @return whether all ranks of a group are in the server */
    virtual bool Contains(const CommunicationGroup& group) const = 0;

    /** A rank calls an operation of a group in the server, at this instant. */
    virtual IntraNodeAnswer Call(const IntraNodeCall& call) = 0;

    /** @return equal steps of a stretch of another rank of the job, if there are some, or these */
    virtual std::shared_ptr<const StretchSteps> ShareSteps(StretchSteps&& steps) = 0;

    /**
     * A rank begins a stretch of its program, at this instant.
     * @return whether it is worked out as a whole, without events for its operations; else the rank
     * begins them one by one
     */
    virtual bool EnterStretch(const StretchEntry& entry) = 0;

    /** The ranks that are in a stretch with a rank go on operation by operation. */
    virtual void LeaveStretch(RankId rank) = 0;

    /** The operations of a rank go on by messages, as far as they are worked out as one. */
    virtual void Stop(RankId rank) = 0;

    /** An operation that was answered AS_ONE is gone. */
    virtual void Forget(const IntraNodeOperation* operation) = 0;

    /** @return the most messages of a flow that had waited at a rank when it called one of its
     * operations that are not over; 0: none */
    virtual uint64_t GetMostEarly(RankId rank) = 0;

    /** @return the last instant by now at which something has happened at a rank; 0: none */
    virtual Picoseconds GetLastActivity(RankId rank) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_FABRIC_H */
