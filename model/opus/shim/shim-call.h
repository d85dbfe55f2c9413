/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHIM_CALL_H
#define PHOTONIC_RAILS_SHIM_CALL_H

#include "ns3/circuit-broker.h"
#include "ns3/opus-contents.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A stage of an operation that a rank has called and is not through with.
 *
 * It waits for an answer, then it is under way. Circuits that were granted may be withdrawn: the
 * rank gives the call back when its messages are settled, and calls it again in the same instant
 * unless it is through with it.
 */
struct ShimCall
{
    /** An operation of a flow, and a stage of it. */
    using Place = std::pair<uint64_t, uint32_t>;

    /** State of the call. */
    enum class State : uint8_t
    {
        WAITING,
        ANSWERED,
        WITHDRAWN, //!< the rank has to give it back
        RETURNED,  //!< given back, or over: decided at the end of the instant
    };

    CircuitRequest request;
    State state{State::WAITING};
    Picoseconds requested{0};
    uint64_t until{0}; //!< the last operation in a row that the rank foresees
    uint64_t run{0};   //!< of the profile; 0: none
    bool isHint{false};
    Picoseconds due{0};   //!< of a hint: when the circuits are needed; 0: at once, or not known
    bool isOnRail{false}; //!< whether the answer is circuits
};

/** @return the operation and stage that a request is for */
ShimCall::Place GetPlace(const CircuitRequest& request);

/** @return the operation and stage of a phase */
ShimCall::Place GetPlace(const OpusPhase& phase);

/** @return the phase that a request of a job is for */
OpusPhase GetPhase(JobId job, const CircuitRequest& request);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHIM_CALL_H */
