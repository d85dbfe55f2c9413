/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_RUN_H
#define PHOTONIC_RAILS_INTRA_NODE_RUN_H

#include "intra-node-plan.h"

#include "ns3/earliest-slot.h"
#include "ns3/identifier.h"
#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"
#include "ns3/scale-up-clock.h"
#include "ns3/scale-up-domain.h"
#include "ns3/scale-up-ports.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** The ranks of an operation, by place in their group. */
struct IntraNodeRanks
{
    std::vector<RankId> ranks;
    std::vector<MemberId> members; //!< of the fabric
    GroupId group;
    std::vector<int64_t> distances; //!< of ranks and members from the first
};

/**
 * @ingroup photonic-rails
 * @brief The messages of operations on the fabric inside a server, worked out without events: from
 * the calls of ranks follow the ends of their operations.
 *
 * It has the rules of ScaleUpPorts, ScaleUpTransport and CollectiveRun, for members that have no
 * other traffic. It goes forward only; a copy can be run ahead, and dropped when something happens
 * that the copy did not have. Messages that are sent at the present instant are not ordered before
 * it is over, so calls of the same instant can still be added.
 *
 * Plain C++: no simulator.
 *
 * @code
 * IntraNodeRun run(clock, latency, members);
 * const uint32_t operation = run.Add(plan, ranks);
 * run.Call(operation, 0, 1'000);
 * run.Call(operation, 1, 1'500);
 * run.Finish();
 * const Picoseconds end = run.GetEnd(operation, 0);
 * @endcode
 */
class IntraNodeRun
{
  public:
    using Fraction = ScaleUpClock::Fraction;

    /** A message that is sent and not delivered. */
    struct UnderWay
    {
        uint32_t operation;
        uint32_t message;
        Fraction reaches;      //!< its first bit at the receiver's port
        Picoseconds delivered; //!< if the receiver's input has it; else NEVER
    };

    /** A delivered message. */
    struct Delivery
    {
        uint32_t operation;
        uint32_t message;
        Picoseconds at;
    };

    /**
     * @param clock of the ports
     * @param latency from port to port, 1 ps or more
     * @param members of the fabric
     */
    IntraNodeRun(const ScaleUpClock& clock, Picoseconds latency, uint32_t members);

    /** Sets how busy a member's port is, before its first message. */
    void SetBusy(MemberId member, const ScaleUpBusy& busy);

    /** @return how busy a member's port is */
    ScaleUpBusy GetBusy(MemberId member) const;

    /** Adds an operation. @return its number here */
    uint32_t Add(std::shared_ptr<const IntraNodePlan> plan,
                 std::shared_ptr<const IntraNodeRanks> ranks);

    /** Removes an operation that is over at all places. */
    void Remove(uint32_t operation);

    /**
     * A rank calls an operation.
     * @param at the instant, not before GetNow()
     */
    void Call(uint32_t operation, uint32_t place, Picoseconds at);

    /** Goes on until an instant, whose messages it sends and takes. */
    void Advance(Picoseconds until);

    /**
     * Orders the messages of an instant that is over, or does what comes next, up to an instant.
     * @return whether there was any
     */
    bool GoOn(Picoseconds until);

    /** Goes on until nothing is to come. */
    void Finish();

    /** Goes on until the ends of some operations are known at all places, or nothing is to come. */
    void FinishThose(const std::vector<uint32_t>& operations);

    /** @return the clock of the ports */
    const ScaleUpClock& GetClock() const
    {
        return m_clock;
    }

    /** @return the instant up to which it has gone */
    Picoseconds GetNow() const
    {
        return m_now;
    }

    /** @return the end of an operation at a place; NEVER while it is not known */
    Picoseconds GetEnd(uint32_t operation, uint32_t place) const
    {
        return m_operations[operation].places[place].end;
    }

    /** @return the ends that have become known, of all operations and places */
    uint64_t CountEnds() const
    {
        return m_ends;
    }

    /** @return the messages of the group that had waited at a place when it called an operation */
    uint64_t GetEarly(uint32_t operation, uint32_t place) const
    {
        return m_operations[operation].places[place].waited;
    }

    /** @return what a member has sent and received since the beginning */
    const ScaleUpCount& GetCount(MemberId member) const
    {
        return m_counts[member.Get()];
    }

    /** @return the messages of an operation that are delivered, in the order of delivery */
    std::vector<Delivery> GetDeliveries(uint32_t operation) const;

    /** @return the messages that are sent at the present instant, in the order of calls */
    std::vector<UnderWay> GetSent() const;

    /** @return the messages that are under way otherwise: those of a receiver in order */
    std::vector<UnderWay> GetUnderWay() const;

    /** @return the last instant by now at which a member sent or took a message; 0: none */
    Picoseconds GetLastActivity(MemberId member) const;

    /**
     * Takes over all of another run, which is at the same instant, on other members.
     * @param members of the other run
     * @return the number to be added to numbers of its operations
     */
    uint32_t Merge(const IntraNodeRun& other, const std::vector<MemberId>& members);

