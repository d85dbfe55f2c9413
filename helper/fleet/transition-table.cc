/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transition-table.h"

#include "ns3/abort.h"
#include "ns3/fidelity-option.h"
#include "ns3/fold-option.h"
#include "ns3/log.h"
#include "ns3/scenario.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("TransitionTable");

namespace
{

/** @return the form of a simulated job before its transition: of GROW the same as after it */
FleetForm
FormBefore(const FleetTransitionCase& transition)
{
    return {transition.replicas + (transition.step == FleetStep::GROW ? 1 : 0), false};
}

/** @return the form of a job after a transition */
FleetForm
FormAfter(const FleetTransitionCase& transition)
{
    FleetForm form = FormBefore(transition);
    form.replicas -= transition.step == FleetStep::SHRINK ? 1 : 0;
    form.isDetoured = transition.step == FleetStep::DETOUR;
    return form;
}

/** @return the servers that a simulated transition needs in reserve */
uint32_t
CountReserve(const FleetTransitionCase& transition, uint32_t stages)
{
    switch (transition.step)
    {
    case FleetStep::MOVE:
        return transition.replicas * stages;
    case FleetStep::GROW:
        return stages;
    case FleetStep::SHRINK:
        return 0;
    default:
        return 2; // a second one, if the first diagnosis takes a wrong server
    }
}

/** @return the server of a stage of the first replica */
uint32_t
FindServer(const ParallelismPlan& plan, uint32_t stage)
{
    NS_ABORT_MSG_UNLESS(stage < plan.pp,
                        "TransitionTable: stage " << stage << " of a pipeline of " << plan.pp
                                                  << "; give 0 to " << plan.pp - 1);
    const RankLayout layout(plan);
    uint32_t rank = 0;
    while (layout.GetPlace(rank, Parallelism::PIPELINE) != stage ||
           layout.GetPlace(rank, Parallelism::SHARD) != 0)
    {
        rank += plan.scaleUp;
    }
    return layout.GetServer(rank);
}

/** @return whether a fault ends the light of a port, and nothing else */
bool
IsOfLight(FaultKind kind)
{
    return kind == FaultKind::FIBER_CUT || kind == FaultKind::NIC_PORT_DOWN ||
           kind == FaultKind::NIC_PORT_FLAPPING;
}

/** @return the reaction that simulates a step */
std::string
ReactionOf(FleetStep step)
{
    return step == FleetStep::GROW ? "splice" : ToString(step);
}

} // namespace

TransitionTable::TransitionTable(const FleetTraining& training, uint32_t mostReplicas)
    : m_training(training),
      m_mostReplicas(mostReplicas)
{
    NS_ABORT_MSG_IF(mostReplicas < 2,
                    "TransitionTable: transitions with " << mostReplicas
                                                         << " replicas at most; give 2 or more");
}

FleetIteration
TransitionTable::GetIteration(const FleetForm& form)
{
    return GetCalm(Limit(form)).steady;
}

Time
TransitionTable::GetFirstIteration(const FleetForm& form)
{
    return GetCalm(Limit(form)).first;
}

std::map<FleetForm, FleetIteration>
TransitionTable::GetIterations() const
{
    std::map<FleetForm, FleetIteration> iterations;
    for (const auto& [form, calm] : m_iterations)
    {
        iterations.emplace(form, calm.steady);
    }
    return iterations;
}

FleetForm
TransitionTable::Limit(const FleetForm& form) const
{
    return {std::min(form.replicas, m_mostReplicas), form.isDetoured};
}

const TransitionTable::Calm&
TransitionTable::GetCalm(const FleetForm& form)
{
    const auto found = m_iterations.find(form);
    return found != m_iterations.end()
               ? found->second
               : m_iterations.emplace(form, SimulateIterations(form)).first->second;
}

FleetTransition
TransitionTable::GetTransition(const FleetTransitionCase& transition)
{
    FleetTransitionCase simulated = transition;
    const uint32_t more = transition.step == FleetStep::GROW ? 1 : 0;
    simulated.replicas = std::min(transition.replicas, m_mostReplicas - more);
    if (IsOfLight(transition.kind))
    {
        simulated.kind = FaultKind::NIC_PORT_DOWN;
        simulated.stage = 0;
    }
    const auto found = m_transitions.find(simulated);
    return found != m_transitions.end()
               ? found->second
               : m_transitions.emplace(simulated, SimulateTransition(simulated)).first->second;
}

TransitionTable::Calm
TransitionTable::SimulateIterations(const FleetForm& form)
{
    NS_LOG_FUNCTION(this << form.replicas << form.isDetoured);
    Scenario::ShowAction("iterations of " + std::to_string(form.replicas) + " replicas");
    // the fourth iteration follows a checkpoint, the sixth ends with one, the fifth has neither
    constexpr uint32_t INTERVAL = 3;
    const bool hasCheckpoints = form.replicas * m_training.stages > 1;
    TrainingJobHelper helper = m_training.MakeHelper(form);
    helper.SetIterations(2 * INTERVAL);
    helper.SetCheckpoints(hasCheckpoints ? INTERVAL : 0);
    const Ptr<TrainingRun> run = FoldOption().Run(helper);
    run->Require();
    const JobTally steady = run->GetIteration(2 * INTERVAL - 1);
    const JobTally before = run->GetIteration(2 * INTERVAL - 2);
    const JobTally with = run->GetIteration(2 * INTERVAL);
    Calm calm;
    calm.first = run->GetIteration(1).end;
    calm.steady.iteration = steady.end.GetTimeStep();
    calm.steady.reconfigurations = steady.reconfigurations;
    calm.steady.checkpoint =
        std::max<Picoseconds>(0, (before.end + with.end).GetTimeStep() - 2 * calm.steady.iteration);
    const uint64_t changes = before.reconfigurations + with.reconfigurations;
    calm.steady.checkpointReconfigurations =
        changes - std::min(changes, 2 * steady.reconfigurations);
    m_trains.Add(GetTrainsOf(run->rails));
    Simulator::Destroy();
    return calm;
}

