/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROLLER_PHASE_H
#define PHOTONIC_RAILS_CONTROLLER_PHASE_H

#include "waiting-phases.h"

#include "ns3/circuit-planner.h"
#include "ns3/identifier.h"
#include "ns3/named-pairs.h"
#include "ns3/opus-message.h"
#include "ns3/phase-votes.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** A phase that a controller deals with, from the first vote to the last release. */
struct ControllerPhase
{
    /** How far it is. */
    enum class State : uint8_t
    {
        VOTING,      //!< not all ranks have asked
        WAITING,     //!< all have; its ports are not free
        PREPARED,    //!< its circuits were set up for a guess, and it has no claim to them
        PROGRAMMING, //!< agents change its circuits
        GRANTED,     //!< its ranks may send
    };

    /** @param whole how many ranks take part @param digest of their pairs */
    ControllerPhase(const OpusPhase& which, uint32_t whole, uint64_t digest)
        : phase(which),
          named(whole, digest),
          votes(whole)
    {
    }

    /** @return whether it has circuits, or is about to */
    bool IsUnderWay() const
    {
        return state == State::PROGRAMMING || state == State::GRANTED;
    }

    /** @return all of its state in words but for its name, the same for equal ones */
    std::string Describe() const;

    OpusPhase phase;
    NamedPairs named;
    std::vector<JoinedRanks> pairs; //!< all of them, once its votes are complete
    PhaseVotes votes;
    std::set<RailId> rails;
    std::string parallelism; //!< its parallelism
    State state{State::VOTING};
    WaitingTurn turn;                  //!< once its votes are complete
    bool queued{false};                //!< it stands in the queues of its ranks
    bool delayed{false};               //!< it has had to wait
    std::string waitsFor;              //!< what for
    std::set<uint64_t> plans;          //!< that agents have not answered
    bool alone{false};                 //!< its plans are for no other phase
    std::vector<RankCircuit> circuits; //!< that it has
    uint64_t until{0};                 //!< granted: the last operation that it serves
    bool shortened{false};             //!< granted: that is less than it was
    bool recalled{false};              //!< granted: all is to be given back at once
    bool calledIn{false};              //!< granted: it is to be given back when it is idle
    bool isResumed{false};             //!< granted in an earlier term: not all is known of it yet
    bool changes{false};               //!< programming: circuits are changed for it
    Picoseconds programmed{0};         //!< the agents were told
    Picoseconds reconfiguration{0};    //!< that its circuits took, 0 if they stood
    Picoseconds firm{NEVER};           //!< its votes are complete, and it may be granted
    Picoseconds firstVote{0};
    Picoseconds firstAsked{0};
    Picoseconds deadline{NEVER};
};

/** @return a state's name in lower case */
const char* ToString(ControllerPhase::State state);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROLLER_PHASE_H */
