/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RUN_H
#define PHOTONIC_RAILS_TRAINING_RUN_H

#include "job-run.h"

#include "ns3/communication-phase.h"
#include "ns3/communication-window.h"
#include "ns3/finished-operation.h"
#include "ns3/frame-counter.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The run of a training job that TrainingJobHelper built: it adds the windows between the
 * phases of its parallelisms, and the frames on its wires.
 *
 * It records operations, from which windows are found, unless the job has more ranks than
 * MOST_RANKS (TrainingJobHelper::SetMostRecorded()).
 */
class TrainingRun : public JobRun
{
  public:
    /** The largest number of ranks whose operations are recorded: a few hundred bytes each. */
    static constexpr uint32_t MOST_RANKS{256};

    /**
     * @param job runs on the servers of its plan
     * @param hints whether its ranks give circuit hints (AddCircuitHints())
     */
    explicit TrainingRun(const TrainingJob& job, bool hints = false);

    /** @return the training job */
    const TrainingJob& GetJob() const
    {
        return m_job;
    }

    /**
     * Records operations and counts frames from now on; TrainingJobHelper calls this.
     * @param mostRanks the largest number of ranks whose operations are recorded
     */
    void Observe(uint32_t mostRanks = MOST_RANKS);

    /** Ends the counts of frames: later ones are of other jobs. */
    void StopObserving();

    /** @return whether operations are recorded: the job does not have too many ranks */
    bool RecordsOperations() const
    {
        return m_recordsOperations;
    }

    /** @return the completed operations, if they are recorded */
    const std::vector<FinishedOperation>& GetOperations() const
    {
        return m_operations;
    }

    /** @return the phases of each rank in all iterations */
    std::vector<CommunicationPhase> GetPhases() const;
    /** @return the phases of each rail in all iterations */
    std::vector<CommunicationPhase> GetRailPhases() const;
    /** @return the windows of each rank in the last iteration */
    std::vector<CommunicationWindow> GetWindows() const;
    /** @return the windows of each rail in the last iteration */
    std::vector<CommunicationWindow> GetRailWindows() const;

    /** @return the counts of frames that NIC ports sent; complete after the run */
    FrameCounter::Counts GetOnWire() const;

    /**
     * @param rail its place among the rails; of one that has followed, the counts are its leader's
     * @param gpu place on the rail
     * @param port of the GPU
     * @return the counts of frames of a NIC port; complete after the run
     */
    const FrameCounter& GetPortCounts(uint32_t rail, uint32_t gpu, uint32_t port) const;

  protected:
    void PutPart(ByteWriter& bytes) const override;
    void AddPart(ByteReader& bytes) override;

  private:
    /** Records an operation, if it uses rails. */
    void Remember(const OperationRecord& record);
    /** @return the windows of the last completed iteration */
    std::vector<CommunicationWindow> KeepLast(std::vector<CommunicationWindow> windows) const;

    TrainingJob m_job;
    bool m_recordsOperations{false};
    std::vector<FinishedOperation> m_operations;
    std::vector<std::vector<RankId>> m_groupRanks;         //!< by group of the job
    std::vector<std::shared_ptr<FrameCounter>> m_counters; //!< of each NIC port
    FrameCounter::Counts m_onOtherWires;                   //!< of other processes
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RUN_H */
