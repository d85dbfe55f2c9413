/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CLAIM_H
#define PHOTONIC_RAILS_SHIM_CLAIM_H

#include "call-profile.h"
#include "granted-circuits.h"

#include "ns3/circuit-broker.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/** A stage of an operation that a rank has called and is not through with. */
struct ShimCall
{
    /** How far it is. */
    enum class State : uint8_t
    {
        WAITING,
        ANSWERED,
        WITHDRAWN, //!< the rank is to give it back
        RETURNED,  //!< it has, or is through with it: whether it asks again shows in this instant
    };

    CircuitRequest ask;
    State state{State::WAITING};
    Picoseconds asked{0};
    uint64_t until{0}; //!< the last operation in a row that the rank foresees
    uint64_t run{0};   //!< of the profile; 0: none
    bool isHint{false};
    bool isOnRail{false}; //!< answered so
};

/** What a rank wants of circuits for a phase, from its ask to its release. */
struct ShimClaim
{
    /** An operation and a stage of it. */
    using Place = std::pair<uint64_t, uint32_t>;

    /** Of `until`: the circuits stand, and are not given back. */
    static constexpr uint64_t FOR_GOOD = UINT64_MAX;

    OpusPhase phase;
    CallPairs pairs;
    uint64_t bytes{0};
    uint32_t links{0};       //!< of each pair, at most; 0: no limit
    uint64_t number{0};      //!< of the ask
    uint64_t until{0};       //!< asked for, then granted
    uint64_t run{0};         //!< of the profile; 0: none
    bool speculative{false}; //!< nothing of it has been called
    bool isGuess{false};     //!< it was asked for in advance
    bool isHinted{false};    //!< the rank's program sees to it
    bool isSent{false};      //!< a REQUEST has left
    uint32_t saidIn{0};      //!< in this term, the last one
    bool isDue{false};       //!< a REQUEST is to leave
    bool isGranted{false};
    bool isReturning{false}; //!< as soon as nothing of it is under way, it is released
    std::shared_ptr<const GrantedCircuits> circuits;
    Picoseconds foretold{NEVER};  //!< a REQUEST in advance has left
    Picoseconds requested{NEVER}; //!< one in earnest has
    Picoseconds othersFrom{0};    //!< granted: other ranks were waited for, from then
    Picoseconds othersUntil{0};   //!< until then
    Picoseconds reconfiguration{0};
    bool isFresh{false}; //!< the reconfiguration has not been told yet
    Picoseconds idleSince{0};
    std::optional<uint64_t> through; //!< the last operation that is over
    std::map<Place, ShimCall> calls; //!< that are not over
    std::optional<ShimCall> hint;    //!< an ACQUIRE that waits
    std::vector<ShimCall> parked;    //!< called again before all of it was given back

    /** @return whether a call is waiting for the grant */
    bool IsWaiting() const;
    /** @return whether something of it has been answered and is not over */
    bool IsUnderWay() const;
    /** @return whether others may ask for its circuits, which it holds and does not use */
    bool IsSpare() const;
    /** @return when the first of those that wait called; NEVER if none does */
    Picoseconds GetWaitingSince() const;
    /** @return whether a call needs no more than this @param call it @param phase of the call */
    bool Covers(const ShimCall& call, const OpusPhase& phase) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CLAIM_H */
