/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recovering-job.h"

#include "other-rail-settings.h"
#include "state-copy-job.h"

#include "ns3/abort.h"
#include "ns3/attribute-check.h"
#include "ns3/boolean.h"
#include "ns3/fault-targets.h"
#include "ns3/log.h"
#include "ns3/opus-shim-app.h"
#include "ns3/phase-history.h"
#include "ns3/rdma-engine.h"
#include "ns3/reaction-names.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-aliases.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RecoveringJob");
NS_OBJECT_ENSURE_REGISTERED(RecoveringJob);

namespace
{

/** Halts the ranks of a run that have not ended. */
void
HaltAll(const JobRun& run, const std::string& why)
{
    for (uint32_t rank = 0; rank < run.applications.GetN(); ++rank)
    {
        const Ptr<CollectiveApplication> application = run.collectives->Get(rank);
        if (!application->IsOver())
        {
            application->EndProcess(false);
            application->GetNode()->GetObject<RdmaEngine>()->Reset(why);
        }
    }
}

/** What runs on a GPU or a server of a job, at the instant of a fault. */
class RecoveringTargets : public FaultTargets
{
  public:
    /** @param job that outlives it */
    explicit RecoveringTargets(const RecoveringJob* job)
        : m_job(job)
    {
    }

    Ptr<CollectiveApplication> FindRank(uint32_t server, uint32_t gpu) const override
    {
        const JobAttempt* attempt = m_job->FindAttempt();
        return attempt == nullptr ? nullptr : attempt->FindRank(server, gpu);
    }

    std::vector<Ptr<OpusShimApp>> FindShims(uint32_t server) const override
    {
        const JobAttempt* attempt = m_job->FindAttempt();
        return attempt == nullptr ? std::vector<Ptr<OpusShimApp>>()
                                  : attempt->FindShims(m_job->GetHealth().servers.Get(server));
    }

  private:
    const RecoveringJob* m_job;
};

} // namespace

const char*
ToString(RecoveringJob::State state)
{
    switch (state)
    {
    case RecoveringJob::State::READY:
        return "ready";
    case RecoveringJob::State::TRAINING:
        return "training";
    case RecoveringJob::State::DECIDING:
        return "deciding";
    case RecoveringJob::State::STOPPING:
        return "stopping";
    case RecoveringJob::State::TAKING_DOWN:
        return "taking down";
    case RecoveringJob::State::COPYING:
        return "copying";
    case RecoveringJob::State::DONE:
        return "done";
    case RecoveringJob::State::FAILED:
        return "failed";
    }
    return "unknown";
}

TypeId
RecoveringJob::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RecoveringJob")
            .SetParent<Object>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RecoveringJob>()
            .AddAttribute("LaunchTime",
                          "From the launch of an attempt to the start of its ranks: what programs "
                          "and libraries take to start.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RecoveringJob::m_launchTime),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("DecisionTime",
                          "From a diagnosis to the decision of the reaction.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RecoveringJob::m_decisionTime),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("ReturnLimit",
                          "The longest time in which circuits of a stopped attempt are taken down. "
                          "After it the job goes on, and those that are left are refused to it.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&RecoveringJob::m_returnLimit),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute(
                "HealthLatency",
                "Latency of the network of heartbeats from node to node, in one direction.",
                TimeValue(MicroSeconds(10)),
                MakeTimeAccessor(&RecoveringJob::m_healthLatency),
                MakeTimeChecker(TimeStep(3)))
            .AddAttribute("ServersPerRack",
                          "Consecutive servers of a rack; 0: all are in one.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RecoveringJob::m_serversPerRack),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MostRecoveries",
                          "Failures after which the job goes on, at most.",
                          UintegerValue(40),
                          MakeUintegerAccessor(&RecoveringJob::m_mostRecoveries),
                          MakeUintegerChecker<uint32_t>(0, 50))
            .AddTraceSource("StateChanged",
                            "The job has another state.",
                            MakeTraceSourceAccessor(&RecoveringJob::m_stateChanged),
                            "ns3::RecoveringJob::StateCallback");
    return tid;
}

