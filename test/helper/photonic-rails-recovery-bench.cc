/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-recovery-bench.h"

#include "../support/observed-lines.h"
#include "../support/photonic-rails-event-order.h"
#include "../support/photonic-rails-training-bench.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/controller-core.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/opus-controller-app.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint32_t GPUS = 2;
constexpr uint32_t SERVERS = 4;

TrainingJobHelper
MakeHelper(const RecoveryCase& one)
{
    TrainingRecipe recipe;
    recipe.microBatches = 4;
    recipe.sequence = 64;
    TrainingJobHelper helper;
    helper.SetModel(MakeTinyShape());
    helper.SetParallelismPlan(one.plan);
    helper.SetRecipe(recipe);
    helper.SetGpu("A100", one.efficiency);
    helper.SetPolicy(one.policy);
    helper.SetReconfigurationTime(one.reconfiguration);
    helper.SetIterations(one.iterations);
    helper.SetCheckpoints(one.checkpoints);
    helper.SetCheckpointNetwork(one.network);
    helper.SetHostNetwork(DataRate(one.hostRate));
    helper.GetCollectives().SetAttribute("WeighHost", BooleanValue(one.weighsHost));
    helper.GetCollectives().SetAttribute("MemoizeOperations", BooleanValue(one.memoizes));
    helper.GetCollectives().SetAttribute("StallLimit", TimeValue(MilliSeconds(50)));
    helper.GetRdma().SetAttribute("TimeoutExponent", UintegerValue(6)); // 262 us
    helper.GetRdma().SetAttribute("RetryLimit", UintegerValue(3));
    helper.GetRdma().SetAttribute("DarkLimit", TimeValue(MilliSeconds(20)));
    if (one.reaction == "other-rail")
    {
        // below the limit of a stall
        helper.GetOpus().SetControllerAttribute("ProgramLimit", TimeValue(MilliSeconds(5)));
    }
    return helper;
}

std::vector<Rail>
MakeRails(const RecoveryCase& one, uint32_t servers)
{
    const NodeContainer gpus(servers * GPUS);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    photonic.SetReconfigurationTime(one.reconfiguration);
    photonic.SetSwitchAttribute("Radix", UintegerValue(2 * servers));
    if (one.linkUp.IsStrictlyPositive())
    {
        photonic.SetLinkUpTime(one.linkUp);
    }
    RailHelper& rails =
        one.policy == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
    rails.SetPorts(2, DataRate("100Gbps"));
    const std::vector<Rail> made = rails.InstallRails(gpus, GPUS);
    RailHelper::AssignStreams(made, 1000);
    return made;
}

void
Apply(const RecoveryFault& fault, Ptr<RecoveringJob> job, const std::vector<Rail>& rails)
{
    switch (fault.what)
    {
    case RecoveryFault::What::GPU:
        job->LoseGpu(fault.server, fault.gpu);
        return;
    case RecoveryFault::What::SERVER:
        job->LoseServer(fault.server);
        return;
    case RecoveryFault::What::FIBERS:
        job->NoteFault(fault.server);
        for (uint32_t port = 0; port < 2; ++port)
        {
            rails[fault.gpu].GetFiber(fault.server, port)->Cut();
        }
        return;
    case RecoveryFault::What::PORT:
    case RecoveryFault::What::NIC:
    case RecoveryFault::What::SWITCH:
        return; // the injector has them
    }
}

/** @return a fault for the injector; empty: Apply() does it */
std::vector<Fault>
MakeFaults(const RecoveryFault& fault)
{
    std::vector<Fault> faults;
    Fault one;
    one.at = fault.at;
    one.server = fault.server;
    one.gpu = fault.gpu;
    if (fault.duration.IsStrictlyPositive())
    {
        one.duration = fault.duration;
    }
    if (fault.what == RecoveryFault::What::SWITCH)
    {
        one.kind = FaultKind::OCS_DOWN;
        one.rail = RailId(fault.gpu);
        faults.push_back(one);
    }
    for (const uint32_t port : {0, 1})
    {
        if (fault.what == RecoveryFault::What::NIC ||
            (fault.what == RecoveryFault::What::PORT && fault.port == port))
        {
            one.kind = FaultKind::NIC_PORT_DOWN;
            one.port = port;
            faults.push_back(one);
        }
    }
    return faults;
}

