/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RUN_H
#define PHOTONIC_RAILS_TRAINING_RUN_H

#include "collective-helper.h"

#include "ns3/application-container.h"
#include "ns3/collective-application.h"
#include "ns3/communication-window.h"
#include "ns3/finished-operation.h"
#include "ns3/frame-counter.h"
#include "ns3/opus-control-plane.h"
#include "ns3/rail.h"
#include "ns3/scale-up-domain.h"
#include "ns3/simple-ref-count.h"
#include "ns3/training-job.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** What had been counted when an iteration was over, from the beginning of the run. */
struct TrainingTally
{
    Picoseconds end{0};           //!< when all ranks were through with it
    Picoseconds exposed{0};       //!< ranks waited for circuits, the mean; several at once: once
    Picoseconds hidden{0};        //!< circuits turned unnoticed, the mean over ranks
    Picoseconds computed{0};      //!< the mean over ranks
    uint64_t reconfigurations{0}; //!< that switches made
    uint64_t controlMessages{0};  //!< of the control plane
    uint64_t wrongPredictions{0};
    uint64_t messages{0};       //!< between GPUs that came, inside servers too
    uint64_t bytesForwarded{0}; //!< that ranks sent on for others, over another rail
};

/**
 * @ingroup photonic-rails
 * @brief A training job that TrainingJobHelper built, and what came of it.
 *
 * It listens to the ranks. An iteration is over when every rank has ended all of its operations of
 * it; it lasts from the end of the one before. Figures of an iteration are the differences of the
 * tallies at its two ends, so what some ranks began early counts in the iteration that went on.
 */
class TrainingRun : public SimpleRefCount<TrainingRun>
{
  public:
    /** @param task what is done @param policy whose circuits */
    TrainingRun(const TrainingTask& task, const std::string& policy);

    /** @return programs and groups */
    const TrainingJob& GetJob() const
    {
        return m_job;
    }

    /** @return the policy's name */
    const std::string& GetPolicy() const
    {
        return m_policy;
    }

    /** Listens to the ranks and counts frames; TrainingJobHelper does this. */
    void Listen();

    /**
     * Whether operations are remembered, so that windows can be found; they are unless the job has
     * more than 256 ranks.
     * @param keep whether
     */
    void KeepOperations(bool keep);

    /**
     * Tells how far the run is, a few times a second.
     * @param progress is told GetProgress()
     */
    void SetProgress(const std::function<void(double share)>& progress);

    /** @return how many iterations are over */
    uint32_t GetIterations() const;
    /** @return the share of all messages whose operations are over, 0 to 1 */
    double GetProgress() const;
    /** @return how long an iteration took, in seconds @param iteration from 1 */
    double GetIterationSeconds(uint32_t iteration) const;
    /** @return what was counted in an iteration alone; end is its length @param iteration from 1 */
    TrainingTally GetIteration(uint32_t iteration) const;
    /** @return the mean of all iterations but the first, in which shims learn; of a single one, it
     */
    TrainingTally GetSteady() const;
    /** @return how long a GPU did not compute in a steady iteration, the mean, in seconds */
    double GetIdleSeconds() const;

    /** @return the operations that are over, if they are kept */
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

    /** Aborts, with all that does not add up, if anything does not: see RailAudit. */
    void Require() const;

    // what TrainingJobHelper built
    std::vector<Rail> rails;
    std::vector<Ptr<ScaleUpDomain>> domains; //!< by server; none if servers have one GPU
    OpusControlPlane plane;
    ApplicationContainer applications; //!< by rank
    CollectiveHelper collectives;      //!< that made them

  private:
    void Ended(const OperationRecord& record);
    /** A shim has answered a rank. */
    void Answered(const ShimNote& note);
    /** @return how long ranks have waited for circuits; for several at once it counts once */
    Picoseconds SumWaits() const;
    /** @return what simulating an operation takes, roughly: messages that a rank sends */
    uint64_t GetWork(uint32_t rank, const RankOperation& operation) const;
    /** Tells how far it is, if it is time. */
    void Report();
    /** An operation is remembered. */
    void Remember(const OperationRecord& record, uint32_t iteration);
    /** @return what has been counted so far */
    TrainingTally Count() const;
    /** @return in which iteration an operation is, from 0 */
    uint32_t IterationOf(const OperationRecord& record) const;

    TrainingJob m_job;
    std::string m_policy;
    bool m_keep;
    //! by program: where iterations begin
    std::map<const RankProgram*, std::vector<uint32_t>> m_begins;
    std::vector<uint64_t> m_left; //!< operations, by iteration
    uint64_t m_workInAll{0};      //!< GetWork() of all operations
    uint64_t m_workOver{0};
    std::function<void(double)> m_progress;
    std::chrono::steady_clock::time_point m_reported;
    Picoseconds m_computed{0}; //!< of all ranks
    //! by rank: from when to when it waited for circuits
    std::vector<std::vector<std::pair<Picoseconds, Picoseconds>>> m_waits;
    std::vector<TrainingTally> m_tallies; //!< by iteration
    std::vector<FinishedOperation> m_operations;
    std::vector<std::vector<RankId>> m_groupRanks;         //!< by group of the job
    std::vector<std::vector<uint32_t>> m_groupsOf;         //!< by rank
    std::vector<std::shared_ptr<FrameCounter>> m_counters; //!< of each NIC port
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RUN_H */