RecoveringJob::RecoveringJob()
{
    NS_LOG_FUNCTION(this);
    m_agentFactory.SetTypeId(HealthAgent::GetTypeId());
    m_monitorFactory.SetTypeId(HealthMonitor::GetTypeId());
    SetReaction("splice");
}

RecoveringJob::~RecoveringJob()
{
    NS_LOG_FUNCTION(this);
}

void
RecoveringJob::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_limit.Cancel();
    m_next.Cancel();
    if (m_injector)
    {
        m_injector->TraceDisconnectWithoutContext("FaultBegan",
                                                  MakeCallback(&RecoveringJob::HandleFault, this));
        m_injector->TraceDisconnectWithoutContext("FaultEnded",
                                                  MakeCallback(&RecoveringJob::HandleRepair, this));
        m_injector->Stop();
        m_injector->SetTargets(nullptr);
    }
    m_attempts.clear();
    m_rails.clear();
    m_health = {};
    m_reaction = nullptr;
    m_injector = nullptr;
    Object::DoDispose();
}

void
RecoveringJob::SetRails(const std::vector<Rail>& rails)
{
    NS_LOG_FUNCTION(this << rails.size());
    RequireEqualRails(rails, "RecoveringJob");
    m_rails = rails;
}

void
RecoveringJob::SetReaction(const std::string& reaction)
{
    NS_LOG_FUNCTION(this << reaction);
    m_reaction = GetReactionAliases().MakeFactory(reaction).Create<FailureReaction>();
}

void
RecoveringJob::SetAgentAttribute(const std::string& name, const AttributeValue& value)
{
    SetCheckedAttributes(m_agentFactory, name, value);
}

void
RecoveringJob::SetMonitorAttribute(const std::string& name, const AttributeValue& value)
{
    SetCheckedAttributes(m_monitorFactory, name, value);
}

void
RecoveringJob::Install(const TrainingJobHelper& helper, const std::vector<uint32_t>& servers)
{
    NS_LOG_FUNCTION(this << servers.size());
    SimulationProcesses::RequireOne("jobs that go on after failures");
    NS_ABORT_MSG_IF(m_rails.empty(), "RecoveringJob: it has no rails; call SetRails() first");
    NS_ABORT_MSG_UNLESS(m_state == State::READY && m_attempts.empty(),
                        "RecoveringJob: it is installed already; make another one");
    const TrainingTask task = helper.MakeTask();
    const uint32_t all = m_rails[0].GetGpus();
    const uint32_t needed = task.plan.GetRanks() / task.plan.scaleUp;
    NS_ABORT_MSG_UNLESS(task.plan.scaleUp == m_rails.size(),
                        "RecoveringJob: the plan is for servers of "
                            << task.plan.scaleUp << " GPUs, and there are " << m_rails.size()
                            << " rails; plan for servers of " << m_rails.size());
    NS_ABORT_MSG_UNLESS(servers.size() == needed,
                        "RecoveringJob: the plan needs " << needed << " servers, and "
                                                         << servers.size() << " are given; name "
                                                         << needed << " of the " << all);
    for (const uint32_t server : servers)
    {
        NS_ABORT_MSG_UNLESS(server < all && std::count(servers.begin(), servers.end(), server) == 1,
                            "RecoveringJob: server " << server << " is not one of " << all
                                                     << ", or is given twice; give each of 0 to "
                                                     << all - 1 << " once at most");
    }
    m_helper = helper;
    m_helper.GetOpus().SetControllerAttribute("TakeDownAtEnd", BooleanValue(true));
    m_helper.GetCollectives().SetAttribute("AbortOnFailure", BooleanValue(false));
    if (m_reaction->GetInPlace() == FailureReaction::InPlace::RINGS)
    {
        m_helper.GetOpus().SetShimAttribute("WhenGivenUp", StringValue("Ring"));
        m_helper.GetOpus().SetControllerAttribute("Fallback", StringValue("GiantRing"));
    }
    if (m_reaction->GetInPlace() == FailureReaction::InPlace::OTHER_RAILS)
    {
        UseOtherRails();
    }
    m_iterations = task.iterations;
    m_checkpoints = task.checkpointInterval;
    m_checkpointNetwork = task.checkpointNetwork;
    m_health = ServerHealth::Make(m_rails, m_healthLatency, m_agentFactory, m_monitorFactory);
    m_helper.GetOpus().SetControllerNodes(NodeContainer(m_health.head));
    m_injector = CreateObject<FaultInjector>();
    m_injector->SetRails(m_rails);
    m_injector->SetTargets(CreateObject<RecoveringTargets>(this));
    m_injector->TraceConnectWithoutContext("FaultBegan",
                                           MakeCallback(&RecoveringJob::HandleFault, this));
    m_injector->TraceConnectWithoutContext("FaultEnded",
                                           MakeCallback(&RecoveringJob::HandleRepair, this));
    Launch(task.plan, servers, 0, "");
}

