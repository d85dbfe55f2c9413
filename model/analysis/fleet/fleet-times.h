/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_TIMES_H
#define PHOTONIC_RAILS_FLEET_TIMES_H

#include "ns3/fault-kind.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <tuple>

namespace ns3
{

/** A job that trains: what the time of its iterations depends on. */
struct FleetForm
{
    uint32_t replicas{1};   //!< that train, data-parallel
    bool isDetoured{false}; //!< circuits are a ring that stands

    bool operator<(const FleetForm& other) const
    {
        return std::tie(replicas, isDetoured) < std::tie(other.replicas, other.isDetoured);
    }
};

/** The steady state of a job that trains. */
struct FleetIteration
{
    Picoseconds iteration{0};               //!< an iteration without a checkpoint
    Picoseconds checkpoint{0};              //!< by how much it is longer with one
    uint64_t reconfigurations{0};           //!< of circuits, in an iteration
    uint64_t checkpointReconfigurations{0}; //!< and further ones for a checkpoint
};

/** How a job goes on. */
enum class FleetStep : uint8_t
{
    SPLICE, //!< on a spare, or on the same server after its repair
    DETOUR, //!< on a spare, over the GPUs between
    MOVE,   //!< on other servers, of one rack
    SHRINK, //!< without a replica
    GROW,   //!< with one more replica
};

/** @return the name of a step, such as "splice" */
const char* ToString(FleetStep step);

/** A transition of a job: what its times depend on. */
struct FleetTransitionCase
{
    FleetStep step{FleetStep::SPLICE};
    uint32_t replicas{1}; //!< before it
    uint32_t stage{0};    //!< of the server that is lost, in its replica; of GROW: 0
    FaultKind kind{FaultKind::SERVER_LOSS}; //!< of GROW: no fault, SERVER_LOSS

    bool operator<(const FleetTransitionCase& other) const
    {
        return std::tie(step, replicas, stage, kind) <
               std::tie(other.step, other.replicas, other.stage, other.kind);
    }
};

/** The times of a transition. */
struct FleetTransition
{
    Picoseconds down{0}; //!< from the fault until the circuits are down, and a server is needed
    /**
     * From then on until the steady state: copies of state, the launch, and by how much its first
     * iterations are longer than steady ones.
     */
    Picoseconds up{0};
    bool keepsIterations{false};  //!< no iteration is lost; else those since the last checkpoint
    uint64_t reconfigurations{0}; //!< of circuits, in `up`
};

/**
 * @ingroup photonic-rails
 * @brief The times of iterations and transitions that a FleetReplay takes: simulated ones
 * (TransitionTable), or given ones in a test.
 */
class FleetTimes
{
  public:
    virtual ~FleetTimes() = default;

    /** @return the steady state of a job */
    virtual FleetIteration GetIteration(const FleetForm& form) = 0;
    /** @return the times of a transition */
    virtual FleetTransition GetTransition(const FleetTransitionCase& transition) = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_TIMES_H */