/** @return what fails, in words */
const char*
ToString(RecoveryFault::What what)
{
    switch (what)
    {
    case RecoveryFault::What::GPU:
        return "GPU ";
    case RecoveryFault::What::SERVER:
        return "server of ";
    case RecoveryFault::What::FIBERS:
        return "fibers of ";
    case RecoveryFault::What::PORT:
        return "port ";
    case RecoveryFault::What::NIC:
        return "NIC ";
    case RecoveryFault::What::SWITCH:
        return "switch of ";
    }
    return "";
}

/** @return the instants of a record, as text */
std::string
ToText(const RecoveryRecord& record)
{
    std::ostringstream text;
    for (const ReceivedSign& sign : record.signs)
    {
        text << sign.report << " " << sign.report.since.GetTimeStep() << " "
             << sign.received.GetTimeStep() << "; ";
    }
    text << record.diagnosis.words << "; " << record.recovery.why << ";";
    for (const Time& time : {record.failed.value_or(Time(0)),
                             record.firstSign,
                             record.diagnosed,
                             record.decided,
                             record.stopped,
                             record.takenDown,
                             record.copied,
                             record.started,
                             record.copyWaits,
                             record.copyLinkUp,
                             record.firstIteration,
                             record.lostWork})
    {
        text << " " << time.GetTimeStep();
    }
    for (const StateMove& move : record.state.moves)
    {
        text << "; " << move.from << " to " << move.to << ": " << move.bytes;
    }
    text << "; " << record.doneBefore << " " << record.doneAfter;
    return text.str();
}

} // namespace

RecoveryCase
RecoveryCase::Small()
{
    RecoveryCase one;
    one.plan.tp = one.plan.scaleUp = GPUS;
    one.plan.dp = one.plan.pp = 2;
    return one;
}

void
RecoveryCase::Run(const std::function<void(RecoveringJob&)>& look) const
{
    UsePicoseconds();
    GlobalValue::Bind("PhotonicRailsFidelity",
                      StringValue(events ? "PacketEvents" : "PacketTrains"));
    SetEventOrder(salt);
    const std::vector<Rail> rails = MakeRails(*this, SERVERS + spares);
    const Ptr<RecoveringJob> job = CreateObject<RecoveringJob>();
    job->SetAttribute("ServersPerRack", UintegerValue(serversPerRack));
    job->SetAttribute("DecisionTime", TimeValue(MicroSeconds(10)));
    job->SetAttribute("ReturnLimit", TimeValue(Seconds(1)));
    job->SetAgentAttribute("Interval", TimeValue(MilliSeconds(1)));
    job->SetAgentAttribute("ProcessPoll", TimeValue(MicroSeconds(700)));
    job->SetMonitorAttribute("MissingAfter", TimeValue(MilliSeconds(3)));
    job->SetMonitorAttribute("GatherTime", TimeValue(MilliSeconds(1)));
    job->SetRails(rails);
    job->SetReaction(reaction);
    std::vector<uint32_t> servers(plan.GetRanks() / plan.scaleUp);
    std::iota(servers.begin(), servers.end(), 0);
    job->Install(MakeHelper(*this), servers);
    for (const RecoveryFault& fault : faults)
    {
        Simulator::Schedule(fault.at, &Apply, fault, job, rails);
        for (const Fault& one : MakeFaults(fault))
        {
            job->GetInjector()->Add(one);
        }
    }
    Simulator::Run();
    look(*job);
    job->Dispose();
    Simulator::Destroy();
    SetEventOrder(0);
}