void
RecoveringJob::UseOtherRails()
{
    const bool isElectrical = !m_rails.front().GetOpticalSwitch();
    NS_ABORT_MSG_IF(isElectrical || !m_helper.AllowsDetours(),
                    "RecoveringJob: the reaction other-rail can't move traffic of the policy "
                        << m_helper.GetPolicy()
                        << ", whose circuits, if it has any, don't depend on which ports have "
                           "light; use on-demand, provisioned or co-scheduled");
    NS_ABORT_MSG_IF(m_rails.size() < 2,
                    "RecoveringJob: the reaction other-rail needs another rail, and servers have "
                    "1 GPU each; give them 2 or more, and as many rails");
    m_agentFactory.Set("ReportsQueuePairs", BooleanValue(false)); // ranks send again
    OtherRailSettings settings;
    settings.detectAfter = m_reaction->GetDetection();
    settings.receiptLatency = m_reaction->GetReceiptLatency();
    settings.hasLinkUpTime = m_rails.front().GetNic(0)->HasLinkUpTime();
    settings.Apply(m_helper.GetOpus(), m_helper.GetRdma(), m_helper.GetCollectives());
}

void
RecoveringJob::Change(State state)
{
    NS_LOG_INFO("the job is " << ToString(state));
    m_state = state;
    m_stateChanged(state);
}

NodeContainer
RecoveringJob::SelectHosts(const std::vector<uint32_t>& servers) const
{
    NodeContainer hosts;
    for (const uint32_t server : servers)
    {
        hosts.Add(m_health.servers.Get(server));
    }
    return hosts;
}

TrainingJobHelper
RecoveringJob::MakeHelper(const ParallelismPlan& plan, const std::string& policy) const
{
    TrainingJobHelper helper = m_helper;
    helper.SetParallelismPlan(plan);
    if (!policy.empty())
    {
        helper.SetPolicy(policy);
    }
    helper.GetOpus().SetNetworkNumber(m_attempts.size()); // each attempt has a control plane
    return helper;
}

void
RecoveringJob::Launch(const ParallelismPlan& plan,
                      const std::vector<uint32_t>& servers,
                      uint32_t done,
                      const std::string& policy)
{
    NS_LOG_FUNCTION(this << servers.size() << done << policy);
    TrainingJobHelper helper = MakeHelper(plan, policy);
    helper.SetIterations(m_iterations - done);
    helper.SetCheckpoints(servers.size() > 1 ? m_checkpoints : 0, done > 0); // on other servers
    JobAttempt attempt;
    attempt.number = m_attempts.size() + 1;
    attempt.servers = servers;
    attempt.plan = plan;
    attempt.doneBefore = done;
    const Ptr<TrainingRun> run = helper.Prepare(m_rails[0].GetPortsPerGpu());
    helper.InstallPrepared(run, SelectRails(m_rails, servers), SelectHosts(servers));
    attempt.run = run;
    m_training = m_attempts.size();
    m_attempts.push_back(attempt);
    if (!m_recoveries.empty())
    {
        m_recoveries.back().started = Simulator::Now() + m_launchTime;
    }
    Begin(m_attempts.back(), m_launchTime);
    Change(State::TRAINING);
}