FleetTransition
TransitionTable::SimulateTransition(const FleetTransitionCase& transition)
{
    NS_LOG_FUNCTION(this << ToString(transition.step) << transition.replicas);
    GetCalm(FormBefore(transition));
    GetCalm(FormAfter(transition));
    Scenario::ShowAction(std::string(ToString(transition.step)) + " of " +
                         std::to_string(transition.replicas) + " replicas");
    const uint32_t stages = IsOfLight(transition.kind) ? m_training.stages : 1;
    std::optional<FleetTransition> measured;
    std::string why;
    for (uint32_t more = 0; more < stages && !measured; ++more)
    {
        const Ptr<RecoveringJob> job = MakeJob(transition);
        const Time fault = LoseServers(*job, transition, transition.stage + more);
        Simulator::Run();
        job->GetAudit().Require();
        why = FindWhyNot(*job);
        if (why.empty())
        {
            measured = Measure(*job, transition, fault);
        }
        m_trains.Add(GetTrainsOf(job->GetRails()));
        job->Dispose();
        Simulator::Destroy();
    }
    NS_ABORT_MSG_UNLESS(measured,
                        "TransitionTable: " << ToString(transition.step) << " of "
                                            << transition.replicas << " replicas after a "
                                            << ToString(transition.kind) << ": " << why);
    return *measured;
}

Ptr<RecoveringJob>
TransitionTable::MakeJob(const FleetTransitionCase& transition) const
{
    const FleetForm before = FormBefore(transition);
    const uint32_t needed = before.replicas * m_training.stages;
    NS_ABORT_MSG_IF(needed < 2,
                    "TransitionTable: a job of one server has no checkpoint on another one; give "
                    "jobs of 2 servers or more");
    const uint32_t all = needed + CountReserve(transition, m_training.stages);
    const Ptr<RecoveringJob> job = CreateObject<RecoveringJob>();
    job->SetAttribute("LaunchTime", TimeValue(m_training.launch));
    job->SetAttribute("ServersPerRack",
                      UintegerValue(transition.step == FleetStep::MOVE ? needed : all));
    job->SetRails(m_training.MakeRails(all));
    job->SetReaction(ReactionOf(transition.step));
    TrainingJobHelper helper = m_training.MakeHelper(before);
    helper.SetIterations(3);
    helper.SetCheckpoints(1);
    std::vector<uint32_t> servers(needed);
    std::iota(servers.begin(), servers.end(), 0);
    job->Install(helper, servers);
    return job;
}

Time
TransitionTable::LoseServers(RecoveringJob& job,
                             const FleetTransitionCase& transition,
                             uint32_t stage)
{
    const FleetForm before = FormBefore(transition);
    const Calm& calm = GetCalm(before);
    const bool all = transition.step == FleetStep::GROW;
    Fault fault;
    fault.kind = all ? FaultKind::GPU_FAILURE : transition.kind; // found at one poll
    fault.at = m_training.launch + calm.first +
               TimeStep(calm.steady.checkpoint + calm.steady.iteration / 2);
    for (uint32_t one = all ? 0 : stage; one < (all ? m_training.stages : stage + 1); ++one)
    {
        fault.server = FindServer(m_training.MakePlan(before.replicas), one);
        job.GetInjector()->Add(fault);
    }
    return fault.at;
}

std::string
TransitionTable::FindWhyNot(const RecoveringJob& job)
{
    if (job.GetRecoveries().empty())
    {
        return "the job ends before it notices the fault; give longer iterations";
    }
    if (job.GetState() != RecoveringJob::State::DONE)
    {
        return job.GetWhyFailed();
    }
    return job.GetRecoveries().size() > 1
               ? "the first diagnosis, " + job.GetRecoveries().front().diagnosis.words +
                     ", has the wrong server"
               : "";
}

FleetTransition
TransitionTable::Measure(const RecoveringJob& job,
                         const FleetTransitionCase& transition,
                         Time fault)
{
    const RecoveryRecord& last = job.GetRecoveries().back();
    const JobAttempt& attempt = job.GetAttempts().back();
    const Ptr<TrainingRun> run = attempt.GetTraining();
    const Calm& calm = GetCalm(FormAfter(transition));
    const int64_t iterations = run->GetIterations();
    const Time steady = TimeStep(iterations * (calm.steady.iteration + calm.steady.checkpoint));
    FleetTransition times;
    times.keepsIterations = last.state.from == StatePlan::From::LAST_ITERATION;
    times.down = (last.takenDown - (transition.step == FleetStep::GROW ? last.decided : fault))
                     .GetTimeStep();
    times.up =
        std::max<Picoseconds>(0, (run->GetEnd(iterations) - last.takenDown - steady).GetTimeStep());
    const uint64_t steadyChanges =
        iterations * (calm.steady.reconfigurations + calm.steady.checkpointReconfigurations);
    uint64_t changes = 0;
    for (const JobAttempt& one : job.GetAttempts())
    {
        changes += one.start >= last.takenDown ? one.run->GetAll().reconfigurations : 0;
    }
    times.reconfigurations = changes - std::min(changes, steadyChanges);
    return times;
}

} // namespace ns3
