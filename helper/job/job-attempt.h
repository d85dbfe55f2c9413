/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_ATTEMPT_H
#define PHOTONIC_RAILS_JOB_ATTEMPT_H

#include "training-run.h"

#include "ns3/collective-application.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/opus-shim-app.h"
#include "ns3/parallelism-plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{

/** The ends of a checkpoint at ranks. */
struct CheckpointEnds
{
    uint64_t ranks{0}; //!< that have ended it
    Time last{0};      //!< when the last of them had
};

/** An attempt to train, or the copying of state before it. */
struct JobAttempt
{
    uint32_t number{0};              //!< from 1; a copying has its own
    bool isCopy{false};              //!< state is copied; else it trains
    std::vector<uint32_t> servers{}; //!< of the cluster, in order of its ranks
    ParallelismPlan plan{};          //!< of the training
    uint32_t doneBefore{0};          //!< iterations that it continues from
    Time start{0};                   //!< of its ranks
    Time end{0};                     //!< of its last rank, or when it was stopped
    bool hasFailed{false};
    bool hasEnded{false};                             //!< all operations of all ranks
    std::map<uint32_t, CheckpointEnds> checkpoints{}; //!< by iteration, from 0 at its start
    Ptr<JobRun> run;

    /** @return the place of a server of the cluster among its own; none: it is not one of them */
    std::optional<uint32_t> FindPlace(uint32_t server) const;
    /** @return the rank on a GPU of a server; null: there is none */
    Ptr<CollectiveApplication> FindRank(uint32_t server, uint32_t gpu) const;
    /** @return its shims on a host */
    std::vector<Ptr<OpusShimApp>> FindShims(Ptr<Node> host) const;
    /** @return the iterations of the last checkpoint that all ranks have ended; none: no such */
    std::optional<uint32_t> FindCheckpoint() const;

    /** @return the training run; null: it copies */
    Ptr<TrainingRun> GetTraining() const
    {
        return DynamicCast<TrainingRun>(run);
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_ATTEMPT_H */
