/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_PHASE_H
#define PHOTONIC_RAILS_CONTROLLER_PHASE_H

#include "waiting-phases.h"

#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
#include "ns3/named-pairs.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-votes.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** An open phase of a controller, from the first vote to the last release. */
struct ControllerPhase
{
    /** The state of the phase. */
    enum class State : uint8_t
    {
        VOTING,      //!< not all ranks have requested it
        WAITING,     //!< all ranks have requested it; its ports are not free
        PREPARED,    //!< its circuits are set up for a guess, and not reserved
        PROGRAMMING, //!< agents change its circuits
        GRANTED,     //!< its ranks may send
    };

    /**
     * @param whole number of ranks that take part
     * @param digest of their pairs
     */
    ControllerPhase(const OpusPhase& which, uint32_t whole, uint64_t digest)
        : phase(which),
          named(whole, digest),
          votes(whole)
    {
    }

    /** @return whether it has circuits, or will get them */
    bool IsUnderWay() const
    {
        return state == State::PROGRAMMING || state == State::GRANTED;
    }

    /** @return the ranks whose ports it may use: those that take part, and their relays */
    std::vector<RankId> GetPortRanks() const;

    /** @return all of its state in words except its name; equal states have equal words */
    std::string Describe() const;

    OpusPhase phase;
    NamedPairs named;
    std::vector<JoinedRanks> pairs; //!< all of them, when its votes are complete
    PhaseVotes votes;
    std::set<RailId> rails;
    std::set<RankId> relays; //!< that may forward for its ranks, and need not take part
    std::string parallelism; //!< its parallelism
    State state{State::VOTING};
    WaitingTurn turn;                  //!< valid when its votes are complete
    bool queued{false};                //!< it is in the queues of its ranks
    bool delayed{false};               //!< it has had to wait
    std::string waitsFor;              //!< the reason of its wait
    std::set<uint64_t> plans;          //!< that agents have not answered
    bool alone{false};                 //!< its plans serve no other phase
    std::vector<RankCircuit> circuits; //!< that it has
    bool isOverRings{false};           //!< its circuits are of giant rings
    RingGaps gaps;                     //!< granted over rings: pairs of neighbours not joined
    uint64_t until{0};                 //!< granted: the last operation that it serves
    bool shortened{false};             //!< granted: `until` was reduced
    bool recalled{false};              //!< granted: ranks must release it at once
    bool calledIn{false};              //!< granted: ranks must release it when it is idle
    bool isResumed{false};          //!< granted in an earlier term: its state is not complete yet
    bool changes{false};            //!< programming: circuits are changed for it
    Picoseconds programmed{0};      //!< the time of its plans
    Picoseconds reconfiguration{0}; //!< the reconfiguration time of its circuits, 0 if they stood
    Picoseconds settled{0}; //!< programming: the time at which the last switch was done, 0: none is
    Picoseconds linkUp{0};  //!< of reconfiguration, after that
    Picoseconds firm{NEVER}; //!< the time from which its votes are complete, and it may be granted
    Picoseconds due{NEVER};  //!< the earliest time at which ranks that guess need its circuits
    Picoseconds firstVote{0};
    Picoseconds firstRequested{0};
    Picoseconds deadline{NEVER};
};

/** @return the name of a state in lower case */
const char* ToString(ControllerPhase::State state);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_PHASE_H */
