/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_RESULTS_H
#define PHOTONIC_RAILS_RUN_RESULTS_H

#include "record-options.h"
#include "training-report.h"

#include "ns3/application-container.h"
#include "ns3/communication-phase.h"
#include "ns3/communication-time.h"
#include "ns3/frame-counter.h"
#include "ns3/job-run.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/ptr.h"
#include "ns3/rail.h"
#include "ns3/result-recorder.h"
#include "ns3/simple-ref-count.h"
#include "ns3/training-run.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** What a run of several is called. */
struct RunLabel
{
    std::string name;                      //!< unique in a database, such as "on-demand 25ms"
    std::string policy{};                  //!< of circuits; empty: it has none
    std::optional<Time> reconfiguration{}; //!< reconfiguration time; none: it does not matter
    bool isMain{false};                    //!< plots of a single run show this one
};

/**
 * @ingroup photonic-rails
 * @brief Records one of the runs of a program in the database of results, while it goes.
 *
 * The table `runs` has a row for each run from its begin on. Runs may be in processes of their own,
 * side by side. What is recorded is what a program adds, before the simulation:
 *
 * | Add()             | tables                                                              |
 * |-------------------|---------------------------------------------------------------------|
 * | faults            | faults; and drops in fibers, if it is added before rails            |
 * | rails             | circuits, plans, drops, ports, costs                                |
 * | ranks             | operations                                                          |
 * | control plane     | reconfigurations, control_messages                                  |
 * | a job (AddJob())  | of its ranks and control plane; jobs, ranks, iterations; of a       |
 * |                   | training job phases and windows                                     |
 *
 * Scenario::BeginRun() makes one. Without a database it records nothing, and costs nothing.
 * @code
 * const Ptr<RunResults> results = scenario.BeginRun({"on-demand", "on-demand", MilliSeconds(25)});
 * results->Add(rails);
 * results->Add(ranks);
 * Simulator::Run();
 * results->Finish();
 * @endcode
 */
class RunResults : public SimpleRefCount<RunResults>
{
  public:
    /** Adds the rows of runs, which wait, numbered from 0. @param database a file */
    static void List(const std::string& database, const std::vector<RunLabel>& runs);
    /** A run has ended by an error. @param database a file @param number of the run */
    static void SetFailed(const std::string& database, uint32_t number, const std::string& error);

    /**
     * A run begins; rows of an earlier attempt of the same number are removed.
     * @param database a file of ResultDatabase; empty: nothing is recorded
     * @param number of the run in it
     * @param what is recorded beside what is cheap
     */
    RunResults(const std::string& database,
               uint32_t number,
               RunLabel label,
               const RecordOptions& what = {});
    ~RunResults();
    RunResults(const RunResults&) = delete;
    RunResults& operator=(const RunResults&) = delete;

    /** @return whether anything is recorded */
    bool IsOn() const;

    /** Forgets what was added and recorded: it was an attempt that is given up. */
    void Restart();

    /** Records faults. @param injector of them; null: there are none */
    void Add(const Ptr<FaultInjector>& injector);
    /** Records rails, and counts the frames of their NIC ports. */
    void Add(const std::vector<Rail>& rails);
    /** Records a rail likewise. */
    void Add(const Rail& rail);
    /** Records the operations of ranks. @param job their number in the run */
    void Add(const ApplicationContainer& ranks, uint32_t job = 0);
    /** Records a control plane. @param job number in the run of its first job */
    void Add(const OpusControlPlane& plane, uint32_t job = 0);
    /** Records a job on rails of its own, with these rails. */
    void AddJob(const Ptr<JobRun>& run);
    /**
     * Records a job on rails that are recorded already, from now on.
     * @param number of it in the run
     * @param servers of the rails, in order of its own; empty: they are the same
     */
    void AddJob(const Ptr<JobRun>& run, uint32_t number, const std::vector<uint32_t>& servers = {});

    /** The run is complete. */
    void Finish();
    /** The same. @param end of what is simulated, before timers that run out later; 0: unknown */
    void Finish(Time end);
    /** The same of a single training job. @param figures of the run */
    void Finish(const TrainingFigures& figures);

  private:
    /** What ranks do over time. */
    struct Activity : public SimpleRefCount<Activity>
    {
        CommunicationTime time;

        explicit Activity(uint32_t ranks);
        void Take(const OperationRecord& record);
    };

    /** A job that is recorded. */
    struct Job
    {
        uint32_t number;
        Ptr<JobRun> run;
        Ptr<TrainingRun> training; //!< null: it is another job
        uint32_t iterations{0};    //!< that are written
        Ptr<Activity> activity{};  //!< null: operations are not recorded
    };

    /** The counts of the NIC ports of a rail, by GPU and port. */
    using Counters = std::vector<std::shared_ptr<FrameCounter>>;

    /** The last end of an operation. */
    struct LastEnd : public SimpleRefCount<LastEnd>
    {
        Time at{0};

        void Take(const OperationRecord& record);
    };

    /** Its row says that it runs; rows of an earlier attempt are removed. */
    void Begin() const;
    /** Records none of the jobs any longer. */
    void RemoveJobs();
    /** Adds the row of a job, and its ranks. */
    void AddRanks(const Job& job, const std::vector<uint32_t>& servers);
    /** Adds the iterations of a job that have ended since the last call. */
    void AddIterations(Job& job);
    /** Adds phases of ranks or rails, and the windows between them. */
    void AddPhases(uint32_t job, const std::vector<CommunicationPhase>& phases);
    /** @return the seconds of a steady iteration in which a GPU communicates and does not compute:
     * the mean over GPUs; none: it is not recorded */
    static std::optional<double> GetCommunicating(const Job& job);
    /** Adds the NIC ports of all rails. */
    void AddPorts(Time end);
    /** Adds the row of the run. @param figures of a single training job; null: there are others */
    void AddRun(Time end, const TrainingFigures* figures);
    /** Completes the run. @param end see Finish() @param figures see AddRun() */
    void Finish(Time end, const TrainingFigures* figures);

    std::string m_database; //!< empty: nothing is recorded
    uint32_t m_number;
    RunLabel m_label;
    RecordOptions m_what;
    std::unique_ptr<ResultRecorder> m_recorder; //!< null: nothing is recorded
    std::deque<Job> m_jobs;                     //!< callbacks have references
    std::vector<Rail> m_rails;
    std::vector<Counters> m_counters; //!< by rail; none: the training job of the run has them
    Ptr<LastEnd> m_lastEnd;
    double m_cpuBefore; //!< of this process
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_RESULTS_H */
