/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECOVERING_JOB_H
#define PHOTONIC_RAILS_RECOVERING_JOB_H

#include "job-attempt.h"
#include "recovery-record.h"
#include "server-health.h"
#include "training-job-helper.h"

#include "ns3/controller-note.h"
#include "ns3/event-id.h"
#include "ns3/failure-reaction.h"
#include "ns3/fault-injector.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rail-audit.h"
#include "ns3/rail.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A training job that goes on after failures, as its reaction decides.
 *
 * The cluster has more servers than the job: the others are spares. Every server has a HealthAgent,
 * and a head node has the HealthMonitor and the controllers of the job. What happens after a
 * failure is simulated, step by step:
 * 1. *detection*: signs of the failure reach the monitor by datagrams (HealthAgent, HealthMonitor),
 *    and it makes a diagnosis;
 * 2. *decision*: `DecisionTime` later the FailureReaction has decided;
 * 3. *stop*: the agents stop all ranks, whose queue pairs go to error;
 * 4. *circuits down*: the controller takes the circuits of the attempt down
 *    (OpusControllerApp::Abandon()), as far as ports obey;
 * 5. *copying*: state that is missing on a server of the next attempt is sent to it over the rails,
 *    on circuits of its own (PlanStateMoves());
 * 6. *launch*: ranks start, `LaunchTime` later. The first operations wait for circuits, as ever.
 *
 * Each attempt has a control plane, queue pairs and communicators of its own, as processes that
 * start again have. Its iterations continue from the last one that all ranks had ended, or from the
 * last checkpoint (CheckpointPlan), as state is there.
 *
 * A failure while state is copied is handled alike, with all servers that have been lost so far. A
 * job that can't go on is stopped, and has failed, with the reason (GetWhyFailed()).
 *
 * @code
 * const Ptr<RecoveringJob> job = CreateObject<RecoveringJob>();
 * job->SetRails(photonic.InstallRails(gpus, 4)); // of 5 servers
 * job->SetReaction("splice");
 * job->Install(helper, {0, 1, 2, 3}); // server 4 is a spare
 * Simulator::Schedule(Seconds(3), [job]() { job->LoseGpu(2, 1); });
 * Simulator::Run();
 * std::cout << job->GetRecoveries().front().GetTimeToGoOn().As(Time::S) << std::endl;
 * @endcode
 *
 * Not modelled: the time that frameworks take to load programs and to build communicators, which
 * `LaunchTime` stands for; storage.
 */
class RecoveringJob : public Object
{
  public:
    /** Where the job is. */
    enum class State : uint8_t
    {
        READY,       //!< it has not started
        TRAINING,    //!< ranks run, or are about to
        DECIDING,    //!< a failure was diagnosed
        STOPPING,    //!< ranks are being stopped
        TAKING_DOWN, //!< circuits are being taken down
        COPYING,     //!< state is copied
        DONE,        //!< all iterations have ended
        FAILED,      //!< it does not go on
    };

    /** @return the type */
    static TypeId GetTypeId();

    RecoveringJob();
    ~RecoveringJob() override;

    /** @param rails of all servers; rail r joins the GPUs of local rank r */
    void SetRails(const std::vector<Rail>& rails);
    /** @param reaction a type that derives from ns3::FailureReaction, or a short name */
    void SetReaction(const std::string& reaction);
    /** @param name an attribute of HealthAgent */
    void SetAgentAttribute(const std::string& name, const AttributeValue& value);
    /** @param name an attribute of HealthMonitor */
    void SetMonitorAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Builds the job, and starts it at the beginning of the simulation.
     * @param helper of the job: all but its rails
     * @param servers in order of its ranks; the others of the rails are spares
     */
    void Install(const TrainingJobHelper& helper, const std::vector<uint32_t>& servers);

    /**
     * @return what makes components of the cluster fail, from Install() on: GPUs that fail and
     *         servers that are lost hit the attempt that runs then, a slow GPU slows its rank in
     *         every attempt, and what fails on rails is found when it is used. Faults of the
     *         control plane and of its network are not possible here: each attempt has other ones.
     *         A server that is repaired is a spare again
     */
    Ptr<FaultInjector> GetInjector() const
    {
        return m_injector;
    }

    /**
     * Notes that a fault happens now, for the records: the job has to find it by itself. One on a
     * server that the present attempt does not have is none.
     * @param server that it hits
     */
    void NoteFault(uint32_t server);
    /** A GPU fails, now. */
    void LoseGpu(uint32_t server, uint32_t gpu);
    /** A server fails, now: its GPUs, NIC ports, agent and links. */
    void LoseServer(uint32_t server);

    /** @return where the job is */
    State GetState() const
    {
        return m_state;
    }

    /** @return why the job does not go on; empty unless it has failed */
    const std::string& GetWhyFailed() const
    {
        return m_why;
    }

    /** @return the rails of the cluster */
    const std::vector<Rail>& GetRails() const
    {
        return m_rails;
    }

    /** @return the attempts, in order */
    const std::deque<JobAttempt>& GetAttempts() const
    {
        return m_attempts;
    }

    /** @return the failures, in order */
    const std::deque<RecoveryRecord>& GetRecoveries() const
    {
        return m_recoveries;
    }

    /** @return the circuits that were found dark and were replaced, in order */
    const std::vector<RailOutage>& GetOutages() const
    {
        return m_outages;
    }

