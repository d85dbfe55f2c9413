/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STATE_MOVES_H
#define PHOTONIC_RAILS_STATE_MOVES_H

#include "failure-reaction.h"

#include "ns3/training-task.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** A copy of state from a server to another, of each GPU to that on the same rail. */
struct StateMove
{
    uint32_t from{0}; //!< server of the cluster
    uint32_t to{0};
    uint64_t bytes{0}; //!< of each GPU

    bool operator==(const StateMove& other) const
    {
        return from == other.from && to == other.to && bytes == other.bytes;
    }
};

/** Where a job that goes on gets its state from. */
struct StatePlan
{
    /** The iteration that training continues from. */
    enum class From : uint8_t
    {
        LAST_ITERATION, //!< the last one that all ranks had ended
        CHECKPOINT,     //!< that of the last checkpoint
        BEGIN,          //!< none: state is lost
    };

    From from{From::LAST_ITERATION};
    std::vector<StateMove> moves{}; //!< by receiver, and then by sender
};

/**
 * @ingroup photonic-rails
 * @brief Finds where the state of each server of the next attempt comes from.
 *
 * The state of a place of the former attempt is on its server, if that is not lost; on the server
 * of a data-parallel replica of it (all data-parallel places of a stage without sharding, the
 * replicas of a shard with HSDP); or on the server that has its checkpoint
 * (CheckpointPlan::GetHolder()), if there are checkpoints. They are tried in this order. If any
 * state is in a checkpoint only, all ranks go back to it. If any is nowhere, training begins anew,
 * and nothing is moved.
 *
 * If the number of shards changes (ShrinkReaction), each rank gets the parts of its new shard that
 * are not in its old one.
 *
 * Plain C++: no simulator.
 * @param task of the former attempt
 * @param failure of it
 * @param recovery that was decided; it goes on
 * @param hasCheckpoint whether all ranks have ended a checkpoint
 */
StatePlan PlanStateMoves(const TrainingTask& task,
                         const FailureCase& failure,
                         const Recovery& recovery,
                         bool hasCheckpoint);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATE_MOVES_H */