void
RecoveringJob::Copy()
{
    const RecoveryRecord& record = m_recoveries.back();
    JobAttempt attempt;
    attempt.number = m_attempts.size() + 1;
    attempt.isCopy = true;
    attempt.servers = ListServers(record.state.moves);
    TrainingJobHelper helper = MakeHelper(m_attempts[m_training].plan, record.recovery.policy);
    attempt.run = helper.InstallOther(
        MakeStateCopyJob(record.state.moves, attempt.servers, m_rails.size(), m_checkpointNetwork),
        SelectRails(m_rails, attempt.servers),
        SelectHosts(attempt.servers));
    m_attempts.push_back(attempt);
    Begin(m_attempts.back(), TimeStep(1)); // by processes that run
    Change(State::COPYING);
}

void
RecoveringJob::Begin(JobAttempt& attempt, Time after)
{
    const uint32_t number = attempt.number;
    attempt.start = Simulator::Now() + after;
    attempt.run->Launch(
        after,
        [this, number]() { Ended(number); },
        MakeCallback(&RecoveringJob::HandleDecision, this).Bind(number));
    if (!attempt.isCopy && attempt.GetTraining()->GetJob().GetTask().checkpointInterval > 0)
    {
        attempt.run->collectives->TraceConnect(
            "OperationEnded",
            MakeCallback(&RecoveringJob::OperationEnded, this).Bind(number));
    }
    for (const uint32_t server : attempt.servers)
    {
        std::map<uint32_t, Ptr<CollectiveApplication>> ranks;
        for (uint32_t gpu = 0; gpu < m_rails.size(); ++gpu)
        {
            ranks[gpu] = attempt.FindRank(server, gpu);
        }
        m_health.agents[server]->Watch(number, ranks);
        for (const auto& [gpu, rank] : ranks)
        {
            m_injector->ApplyTo(server, gpu, rank);
        }
    }
    for (const Fault& fault :
         m_injector->GetActive()) // such as of a spare, which nothing has found
    {
        NoteIfEnding(fault);
    }
    m_health.monitor->Watch(number,
                            {attempt.servers.begin(), attempt.servers.end()},
                            m_left,
                            [this](const FailureDiagnosis& found) { Diagnosed(found); });
}

void
RecoveringJob::OperationEnded(uint32_t number, const OperationRecord& record)
{
    if (record.call.checkpoint)
    {
        CheckpointEnds& ends = m_attempts.at(number - 1).checkpoints[*record.call.checkpoint];
        ++ends.ranks;
        ends.last = Simulator::Now();
    }
}

void
RecoveringJob::Diagnosed(const FailureDiagnosis& diagnosis)
{
    NS_LOG_FUNCTION(this << diagnosis.words);
    if (m_state != State::TRAINING && m_state != State::COPYING)
    {
        return;
    }
    RecoveryRecord record;
    record.attempt = m_attempts.back().number;
    record.signs = m_health.monitor->GetSigns();
    record.diagnosis = diagnosis;
    record.failed = FindFault(diagnosis.servers);
    m_faults.clear();
    record.firstSign = record.signs.front().received;
    record.diagnosed = Simulator::Now();
    m_recoveries.push_back(record);
    m_attempts.back().hasFailed = true;
    m_unusable.insert(diagnosis.servers.begin(), diagnosis.servers.end());
    ResolveTies(diagnosis);
    Change(State::DECIDING);
    m_next = Simulator::Schedule(m_decisionTime, &RecoveringJob::Decide, this);
}