    /** @return the attempt that runs, or ran last; null: none has been launched */
    const JobAttempt* FindAttempt() const;

    /** @return the iterations that have ended and were not lost */
    uint32_t GetIterations() const;
    /** @return the time of the iterations that have ended and were not lost */
    Time GetUsefulTime() const;
    /** @return the time from the start of the job to its end, or to now */
    Time GetElapsed() const;
    /** @return useful time over elapsed time, 0 to 1 */
    double GetGoodput() const;
    /** @return the servers without a job that work, as far as the monitor knows */
    std::vector<uint32_t> ListSpares() const;

    /** @return the agents and the monitor */
    const ServerHealth& GetHealth() const
    {
        return m_health;
    }

    /** @return the audit of all rails and all attempts */
    RailAudit GetAudit() const;

    /** Signature of StateChanged. */
    typedef void (*StateCallback)(State state);

  protected:
    void DoDispose() override;

  private:
    /** Has the attempts of the job use other rails in place of dead ports. */
    void UseOtherRails();
    /** Launches an attempt on servers. @param done iterations that it continues from */
    void Launch(const ParallelismPlan& plan,
                const std::vector<uint32_t>& servers,
                uint32_t done,
                const std::string& policy);
    /** Copies state, as the last recovery needs it. */
    void Copy();
    /** Starts the ranks of an attempt, and watches them. @param after the time from now */
    void Begin(JobAttempt& attempt, Time after);
    /** @return the helper of the next attempt */
    TrainingJobHelper MakeHelper(const ParallelismPlan& plan, const std::string& policy) const;
    /** @return why a recovery can't be carried out; empty: it can */
    std::string FindWhyNot(const Recovery& recovery) const;
    /** @return the hosts of servers */
    NodeContainer SelectHosts(const std::vector<uint32_t>& servers) const;

    /** The monitor has a diagnosis. */
    void Diagnosed(const FailureDiagnosis& diagnosis);
    /** Notes GPUs that the signs did not tell apart, and servers that turn out to be right. */
    void ResolveTies(const FailureDiagnosis& diagnosis);
    /** The reaction decides. */
    void Decide();
    /** All ranks have been stopped. */
    void Stopped();
    /** Notes an outage, or the circuits that make up for it. */
    void NoteOutage(uint32_t attempt, const ControllerNote& note);
    /** A controller of an attempt has decided. */
    void HandleDecision(uint32_t attempt, const ControllerNote& note);
    /** The circuits of the attempt are down. */
    void TakenDown();
    /** All ranks of an attempt have ended. */
    void Ended(uint32_t attempt);
    /** Notes a fault that ends what it hits, for the records. */
    void NoteIfEnding(const Fault& fault);
    /** @return the earliest noted fault of servers, or else of any; none: none is noted */
    std::optional<Time> FindFault(const std::set<uint32_t>& servers) const;
    /** A fault of the injector begins. */
    void HandleFault(const Fault& fault, const std::string& outcome);
    /** Ends the agent and the links of a server that is lost. */
    void Disconnect(uint32_t server);
    /** A fault of the injector ends. */
    void HandleRepair(const Fault& fault, const std::string& outcome);
    /** The controller of an attempt has returned all ports. */
    void Returned(uint32_t attempt);
    /** State has been copied. */
    void Copied();
    /** Keeps the times of the iterations of an attempt that is over. */
    void CollectIterations(const JobAttempt& attempt);
    /** A rank has ended an operation. */
    void OperationEnded(uint32_t attempt, const OperationRecord& record);
    /** The job ends. */
    void End(State state, const std::string& why);
    /** Ends the control plane of an attempt. */
    static void StopPlane(const JobAttempt& attempt);
    /** Changes the state. */
    void Change(State state);

    Time m_launchTime;
    Time m_decisionTime;
    Time m_returnLimit;
    Time m_healthLatency;
    uint32_t m_serversPerRack;
    uint32_t m_mostRecoveries;
    std::vector<Rail> m_rails;
    Ptr<FailureReaction> m_reaction;
    ObjectFactory m_agentFactory;
    ObjectFactory m_monitorFactory;
    TrainingJobHelper m_helper;
    uint32_t m_iterations{0}; //!< of the whole job
    CheckpointNetwork m_checkpointNetwork{CheckpointNetwork::RAILS};
    uint32_t m_checkpoints{0};
    ServerHealth m_health;
    Ptr<FaultInjector> m_injector;
    State m_state{State::READY};
    std::string m_why;
    std::deque<JobAttempt> m_attempts;
    std::deque<RecoveryRecord> m_recoveries;
    std::vector<RailOutage> m_outages;
    std::size_t m_training{0};                     //!< the last attempt that trained, in m_attempts
    std::set<GpuPlace> m_left;                     //!< tied, and left in the job
    std::map<uint32_t, std::set<GpuPlace>> m_ties; //!< by the server that was taken: the others
    std::set<uint32_t> m_unusable;                 //!< servers that were lost
    std::map<uint32_t, Time> m_faults;             //!< noted since the last diagnosis, by server
    std::vector<Time> m_durations; //!< of the iterations that have ended and were not lost
    Time m_ended{0};               //!< the end of the job
    EventId m_limit;
    EventId m_next; //!< the next step of a recovery
    TracedCallback<State> m_stateChanged;
};

/** @return the name of a state in lower case */
const char* ToString(RecoveringJob::State state);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECOVERING_JOB_H */
