/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_RUN_H
#define PHOTONIC_RAILS_JOB_RUN_H

#include "collective-helper.h"
#include "collective-job.h"
#include "common-end.h"
#include "job-journal.h"
#include "job-tally.h"

#include "ns3/application-container.h"
#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/callback.h"
#include "ns3/collective-application.h"
#include "ns3/controller-note.h"
#include "ns3/host-network-helper.h"
#include "ns3/job-programs.h"
#include "ns3/job-work.h"
#include "ns3/opus-control-plane.h"
#include "ns3/picoseconds.h"
#include "ns3/rail-audit.h"
#include "ns3/rail-fold.h"
#include "ns3/rail.h"
#include "ns3/scale-up-domain.h"
#include "ns3/simple-ref-count.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The run of a job on the ranks of a CollectiveJob, with the times and counts of its
 * iterations.
 *
 * @code
 * JobPrograms job;
 * ReadTraceJob({"run/llama.%d.et"}, job);
 * const Ptr<JobRun> run = Create<JobRun>(RepeatJob(job, 4), 1);
 * run->rails = PhotonicRailHelper().InstallRails(gpus, 1);
 * ... opus.Install(run->rails), RDMA engines, brokers ...
 * run->Install(collectives.Install(run->rails));
 * Simulator::Run();
 * run->Require();
 * std::cout << run->GetIteration(1).end.GetSeconds() << " s" << std::endl;
 * @endcode
 *
 * It connects to the trace sources of ranks: keep it until Simulator::Destroy(). An iteration ends
 * when every rank has ended all of its operations in it; it begins at the end of the one before. A
 * job whose programs begin no iteration has a single one. Figures of an iteration are the
 * differences of the tallies at its two ends, so early operations of some ranks count in the
 * iteration before.
 *
 * In a distributed simulation (SimulationProcesses) each process has the ranks of its rails, and
 * Gather() gives process 0 the results of all.
 */
class JobRun : public SimpleRefCount<JobRun>
{
  public:
    /**
     * @param job on all ranks of the rails
     * @param perServer GPUs of a server
     */
    JobRun(const JobPrograms& job, uint32_t perServer);
    virtual ~JobRun() = default;

    /**
     * Sets the program of every rank, describes the job to the control plane, and connects to trace
     * sources.
     * @param ranks installed on the rails of the run
     */
    void Install(Ptr<CollectiveJob> ranks);

    /**
     * Has rails that do the same simulated once, as far as they do (RailFold), unless something
     * makes them differ. Call it after Install() and before the run.
     * @param differs what makes them differ, as far as the caller has it; empty: nothing
     */
    void Fold(const std::string& differs);

    /** @return the rails that do the same; null: each rail is simulated */
    Ptr<RailFold> GetFold() const
    {
        return m_fold;
    }

    /** @return why Fold() had each rail simulated; empty: it has not */
    const std::string& GetWhyNotFolded() const
    {
        return m_whyNotFolded;
    }

    /**
     * Reports the progress of the run, a few times a second.
     * @param progress takes GetProgress()
     */
    void SetProgress(const std::function<void(double share)>& progress);

    /**
     * Sets the beginning of the first iteration.
     * @param start of the ranks; default: the time of Install()
     */
    void SetStart(Time start);
    /**
     * Starts the ranks of a job that is built in the course of a simulation.
     * @param after the time from now
     * @param ended see SetEndedCallback()
     * @param decided gets the notes of its controllers
     */
    void Launch(Time after,
                const std::function<void()>& ended,
                const Callback<void, const ControllerNote&>& decided);
    /** @param ended is called when all operations of all ranks have ended */
    void SetEndedCallback(const std::function<void()>& ended);

    /**
     * @param iterated is called when another iteration has ended, in a simulation of one process;
     *        empty: nothing is
     */
    void SetIteratedCallback(const std::function<void()>& iterated);

    /** @return the number of completed iterations */
    uint32_t GetIterations() const;
    /** @return the share of all messages whose operations have ended, 0 to 1 */
    double GetProgress() const;
    /** @return the duration of an iteration, in seconds @param iteration from 1 */
    double GetIterationSeconds(uint32_t iteration) const;
    /** @return the tally of one iteration; its `end` is the duration @param iteration from 1 */
    JobTally GetIteration(uint32_t iteration) const;
    /** @return the instant at which an iteration began @param iteration from 1 */
    Time GetBegin(uint32_t iteration) const;
    /** @return the instant at which an iteration ended @param iteration from 1 */
    Time GetEnd(uint32_t iteration) const;
    /**
     * @return the mean of all iterations but the first, in which shims learn; if there is only one,
     *         that one
     */
    JobTally GetSteady() const;
    /** @return the tally of all completed iterations, from the start of the job */
    JobTally GetAll() const;
    /** @return the mean time of a GPU without computing in a steady iteration, in seconds */
    double GetIdleSeconds() const;

    /** @return whether operations have followed those of rail 0, whose counts are those of all */
    bool HasFolded() const
    {
        return m_fold && m_fold->IsFolding();
    }