void
RecoveringJob::ResolveTies(const FailureDiagnosis& diagnosis)
{
    for (const GpuPlace& gpu : diagnosis.gpus)
    {
        if (m_left.erase(gpu) > 0)
        {
            // it was that one: what was taken in its place is a spare again
            for (const auto& [taken, tied] : m_ties)
            {
                if (tied.count(gpu) > 0)
                {
                    m_unusable.erase(taken);
                }
            }
        }
    }
    if (!diagnosis.tied.empty())
    {
        m_left.insert(diagnosis.tied.begin(), diagnosis.tied.end());
        m_ties[*diagnosis.servers.begin()] = diagnosis.tied;
    }
}

std::vector<uint32_t>
RecoveringJob::ListSpares() const
{
    const std::vector<uint32_t>& taken =
        m_attempts.empty() ? std::vector<uint32_t>() : m_attempts[m_training].servers;
    std::vector<uint32_t> spares;
    for (uint32_t server = 0; server < m_health.agents.size(); ++server)
    {
        if (m_unusable.count(server) == 0 && m_health.monitor->IsPresent(server) &&
            std::find(taken.begin(), taken.end(), server) == taken.end())
        {
            spares.push_back(server);
        }
    }
    return spares;
}

void
RecoveringJob::Decide()
{
    NS_LOG_FUNCTION(this);
    if (m_state != State::DECIDING)
    {
        return; // it has ended
    }
    RecoveryRecord& record = m_recoveries.back();
    const JobAttempt& former = m_attempts[m_training];
    FailureCase failure;
    failure.plan = former.plan;
    failure.servers = former.servers;
    failure.serversPerRack = m_serversPerRack;
    failure.spares = ListSpares();
    for (const uint32_t server : former.servers)
    {
        if (m_unusable.count(server) > 0)
        {
            failure.lost.insert(server);
        }
    }
    record.recovery = m_reaction->Decide(failure);
    if (record.recovery.goesOn && m_recoveries.size() > m_mostRecoveries)
    {
        record.recovery.goesOn = false;
        record.recovery.why = "it has failed " + std::to_string(m_recoveries.size()) +
                              " times, and MostRecoveries is " + std::to_string(m_mostRecoveries);
    }
    if (record.recovery.goesOn)
    {
        const std::string whyNot = FindWhyNot(record.recovery);
        record.recovery.goesOn = whyNot.empty();
        record.recovery.why = whyNot.empty() ? record.recovery.why : whyNot;
    }
    if (record.recovery.goesOn)
    {
        const TrainingTask& task = former.GetTraining()->GetJob().GetTask();
        record.state =
            PlanStateMoves(task, failure, record.recovery, former.FindCheckpoint().has_value());
    }
    record.decided = Simulator::Now();
    NS_LOG_INFO((record.recovery.goesOn ? "the job goes on: " : "the job ends: ")
                << record.recovery.why);
    Change(State::STOPPING);
    m_health.monitor->Stop([this]() { Stopped(); });
}

std::string
RecoveringJob::FindWhyNot(const Recovery& recovery) const
{
    const uint32_t all = m_rails[0].GetGpus();
    const std::set<uint32_t> once(recovery.servers.begin(), recovery.servers.end());
    const uint32_t needed = recovery.plan.GetRanks() / recovery.plan.scaleUp;
    if (once.size() != needed || recovery.servers.size() != needed || *once.rbegin() >= all ||
        recovery.formerPlace.size() != needed)
    {
        return "the reaction names " + std::to_string(recovery.servers.size()) +
               " servers, and the plan needs " + std::to_string(needed) + " of 0 to " +
               std::to_string(all - 1) + ", each once, with a former place each";
    }
    const TrainingJobHelper helper = MakeHelper(recovery.plan, recovery.policy);
    if (helper.IsElectrical() == (m_rails[0].GetOpticalSwitch() != nullptr))
    {
        return "the reaction needs the policy " + recovery.policy +
               ", which rails of packet switches do not have";
    }
    return helper.FindWhyNot(m_rails[0].GetPortsPerGpu());
}

