/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RUN_H
#define PHOTONIC_RAILS_TRAINING_RUN_H

#include "job-run.h"

#include "ns3/communication-window.h"
#include "ns3/finished-operation.h"
#include "ns3/frame-counter.h"
#include "ns3/training-job.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The run of a training job that TrainingJobHelper built: beside its iterations, the windows
 * between the phases of its parallelisms, and the frames on its wires.
 *
 * Operations are remembered, so that windows can be found, unless the job has more than 256 ranks.
 */
class TrainingRun : public JobRun
{
  public:
    /** @param job on servers of its plan */
    explicit TrainingRun(const TrainingJob& job);

    /** @return programs and groups */
    const TrainingJob& GetJob() const
    {
        return m_job;
    }

    /** Remembers operations and counts frames from now on; TrainingJobHelper does this. */
    void Observe();

    /** @return the operations that are over, if they are remembered */
    const std::vector<FinishedOperation>& GetOperations() const
    {
        return m_operations;
    }

    /** @return the windows of each rank in the last iteration */
    std::vector<CommunicationWindow> GetWindows() const;
    /** @return the windows of each rail in the last iteration */
    std::vector<CommunicationWindow> GetRailWindows() const;

    /** @return what NIC ports put on wires in the whole run; complete when the run is over */
    FrameCounter::Counts GetOnWire() const;

  private:
    /** An operation is remembered, if it is one over rails. */
    void Remember(const OperationRecord& record);
    /** @return those windows that are of the last iteration that is over */
    std::vector<CommunicationWindow> KeepLast(std::vector<CommunicationWindow> windows) const;

    TrainingJob m_job;
    std::vector<FinishedOperation> m_operations;
    std::vector<std::vector<RankId>> m_groupRanks;         //!< by group of the job
    std::vector<std::shared_ptr<FrameCounter>> m_counters; //!< of each NIC port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RUN_H */