  private:
    /** An operation at a place. */
    struct Place
    {
        bool called{false};
        uint64_t toReceive{0};
        uint64_t toDeliver{0};  //!< messages from it
        Picoseconds last{0};    //!< the last instant at which it took a message, or was called
        Picoseconds lastOut{0}; //!< the last delivery of a message from it
        Picoseconds end{NEVER};
        uint64_t waited{0}; //!< messages, when it was called
    };

    /** An operation. */
    struct Operation
    {
        std::shared_ptr<const IntraNodePlan> plan;
        std::shared_ptr<const IntraNodeRanks> ranks;
        std::vector<Place> places;
        uint32_t known{0};                  //!< places whose end is known
        std::vector<Picoseconds> delivered; //!< by message; NEVER: not yet
        std::vector<bool> taken;            //!< by message
        std::vector<uint32_t> rows;         //!< by cell: arrivals in a row from the first
        std::vector<bool> settled;          //!< by message, if places keep to rounds
        std::vector<uint8_t> waits;         //!< by message: cells for which it waits, if several
        std::vector<uint32_t> early;        //!< messages whose receiver has not called, in order
        std::vector<uint32_t> order;        //!< messages in the order of delivery
    };

    /** A message that is sent, and not ordered. */
    struct Post
    {
        ScaleUpOrder order;
        uint32_t operation;
        uint32_t message;
    };

    /** A message on its way to an input. */
    struct Waiting
    {
        Fraction reaches;
        Picoseconds at; //!< the same, rounded up
        uint32_t from;  //!< a member
        uint64_t sequence;
        uint32_t operation;
        uint32_t message;

        /** @return whether the other one is before it */
        bool operator<(const Waiting& other) const
        {
            return reaches != other.reaches ? reaches > other.reaches
                   : from != other.from     ? from > other.from
                                            : sequence > other.sequence;
        }
    };

    /** A message that an input has. */
    struct Due
    {
        Picoseconds at;
        uint32_t operation;
        uint32_t message;
    };

    /** The port of a member. */
    struct Port
    {
        ScaleUpBusy busy;
        std::vector<Post> posts;      //!< at the instant of m_posted
        std::vector<Waiting> waiting; //!< a heap
        RingQueue<Due> due;           //!< in order
    };

    /** What a rank does at an instant. Of one instant the first kinds are first. */
    enum class What : uint8_t
    {
        CALL,   //!< a rank calls an operation
        SETTLE, //!< a message is settled, for which a later round waits
    };

    /** Something that a rank is to do. It follows what reaches inputs at its instant. */
    struct Event
    {
        Picoseconds at;
        What what;
        uint32_t operation;
        uint32_t place; //!< of a call; else the message

        /** @return whether the other one is before it */
        bool operator<(const Event& other) const
        {
            return at != other.at ? at > other.at : what > other.what;
        }
    };

    /** Adds something to happen. */
    void Push(const Event& event);
    /** @return the instant of what comes next; NEVER: nothing does */
    Picoseconds GetNext() const;
    /** Does what comes next. */
    void Step();
    /** Orders the messages of the instant m_posted, which is over. */
    void LeaveAll();
    /** Orders the messages of a member. */
    void Leave(uint32_t member);
    /** Handles what reaches a member's input, or has passed it, at this instant. */
    void Reach(uint32_t member);
    /** Finds out when something happens next at a member's input. */
    void FindNext(uint32_t member);
    /** Delivers a message at this instant. */
    void Deliver(uint32_t operation, uint32_t message);
    /** A message of a cell is done. Sends what waited for it. @param done by message */
    void TakeIn(uint32_t operation, uint32_t cell, const std::vector<bool>& done);
    /** A message is settled, for which a later one waits. */
    void Settle(uint32_t operation, uint32_t message);
    /** A rank takes a message. */
    void Take(uint32_t operation, uint32_t message);
    /** A rank sends a message. */
    void Send(uint32_t operation, uint32_t message);
    /** A rank calls an operation at this instant. */
    void CallNow(uint32_t operation, uint32_t place);
    /** Notes the end of an operation at a place, if it is known. */
    void FindEnd(uint32_t operation, uint32_t place);
    /** @return the messages of a group that came to a member before now, and wait */
    uint64_t CountEarly(GroupId group, uint32_t member) const;

    ScaleUpClock m_clock;
    Picoseconds m_latency;
    Picoseconds m_now{0};
    std::vector<Port> m_ports; //!< by member
    EarliestSlot m_inputs;     //!< by member: when something reaches its input, or has passed it
    std::vector<ScaleUpCount> m_counts;
    std::vector<Operation> m_operations;
    std::vector<uint32_t> m_free;    //!< numbers of operations that are removed
    std::vector<Event> m_events;     //!< a heap
    std::vector<uint32_t> m_posting; //!< members with posts
    Picoseconds m_posted{0};
    uint64_t m_sequence{0};
    uint64_t m_ends{0}; //!< that are known
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_RUN_H */