void
RecoveringJob::Stopped()
{
    NS_LOG_FUNCTION(this);
    JobAttempt& attempt = m_attempts.back();
    RecoveryRecord& record = m_recoveries.back();
    record.stopped = Simulator::Now();
    attempt.end = Simulator::Now();
    m_health.monitor->Release();
    Change(State::TAKING_DOWN);
    const OpusControlPlane& plane = attempt.run->plane;
    if (!plane.controller)
    {
        TakenDown();
        return;
    }
    m_limit = Simulator::Schedule(m_returnLimit, &RecoveringJob::TakenDown, this);
    const std::string why = "the job was stopped: " + record.diagnosis.words;
    plane.controller->Abandon(why);
    if (plane.standby) // on another node
    {
        Simulator::ScheduleWithContext(plane.standby->GetNode()->GetId(),
                                       m_healthLatency,
                                       &OpusControllerApp::Abandon,
                                       plane.standby,
                                       why);
    }
}

void
RecoveringJob::NoteOutage(uint32_t attempt, const ControllerNote& note)
{
    const OpusPhase flow = GetFlowKey(note.phase);
    if (note.kind == ControllerNote::Kind::OUTAGE)
    {
        m_outages.push_back({attempt, flow, note.words, note.when, std::nullopt});
        return;
    }
    for (RailOutage& outage : m_outages)
    {
        if (outage.attempt == attempt && outage.flow == flow && !outage.goesOn)
        {
            outage.goesOn = note.when;
        }
    }
}

void
RecoveringJob::HandleDecision(uint32_t number, const ControllerNote& note)
{
    if (note.kind == ControllerNote::Kind::OUTAGE || note.kind == ControllerNote::Kind::GRANTED)
    {
        NoteOutage(number, note);
    }
    if (number != m_attempts.back().number || note.kind != ControllerNote::Kind::RETURNED)
    {
        return;
    }
    if (m_state == State::TAKING_DOWN || m_state == State::COPYING)
    {
        // behind the controller's event
        m_next = Simulator::Schedule(TimeStep(1), &RecoveringJob::Returned, this, number);
    }
}

void
RecoveringJob::Returned(uint32_t number)
{
    if (number != m_attempts.back().number)
    {
        return;
    }
    if (m_state == State::TAKING_DOWN)
    {
        TakenDown();
    }
    else if (m_state == State::COPYING && m_attempts.back().hasEnded)
    {
        Copied();
    }
}

void
RecoveringJob::Copied()
{
    RecoveryRecord& record = m_recoveries.back();
    StopPlane(m_attempts.back());
    record.copied = Simulator::Now();
    Launch(record.recovery.plan, record.recovery.servers, record.doneAfter, record.recovery.policy);
}

void
RecoveringJob::StopPlane(const JobAttempt& attempt)
{
    for (const Ptr<OpusEndpoint>& endpoint : attempt.run->plane.GetEndpoints())
    {
        endpoint->Crash();
    }
    attempt.run->hosts.EndProcesses();
}

void
RecoveringJob::CollectIterations(const JobAttempt& attempt)
{
    const Ptr<TrainingRun> run = attempt.GetTraining();
    if (!run)
    {
        return;
    }
    m_durations.resize(attempt.doneBefore);
    for (uint32_t i = 1; i <= run->GetIterations(); ++i)
    {
        m_durations.push_back(run->GetEnd(i) - (i == 1 ? attempt.start : run->GetEnd(i - 1)));
    }
    if (run->GetIterations() > 0)
    {
        for (RecoveryRecord& record : m_recoveries)
        {
            if (record.started == attempt.start)
            {
                record.firstIteration = run->GetEnd(1);
            }
        }
    }
    run->StopObserving();
}