std::vector<std::string>
RecoveryCase::Observe() const
{
    ObservedLines lines;
    Run([this, &lines](RecoveringJob& job) {
        lines.Note("state", ToString(job.GetState()), job.GetWhyFailed(), job.GetIterations());
        lines.Note("time", job.GetElapsed().GetTimeStep(), job.GetUsefulTime().GetTimeStep());
        for (const RecoveryRecord& record : job.GetRecoveries())
        {
            lines.Note("failure", record.attempt, ToText(record));
        }
        for (const JobAttempt& attempt : job.GetAttempts())
        {
            const Ptr<TrainingRun> run = attempt.GetTraining();
            lines.Note("attempt",
                       attempt.number,
                       attempt.start.GetTimeStep(),
                       attempt.end.GetTimeStep(),
                       run ? run->GetIterations() : 0);
            if (run && reaction == "other-rail")
            {
                const ControllerCounters counters = run->plane.controller->GetCore().GetCounters();
                lines.Note("other rail",
                           counters.outages,
                           counters.repairs,
                           counters.refusals,
                           run->GetAll().bytesForwarded);
            }
            for (uint32_t i = 1; run && i <= run->GetIterations(); ++i)
            {
                lines.Note("iteration", attempt.number, i, run->GetEnd(i).GetTimeStep());
            }
        }
        const RailAudit audit = job.GetAudit();
        const RailAudit::Totals totals = audit.GetTotals();
        lines.Note("frames", totals.framesSent, totals.framesReceived, totals.framesDropped);
        lines.Note("messages",
                   totals.messagesPosted,
                   totals.messagesSettled,
                   totals.messagesFailed,
                   totals.messagesArrived);
        for (const std::string& finding : audit.Check())
        {
            lines.Note("audit:", finding);
        }
    });
    return lines.TakeSorted();
}

std::string
RecoveryCase::Describe() const
{
    std::ostringstream words;
    words << "tp " << plan.tp << " dp " << plan.dp << " pp " << plan.pp << " sharding "
          << static_cast<int>(plan.sharding) << ", " << spares << " spares, racks of "
          << serversPerRack << ", " << policy << ", " << reaction << ", " << iterations
          << " iterations, checkpoints every " << checkpoints << " over " << ToString(network)
          << ", hosts at " << hostRate << " bit/s" << (weighsHost ? " for all" : "") << ", "
          << reconfiguration.As(Time::US) << ", link-up " << linkUp.As(Time::US);
    for (const RecoveryFault& fault : faults)
    {
        words << "; " << ToString(fault.what) << fault.server << "." << fault.gpu << "."
              << fault.port << " at " << fault.at.As(Time::US);
        if (fault.duration.IsStrictlyPositive())
        {
            words << " for " << fault.duration.As(Time::US);
        }
    }
    return words.str();
}

RecoveryCase
DrawRecovery(uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto below = [&random](uint64_t most) { return random() % most; };
    RecoveryCase one = RecoveryCase::Small();
    if (below(4) == 0)
    {
        one.plan.dp = 4;
        one.plan.pp = 1;
    }
    one.plan.sharding = below(2) == 0 ? ParameterSharding::FULL : ParameterSharding::NONE;
    const char* const
        reactions[]{"splice", "splice", "detour", "move", "shrink", "stop", "giant-ring"};
    one.reaction = reactions[below(7)];
    const char* const policies[]{"on-demand", "provisioned", "electrical", "giant-ring"};
    one.policy = policies[below(4)];
    if (one.reaction == "detour" && one.policy == "electrical")
    {
        one.policy = "on-demand";
    }
    one.spares = one.reaction == "move" ? 4 : below(4);
    one.serversPerRack = one.reaction == "move" ? 4 : below(2) * 3;
    one.iterations = 3 + below(5);
    one.checkpoints = below(4);
    one.reconfiguration = MicroSeconds(10 * (1 + below(50)));
    one.linkUp = MicroSeconds(below(3) == 0 ? 300 : 0);
    const uint64_t faults = 1 + below(3);
    for (uint64_t f = 0; f < faults; ++f)
    {
        RecoveryFault fault;
        fault.at = NanoSeconds(1 + below(25'000'000));
        fault.server = below(SERVERS + one.spares);
        fault.gpu = below(GPUS);
        const uint64_t what = below(5);
        fault.what = what < 3   ? RecoveryFault::What::GPU
                     : what < 4 ? RecoveryFault::What::SERVER
                                : RecoveryFault::What::FIBERS;
        one.faults.push_back(fault);
    }
    if (one.policy != "electrical" && below(4) == 0)
    {
        one.hostRate = 1'000'000'000 * (1 + below(20));
        one.weighsHost = below(2) == 0;
        one.network = below(3) == 0 ? CheckpointNetwork::RAILS : CheckpointNetwork::HOSTS;
    }
    return one;
}

