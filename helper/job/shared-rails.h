/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHARED_RAILS_H
#define PHOTONIC_RAILS_SHARED_RAILS_H

#include "server-admission.h"
#include "training-job-helper.h"
#include "training-run.h"

#include "ns3/controller-note.h"
#include "ns3/instant-queue.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rail.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** The stay of a training job on rails that it shares with others. */
struct JobStay
{
    /** Where a job is in its stay. */
    enum class State : uint8_t
    {
        EXPECTED, //!< it has not arrived
        WAITING,  //!< for servers
        RUNNING,  //!< its ranks run, or are about to
        ENDING,   //!< its ranks have ended, and its circuits are being taken down
        OVER,     //!< its servers are returned
    };

    std::string name;
    State state{State::EXPECTED};
    Time arrival{0};
    Time admitted{0};                //!< its servers are given
    Time start{0};                   //!< of its ranks
    Time end{0};                     //!< of its last rank
    Time returned{0};                //!< of its servers
    std::string whyNot;              //!< why it had to wait when it arrived; empty if it did not
    std::vector<uint32_t> servers{}; //!< in order of its ranks, from the admission on
    Ptr<TrainingRun> run;            //!< has ranks from the admission on

    /** @return the time from its arrival to its servers */
    Time GetWait() const
    {
        return admitted - arrival;
    }
};

/** @return the name of a state in lower case */
const char* ToString(JobStay::State state);

/**
 * @ingroup photonic-rails
 * @brief Training jobs that come and go on the same rails.
 *
 * A job arrives, waits until servers are free (ServerAdmission), gets them with all ports of their
 * GPUs, and starts LaunchTime later. When its last rank has ended, its controller takes its
 * circuits down (OpusControllerApp::TakeDownAtEnd). When the switches have done so, the servers are
 * returned and the next jobs admitted. A job on packet switches returns its servers at its end.
 *
 * Each job has a control plane of its own: shims, a controller, a management network, and an agent
 * on each switch that serves the job's ports only. So jobs share the switches and nothing else. A
 * job whose ports no other job wants runs to the picosecond as if it were alone. Switches that go
 * dark as a whole (Granularity) would cut the frames of other jobs, and take one job at a time:
 * further ones are refused.
 *
 * All mistakes are found by Add(), before anything is built.
 * @code
 * const std::vector<Rail> rails = photonic.InstallRails(gpus, 4); // of 8 servers
 * const Ptr<SharedRails> shared = CreateObject<SharedRails>();
 * shared->SetRails(rails);
 * shared->Add("small", small, Seconds(0));
 * shared->Add("large", large, MilliSeconds(300));          // any servers
 * shared->Add("late", small, Seconds(1), {0, 1, 2, 3});    // these
 * Simulator::Run();
 * shared->Require();
 * std::cout << shared->GetStay(1).GetWait().GetSeconds() << " s: " << shared->GetStay(1).whyNot;
 * @endcode
 */
class SharedRails : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    SharedRails();
    ~SharedRails() override;

    /** @param rails of all servers; rail r joins the GPUs of local rank r */
    void SetRails(const std::vector<Rail>& rails);
    /** @return the rails */
    const std::vector<Rail>& GetRails() const;

    /**
     * Adds a job, before it arrives. A job that could never run aborts.
     * @param name for reports; each job has another one
     * @param helper of the job: all but its rails. GPUs keep the RdmaEngine of the first job
     * @param arrival not before now
     * @param servers in order of its ranks; empty: any
     * @return the number of the job, from 0
     */
    uint32_t Add(const std::string& name,
                 const TrainingJobHelper& helper,
                 Time arrival,
                 const std::vector<uint32_t>& servers = {});

    /** @return whether a job was added, after which attributes of admission can't be set */
    bool HasJobs() const;
    /** @return the number of jobs */
    uint32_t GetJobs() const;
    /** @return the stay of a job, so far */
    const JobStay& GetStay(uint32_t job) const;
    /** Aborts unless all jobs are over and the audits of all have no findings. */
    void Require() const;

    /** Signature of StateChanged: a job, by its number, and its stay. */
    typedef void (*StayCallback)(uint32_t job, const JobStay& stay);

  protected:
    void DoDispose() override;

  private:
    /** A job. */
    struct Job
    {
        TrainingJobHelper helper;
        ServerRequest request;
        uint32_t turn{0}; //!< its number in the admission, from its arrival on
        JobStay stay;
    };

    /** Aborts unless a job can run on the rails. */
    void Check(const Job& job) const;
    /** @return the reason why jobs can't share the switches; empty if they can */
    std::string FindWholeSwitch() const;
    /** @return a job; aborts if there is none of that number */
    const Job& Get(uint32_t job) const;
    /** Changes the state of a job. */
    void Change(uint32_t job, JobStay::State state);
    /** A job arrives. */
    void Arrive(uint32_t job);
    /** Admits the jobs that can have servers now. */
    void Admit();
    /** Builds a job that has servers, and starts it. */
    void Launch(uint32_t job, const std::vector<uint32_t>& servers);
    /** The last rank of a job has ended. */
    void Ended(uint32_t job);
    /** The controller of a job has decided. */
    void HandleDecision(uint32_t job, const ControllerNote& note);
    /** The ports of a job are dark, or need not be. */
    void Return(uint32_t job);

    Time m_launchTime;
    bool m_overtaking{false};
    bool m_waits{true};
    std::vector<Rail> m_rails;
    std::unique_ptr<ServerAdmission> m_admission;
    InstantQueue m_instant;
    std::deque<Job> m_jobs;          //!< callbacks have references
    std::vector<uint32_t> m_arrived; //!< by turn: the job
    TracedCallback<uint32_t, const JobStay&> m_stateChanged;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHARED_RAILS_H */