void
RecoveringJob::TakenDown()
{
    NS_LOG_FUNCTION(this);
    m_limit.Cancel();
    RecoveryRecord& record = m_recoveries.back();
    record.takenDown = Simulator::Now();
    StopPlane(m_attempts.back());
    JobAttempt& former = m_attempts[m_training];
    if (&former == &m_attempts.back())
    {
        CollectIterations(former);
    }
    record.doneBefore = former.doneBefore + former.GetTraining()->GetIterations();
    if (!record.recovery.goesOn)
    {
        End(State::FAILED, record.recovery.why);
        return;
    }
    record.doneAfter = record.state.from == StatePlan::From::LAST_ITERATION ? record.doneBefore
                       : record.state.from == StatePlan::From::CHECKPOINT ? *former.FindCheckpoint()
                                                                          : 0;
    const uint32_t kept = record.doneAfter - std::min(record.doneAfter, former.doneBefore);
    const Time since = record.doneAfter < former.doneBefore || kept == 0
                           ? former.start
                           : former.GetTraining()->GetEnd(kept);
    record.lostWork = std::max(Time(0), record.GetBegin() - since); // before a start there is none
    for (uint32_t i = record.doneAfter; i < former.doneBefore; ++i)
    {
        record.lostWork += m_durations[i]; // of earlier attempts
    }
    m_durations.resize(std::min<std::size_t>(m_durations.size(), record.doneAfter));
    if (record.doneAfter >= m_iterations)
    {
        End(State::DONE, ""); // the last iteration had ended
        return;
    }
    if (record.state.moves.empty())
    {
        record.copied = Simulator::Now();
        Launch(record.recovery.plan,
               record.recovery.servers,
               record.doneAfter,
               record.recovery.policy);
        return;
    }
    Copy();
}

void
RecoveringJob::Ended(uint32_t number)
{
    NS_LOG_FUNCTION(this << number);
    JobAttempt& attempt = m_attempts.at(number - 1);
    if (attempt.number != m_attempts.back().number || attempt.hasFailed)
    {
        return;
    }
    attempt.hasEnded = true;
    attempt.end = Simulator::Now();
    m_health.monitor->Release();
    for (const uint32_t server : attempt.servers)
    {
        m_health.agents[server]->Release();
    }
    if (!attempt.isCopy)
    {
        CollectIterations(attempt);
        End(State::DONE, "");
        return;
    }
    const OpusTimes times = attempt.run->plane.GetTimes();
    m_recoveries.back().copyWaits = times.exposed;
    m_recoveries.back().copyLinkUp = times.exposedLinkUp;
    if (!attempt.run->plane.controller || m_checkpointNetwork == CheckpointNetwork::HOSTS)
    {
        m_next = Simulator::Schedule(TimeStep(1), &RecoveringJob::Copied, this);
    }
}

void
RecoveringJob::End(State state, const std::string& why)
{
    NS_LOG_FUNCTION(this << ToString(state) << why);
    m_why = why;
    m_ended = Simulator::Now();
    m_health.Stop();
    // a fault of this instant begins, whatever the order of events
    Simulator::Schedule(TimeStep(1), &FaultInjector::Stop, m_injector);
    for (const JobAttempt& attempt : m_attempts)
    {
        HaltAll(*attempt.run, "the job is over");
    }
    Change(state);
}

void
RecoveringJob::NoteFault(uint32_t server)
{
    const JobAttempt* attempt = FindAttempt();
    if (attempt != nullptr && !attempt->hasFailed && !attempt->hasEnded &&
        attempt->FindPlace(server))
    {
        m_faults.emplace(server, Simulator::Now()); // unless there is an earlier one
    }
}

const JobAttempt*
RecoveringJob::FindAttempt() const
{
    return m_attempts.empty() ? nullptr : &m_attempts.back();
}

void
RecoveringJob::LoseGpu(uint32_t server, uint32_t gpu)
{
    NS_LOG_FUNCTION(this << server << gpu);
    Fault fault;
    fault.kind = FaultKind::GPU_FAILURE;
    fault.at = Simulator::Now();
    fault.server = server;
    fault.gpu = gpu;
    m_injector->Add(fault);
}

void
RecoveringJob::LoseServer(uint32_t server)
{
    NS_LOG_FUNCTION(this << server);
    Fault fault;
    fault.kind = FaultKind::SERVER_LOSS;
    fault.at = Simulator::Now();
    fault.server = server;
    m_injector->Add(fault);
}

