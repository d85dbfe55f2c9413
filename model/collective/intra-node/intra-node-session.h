/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_SESSION_H
#define PHOTONIC_RAILS_INTRA_NODE_SESSION_H

#include "intra-node-memory.h"
#include "intra-node-run.h"

#include "ns3/event-id.h"
#include "ns3/identifier.h"
#include "ns3/intra-node-fabric.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/scale-up-domain.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Operations of ranks of one server that are in flight together: what is known of them by
 * now, and what follows if nothing else happens.
 *
 * What is known is a run up to the last change. What follows is a copy of it that has been run to
 * the last end that is certain: an operation that needs the calls of all ranks has no end before
 * the last call. The copy is dropped when another rank calls an operation in the middle. One
 * operation
 * alone on idle ports, whose ranks all have called, needs no run if its result is in the memory.
 *
 * Plain C++: the caller gives the times and has the events.
 */
class IntraNodeSession
{
  public:
    /** An operation of a rank. */
    struct Party
    {
        /** Its state. */
        enum class State : uint8_t
        {
            NOT_CALLED,
            RUNNING,
            ENDING, //!< it is over at this instant, and the rank gets an event
            OVER,
        };

        State state{State::NOT_CALLED};
        IntraNodeOperation* operation{nullptr}; //!< null: it is gone
        Picoseconds calledAt{0};
        Picoseconds end{NEVER}; //!< as far as it is known
        uint64_t waited{0};     //!< messages of the group, when it was called
    };

    /** An operation of all ranks of a group. */
    struct Operation
    {
        std::shared_ptr<const IntraNodePlan> plan; //!< null: it goes by messages
        std::shared_ptr<const IntraNodeRanks> ranks;
        std::vector<Party> parties; //!< by place
        GroupId group;
        uint64_t number{0}; //!< in its flow
        uint32_t calls{0};
        uint32_t over{0};                   //!< parties that are over
        IntraNodeSession* session{nullptr}; //!< while it is not over at all ranks
        uint32_t index{0};                  //!< in the runs of the session
    };

    /** @param domain of the members @param memory that sessions share */
    IntraNodeSession(Ptr<const ScaleUpDomain> domain, Ptr<IntraNodeMemory> memory);

    /** Adds members whose ports are quiet. Those that it has already are left out. */
    void AddMembers(const std::vector<MemberId>& members);

    /** Takes over another session, which is removed by the caller. */
    void Merge(IntraNodeSession& other, Picoseconds now);

    /** Adds an operation of its members. */
    void Add(const std::shared_ptr<Operation>& operation, Picoseconds now);

    /**
     * A rank calls one of the operations.
     * @return whether all is worked out; else Plan() is to be called when the instant is over
     */
    bool Call(Operation& operation, uint32_t place, Picoseconds now);

    /** Works out the ends that follow from the calls so far. */
    void Plan();

    /** Goes on to an instant with what is known. */
    void Advance(Picoseconds now);

    /** Removes the operations that are over at all places, after Advance(). */
    void Prune();

    /** @return the next end that is not over; NEVER if none is known */
    Picoseconds GetNextEnd() const;

    /** @return the last end of all; NEVER if one is not known */
    Picoseconds GetLastEnd() const
    {
        return m_lastEnd;
    }

    /** @return whether it is one operation, of a group, that all ranks have called */
    bool IsSettled(GroupId group) const;

    /** @return whether it has a run, which Plan() goes ahead of */
    bool HasRun() const
    {
        return m_run.has_value();
    }

    /** @return what is known, after Advance() */
    const IntraNodeRun& GetRun() const
    {
        return *m_run;
    }

    /** @return the operations */
    const std::vector<std::shared_ptr<Operation>>& GetOperations() const
    {
        return m_operations;
    }

    /** @return the members */
    const std::vector<MemberId>& GetMembers() const
    {
        return m_members;
    }

    /** @return how busy a member's port is when all is over */
    ScaleUpBusy GetLastBusy(MemberId member) const;

    /** @return what a member sends and receives until all is over */
    ScaleUpCount GetLastCount(MemberId member) const;

    uint64_t number{0};                  //!< of the caller
    EventId plan;                        //!< of the caller
    EventId wake;                        //!< of the caller
    std::vector<ScaleUpCount> committed; //!< by member of the domain: in its counts already

  private:
    /** @return whether it is one operation that needs no run before all ranks have called */
    bool IsLazy() const;
    /** @return a run with the calls so far, at its beginning */
    IntraNodeRun MakeFreshRun();
    /** Works out the only operation, all of whose ranks have called. */
    void PlanLazily(Picoseconds now);
    /** @return whether the ports of all members are idle from an instant on */
    bool AreIdle(Picoseconds from) const;
    /** Notes the ends by a run to the end. */
    void SetEnds(const IntraNodeRun& run);

    Ptr<const ScaleUpDomain> m_domain;
    Ptr<IntraNodeMemory> m_memory;
    std::vector<MemberId> m_members;
    std::vector<std::shared_ptr<Operation>> m_operations;
    std::optional<IntraNodeRun> m_run;               //!< up to now
    std::optional<IntraNodeRun> m_ahead;             //!< to the end
    std::shared_ptr<const IntraNodeResult> m_result; //!< of the only operation
    Picoseconds m_from{0};                           //!< its first call
    Picoseconds m_lastEnd{NEVER};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_SESSION_H */