RecoveryCase
DrawOtherRail(uint64_t seed)
{
    std::mt19937_64 random(seed);
    const auto below = [&random](uint64_t most) { return random() % most; };
    RecoveryCase one = RecoveryCase::Small();
    if (below(3) == 0)
    {
        one.plan.dp = 4;
        one.plan.pp = 1;
    }
    one.plan.sharding = below(2) == 0 ? ParameterSharding::FULL : ParameterSharding::NONE;
    one.reaction = "other-rail";
    const char* const policies[]{"on-demand", "provisioned", "co-scheduled"};
    one.policy = policies[below(3)];
    one.spares = 0;
    one.iterations = 2 + below(3);
    one.checkpoints = below(3);
    one.reconfiguration = MicroSeconds(10 * (1 + below(30)));
    one.linkUp = MicroSeconds(below(4) == 0 ? 300 : 0);
    one.efficiency = below(2) == 0 ? 0.01 : 0.2;
    const uint64_t rail = below(GPUS); // the other one stays
    const uint64_t faults = 1 + below(3);
    for (uint64_t f = 0; f < faults; ++f)
    {
        RecoveryFault fault;
        fault.at = NanoSeconds(1 + below(10'000'000));
        fault.server = below(SERVERS);
        fault.gpu = rail;
        fault.port = below(2);
        const RecoveryFault::What kinds[]{RecoveryFault::What::PORT,
                                          RecoveryFault::What::NIC,
                                          RecoveryFault::What::NIC,
                                          RecoveryFault::What::SWITCH};
        fault.what = kinds[below(4)];
        fault.duration = NanoSeconds(below(3) == 0 ? 0 : 1 + below(5'000'000));
        one.faults.push_back(fault);
    }
    return one;
}

std::string
CompareOtherRails(uint64_t seed)
{
    const RecoveryCase drawn = DrawOtherRail(seed);
    const std::vector<std::string> lines = drawn.Observe();
    const bool isDone = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.rfind("state done", 0) == 0;
    });
    const std::string found =
        (isDone ? "" : "  the job has not ended well\n") + CompareRuns(drawn, seed + 1);
    return found.empty() ? ""
                         : "seed " + std::to_string(seed) + ": " + drawn.Describe() + "\n" + found;
}

std::string
CompareRecoveries(uint64_t seed)
{
    const RecoveryCase drawn = DrawRecovery(seed);
    const std::string text = CompareRuns(drawn, seed + 1);
    return text.empty() ? ""
                        : "seed " + std::to_string(seed) + ": " + drawn.Describe() + "\n" + text;
}

std::string
CompareRuns(const RecoveryCase& drawn, uint64_t salt)
{
    const std::vector<std::string> lines = drawn.Observe();
    std::ostringstream found;
    const auto wrong = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.rfind("audit:", 0) == 0;
    });
    if (wrong != lines.end())
    {
        found << "  " << *wrong << "\n";
    }
    const auto isOver = [](const std::string& line) {
        return line.rfind("state done", 0) == 0 || line.rfind("state failed", 0) == 0;
    };
    if (std::none_of(lines.begin(), lines.end(), isOver))
    {
        found << "  the job has not ended\n";
    }
    std::vector<RecoveryCase> others(3, drawn);
    others[0].events = true;
    others[1].salt = salt;
    others[2].memoizes = false;
    const char* const names[]{"packet events", "another order of events", "without a memo"};
    for (std::size_t o = 0; o < others.size(); ++o)
    {
        const std::vector<std::string> other = others[o].Observe();
        for (const std::string& line : LinesOnlyIn(lines, other))
        {
            found << "  only at first: " << line << "\n";
        }
        for (const std::string& line : LinesOnlyIn(other, lines))
        {
            found << "  only with " << names[o] << ": " << line << "\n";
        }
    }
    return found.str();
}

} // namespace ns3