void
RecoveringJob::Disconnect(uint32_t server)
{
    m_health.Lose(server);
    const JobAttempt* attempt = FindAttempt();
    const Ptr<Node> host = m_health.servers.Get(server);
    if (attempt != nullptr && !attempt->FindShims(host).empty())
    {
        attempt->run->plane.network.Cut(host);
    }
    const auto place = attempt == nullptr ? std::nullopt : attempt->FindPlace(server);
    if (place && attempt->run->hosts.router)
    {
        attempt->run->hosts.Cut(*place);
    }
}

void
RecoveringJob::NoteIfEnding(const Fault& fault)
{
    static const std::set<FaultKind> ofServers{FaultKind::GPU_FAILURE,
                                               FaultKind::SERVER_LOSS,
                                               FaultKind::FIBER_CUT,
                                               FaultKind::NIC_PORT_DOWN,
                                               FaultKind::NIC_PORT_FLAPPING};
    const JobAttempt* attempt = FindAttempt();
    if (ofServers.count(fault.kind) > 0) // others make a server slower
    {
        NoteFault(fault.server);
    }
    else if (fault.kind == FaultKind::OCS_DOWN && attempt != nullptr) // servers have all rails
    {
        for (const uint32_t server : attempt->servers)
        {
            NoteFault(server);
        }
    }
}

std::optional<Time>
RecoveringJob::FindFault(const std::set<uint32_t>& servers) const
{
    std::optional<Time> first;
    std::optional<Time> ofServers;
    for (const auto& [server, at] : m_faults)
    {
        first = first ? std::min(*first, at) : at;
        if (servers.count(server) > 0)
        {
            ofServers = ofServers ? std::min(*ofServers, at) : at;
        }
    }
    return ofServers ? ofServers : first; // signs may point to the wrong server
}

void
RecoveringJob::HandleFault(const Fault& fault, const std::string& outcome)
{
    NS_LOG_FUNCTION(this << fault << outcome);
    NoteIfEnding(fault);
    if (fault.kind == FaultKind::SERVER_LOSS)
    {
        Disconnect(fault.server);
    }
}

void
RecoveringJob::HandleRepair(const Fault& fault, const std::string& outcome)
{
    NS_LOG_FUNCTION(this << fault << outcome);
    if (fault.kind == FaultKind::SERVER_LOSS && !m_injector->IsServerLost(fault.server))
    {
        m_health.Repair(fault.server);
    }
    if (UsesOf(fault.kind).server)
    {
        m_unusable.erase(fault.server); // if something is still wrong, it is found again
    }
}

uint32_t
RecoveringJob::GetIterations() const
{
    if (m_state == State::DONE || m_state == State::FAILED || m_attempts.empty())
    {
        return m_durations.size();
    }
    const JobAttempt& attempt = m_attempts[m_training];
    return attempt.doneBefore + attempt.GetTraining()->GetIterations();
}

Time
RecoveringJob::GetUsefulTime() const
{
    Time sum(0);
    for (const Time& duration : m_durations)
    {
        sum += duration;
    }
    return sum;
}

Time
RecoveringJob::GetElapsed() const
{
    if (m_attempts.empty())
    {
        return Time(0);
    }
    const bool isOver = m_state == State::DONE || m_state == State::FAILED;
    return (isOver ? m_ended : Simulator::Now()) - m_attempts.front().start;
}

double
RecoveringJob::GetGoodput() const
{
    const Time elapsed = GetElapsed();
    return elapsed.IsZero()
               ? 0
               : static_cast<double>(GetUsefulTime().GetTimeStep()) / elapsed.GetTimeStep();
}

RailAudit
RecoveringJob::GetAudit() const
{
    RailAudit audit;
    for (const Rail& rail : m_rails)
    {
        audit.Add(rail);
    }
    for (const JobAttempt& attempt : m_attempts)
    {
        audit.Add(attempt.run->applications);
    }
    return audit;
}

} // namespace ns3