    /** @return the rails of counts: in place of a rail that follows, its leader */
    std::vector<Rail> ListCounted() const;

    /** @return the audit of all rails and ranks */
    RailAudit GetAudit() const;
    /** Aborts unless all iterations have ended and the audit has no findings: see RailAudit. */
    void Require() const;

    /**
     * Gathers the results of all processes of a distributed simulation at process 0, before
     * Simulator::Destroy(). All call it, each when its simulation is over. Elsewhere a run has its
     * own ranks. With one process it has no effect.
     */
    void Gather();

    /** @return whether this run has the results of the whole job, after Gather() */
    bool IsWhole() const;

    // public, because scripts build and read them: parts that exist before Install()
    std::vector<Rail> rails;
    std::vector<Ptr<ScaleUpDomain>> domains; //!< by server; none if servers have one GPU
    OpusControlPlane plane;
    HostNetwork hosts; //!< without servers if there is none
    // parts that exist after it
    ApplicationContainer applications; //!< by rank
    Ptr<CollectiveJob> collectives;    //!< the ranks

    /** @return the job */
    const JobPrograms& GetPrograms() const
    {
        return m_job;
    }

    /** @return the iteration of an operation, from 0 */
    uint32_t IterationOf(const OperationRecord& record) const;

  protected:
    /** @return the number of GPUs of a server */
    uint32_t GetPerServer() const
    {
        return m_perServer;
    }

    /** Puts the results of this process. */
    virtual void PutPart(ByteWriter& bytes) const;
    /** Adds the results of another process. */
    virtual void AddPart(ByteReader& bytes);

  private:
    /** The exchanges of an iteration that are over. */
    struct Exchanged
    {
        uint64_t messages{0}; //!< that ranks received
        PathTallies paths{};
    };

    /** Computing that has ended. */
    struct Computing
    {
        uint32_t iteration;
        Picoseconds duration;
    };

    /** Finds the begins of iterations. */
    void FindIterations();
    /** Counts the operations of each iteration that ranks here will do. */
    void CountOperations();
    /** Adds computing that is over. @param end now or earlier */
    void AddComputed(uint32_t iteration, Picoseconds end, Picoseconds duration);
    /** Has ranks report what is over by now. */
    void CatchUp() const;
    /** @return the computing up to now, without that of later iterations that ends now */
    Picoseconds GetComputed(uint32_t iteration) const;
    /** Adds an exchange that ends now. */
    void AddExchange(uint32_t iteration, const OperationRecord& record);
    /** An endpoint of the control plane sends a message. */
    void ControlSent();
    /** A shim may have other counts. */
    void ShimCounted(OpusShimApp* shim);
    /** A controller may have other counts. */
    void ControlCounted();
    /** A rank forwards a message of another. */
    void Forwarded(const TransportMessage& message);
    /** @return the tally of an iteration, from 0, by the journals of all processes */
    JobTally CountAll(uint32_t iteration) const;
    /** Connects to the trace sources of ranks. */
    void Listen();
    /** An operation of a rank has ended. */
    void Ended(const OperationRecord& record);
    /** Reports the progress, if a report is due. */
    void Report();
    /** @return the counts so far, and of exchanges those up to an iteration, from 0 */
    JobTally Count(uint32_t iteration) const;

    JobPrograms m_job;
    CollectiveApplication::Groups m_groups; //!< of the job, by index
    Ptr<RailFold> m_fold;
    std::string m_whyNotFolded;
    uint32_t m_perServer;
    JobWork m_work;
    uint64_t m_workOver{0};
    std::vector<std::vector<uint32_t>> m_begins; //!< by program: begins of its iterations
    std::vector<uint32_t> m_programOf;           //!< by rank: index of its program
    std::vector<uint64_t> m_left;                //!< remaining operations, by iteration
    std::vector<JobTally> m_tallies;             //!< at the end of each iteration
    Time m_start{0};                             //!< of the first iteration
    std::function<void()> m_ended;
    std::function<void()> m_iterated;
    uint64_t m_open{0};                            //!< remaining operations of all iterations
    Picoseconds m_computed{0};                     //!< of all ranks
    Picoseconds m_computedAt{0};                   //!< the last end of computing
    std::vector<Computing> m_computedThen;         //!< that ended then
    std::unique_ptr<CommonEnd> m_commonEnd;        //!< null: the engine finds the end
    JobJournal m_journal;                          //!< of a distributed simulation
    JobJournal::Control m_control{};               //!< the present counts
    std::map<OpusShimApp*, OpusTimes> m_shimTimes; //!< in them
    bool m_isGathered{false};
    RailAudit::Totals m_elsewhere;      //!< of other processes
    std::vector<Exchanged> m_exchanged; //!< by iteration
    std::function<void(double)> m_progress;
    std::chrono::steady_clock::time_point m_reported;
    uint64_t m_endings{0}; //!< of operations
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_RUN_H */
