/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-random-run.h"

#include "../support/photonic-rails-opus-bench.h"
#include "photonic-rails-opus-random-outcome.h"

#include "ns3/collective-application.h"
#include "ns3/communication-group.h"
#include "ns3/controller-core.h"
#include "ns3/job-demand.h"
#include "ns3/node.h"
#include "ns3/ocs-agent.h"
#include "ns3/operation-record.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-helper.h"
#include "ns3/opus-shim-app.h"
#include "ns3/rail.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-engine.h"
#include "ns3/shim-core.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wire-frame.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{

RandomRun::RandomRun(uint64_t seed, bool partitions)
    : m_job(seed, partitions),
      m_programs(m_job)
{
}

std::string
RandomRun::Run()
{
    OpusBench bench(MakeCase());
    m_bench = &bench;
    SetPrograms();
    for (uint32_t a = 0; a < bench.applications.GetN(); ++a)
    {
        const Ptr<Application> rank = bench.applications.Get(a);
        rank->SetAttribute("StallLimit", TimeValue(Limit(STALL_MS)));
        rank->TraceConnectWithoutContext("Stalled", MakeCallback(&RandomRun::Stalled, this));
    }
    for (uint32_t gpu = 0; gpu < bench.gpus.GetN(); ++gpu)
    {
        bench.gpus.Get(gpu)->GetObject<RdmaEngine>()->SetAttribute("DarkLimit",
                                                                   TimeValue(Limit(STALL_MS)));
    }
    for (const Rail& rail : bench.rails)
    {
        rail.GetOpticalSwitch()->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&RandomRun::Dropped, this));
    }
    for (const RandomCut& cut : m_job.cuts)
    {
        Simulator::Schedule(cut.at, &RandomRun::Cut, this, cut);
        Simulator::Schedule(cut.mended, &RandomRun::Mend, this, cut);
    }
    if (m_job.fault != RandomFault::NONE && m_job.fault != RandomFault::PARTITION)
    {
        Simulator::Schedule(m_job.faultAt, &RandomRun::Break, this);
    }
    Simulator::Schedule(GetBound(), &RandomRun::GiveUp, this);
    const std::string findings = bench.Run();
    CheckOperations();
    CheckWaits();
    CheckSwitches();
    CheckRest();
    for (std::istringstream lines(findings); std::getline(lines, m_line);)
    {
        // ranks that ended early leave operations open
        Expect(m_early && (m_line.find("operations that rank") == 0 ||
                           m_line.find("bytes that ranks") == 0),
               m_line);
    }
    m_bench = nullptr;
    return m_mistakes.empty() ? "" : m_job.Describe() + m_mistakes;
}

Time
RandomRun::Limit(int64_t ms) const
{
    // a message that is lost again and again comes after up to 1 s; a rotation may take long to
    // come round, and has much to do while a rank waits in vain
    const bool rotates = m_job.policy.find("rotor") == 0;
    const int64_t percent = rotates ? (m_job.IsForetold() ? 400 : 10)
                            : m_job.loss > 0.02 || !m_job.cuts.empty() ? 1000
                                                                       : 100;
    return MicroSeconds(ms * 10 * percent);
}

OpusCase
RandomRun::MakeCase() const
{
    OpusCase one;
    one.servers = m_job.servers;
    one.rails = m_job.rails;
    one.ports = m_job.ports;
    one.policy = m_job.policy;
    one.reconfiguration = m_job.reconfiguration;
    one.latency = m_job.latency;
    one.hostLatency = m_job.hostLatency;
    one.loss = m_job.loss;
    one.standby = m_job.standby;
    one.granularity = m_job.granularity;
    one.messageSize = m_job.messageSize;
    one.abort = false;
    one.jobs = m_job.jobs;
    one.adjust = [this](OpusHelper& opus) {
        const auto time = [this](int64_t ms) { return TimeValue(Limit(ms)); };
        opus.SetControllerAttribute("VoteLimit", time(VOTES_MS));
        opus.SetControllerAttribute("PortLimit", time(PORTS_MS));
        opus.SetControllerAttribute("ProgramLimit", time(PROGRAM_MS));
        opus.SetControllerAttribute("TrafficLimit", time(STALL_MS));
        opus.SetControllerAttribute("Speculation", StringValue(m_job.speculation));
        // no server that is only cut off is given up
        const TimeValue retry(MilliSeconds((m_job.cuts.empty() ? 1 : 10) * RETRY_MS));
        opus.SetControllerAttribute("RetryFor", retry);
        opus.SetAgentAttribute("RetryFor", retry);
        opus.SetShimAttribute("RetryFor", retry);
        opus.SetShimAttribute("GiveUpAfter", time(GIVE_UP_MS));
        opus.SetShimAttribute("KeepIdle", TimeValue(MilliSeconds(1)));
        opus.SetShimAttribute("ProfileIterations", UintegerValue(m_job.foresees ? 1 : 1000));
    };
    return one;
}

void
RandomRun::SetPrograms()
{
    for (const RandomGroup& group : m_job.groups)
    {
        m_groups.push_back(m_bench->MakeGroup(group.name, group.ranks));
    }
    std::map<JobId, std::vector<RankPart>> parts;
    for (uint32_t rank = 0; rank < m_programs.GetParts().size(); ++rank)
    {
        const RandomPrograms::Part& part = m_programs.GetParts()[rank];
        if (part.program->GetOperations().empty())
        {
            continue;
        }
        CollectiveApplication::Groups groups;
        for (const uint32_t group : part.order)
        {
            groups.push_back(m_groups[group]);
        }
        m_bench->SetProgram(rank, part.program, groups);
        const bool isSecond = !m_job.jobs.empty() && m_job.jobs[0].back() < rank;
        parts[JobId(isSecond ? 1 : 0)].push_back({RankId(rank), part.program, groups});
    }
    for (const auto& [job, ranks] : parts)
    {
        m_bench->plane.Describe(MakeJobDemand(job, ranks, *m_bench->plane.cabling));
    }
}

Time
RandomRun::GetBound() const
{
    Picoseconds bound = 0;
    for (const RandomOperation& operation : m_job.operations)
    {
        bound += operation.duration + Limit(STALL_MS).GetTimeStep();
    }
    for (const RandomCut& cut : m_job.cuts)
    {
        bound = std::max(bound, cut.mended.GetTimeStep()) + Limit(STALL_MS).GetTimeStep();
    }
    return m_job.faultAt + PicoSeconds(bound) + 4 * (Limit(STALL_MS) + MilliSeconds(RETRY_MS));
}

void
RandomRun::Break()
{
    OpusControlPlane& plane = m_bench->plane;
    switch (m_job.fault)
    {
    case RandomFault::CONTROLLER:
        plane.controller->Crash();
        break;
    case RandomFault::AGENT:
        plane.agents[m_job.victim]->Crash();
        break;
    case RandomFault::SERVER:
        plane.network.Cut(plane.servers.Get(m_job.victim));
        break;
    default: {
        const Rail& rail = m_bench->rails[m_job.victim % m_job.rails];
        rail.GetOpticalSwitch()->SetFault(rail.GetSwitchPort(m_job.victim / m_job.rails, 0),
                                          PortFault::STUCK_DARK);
    }
    }
}

Ptr<Node>
RandomRun::NodeOf(const RandomCut& cut) const
{
    const OpusControlPlane& plane = m_bench->plane;
    switch (cut.place)
    {
    case RandomCut::Place::CONTROLLER:
        return plane.controller->GetNode();
    case RandomCut::Place::STANDBY:
        return plane.standby->GetNode();
    case RandomCut::Place::AGENT:
        return plane.agents[cut.which]->GetNode();
    default:
        return plane.servers.Get(cut.which);
    }
}

void
RandomRun::Cut(RandomCut cut)
{
    const ManagementNetwork& network = m_bench->plane.network;
    if (cut.ways != 2)
    {
        network.CutTo(NodeOf(cut));
    }
    if (cut.ways != 1)
    {
        network.CutFrom(NodeOf(cut));
    }
}

void
RandomRun::Mend(RandomCut cut)
{
    m_bench->plane.network.Restore(NodeOf(cut));
}

void
RandomRun::GiveUp()
{
    if (!Simulator::IsFinished())
    {
        Expect(false, "the simulation has not ended by itself");
        Simulator::Stop();
    }
}

void
RandomRun::Stalled(const std::string& report)
{
    m_stalled.push_back(report);
}

void
RandomRun::Dropped(PortId, const WireFrame&, FrameDropReason reason)
{
    std::ostringstream words;
    words << "a switch dropped a frame: " << reason;
    Expect(m_job.fault == RandomFault::PORT && !m_job.faultAt.IsZero(), words.str());
}

void
RandomRun::Expect(bool is, const std::string& mistake)
{
    if (!is && m_mistakes.size() < 2000)
    {
        m_mistakes += "\n    " + mistake;
    }
}

std::string
RandomRun::Name(const std::pair<uint32_t, uint32_t>& one)
{
    return "rank " + std::to_string(one.first) + ", operation " + std::to_string(one.second) +
           " of the list";
}

void
RandomRun::CheckOperations()
{
    RandomOutcome found;
    std::map<std::pair<uint32_t, uint32_t>, std::string> whys;
    for (const OperationRecord& record : m_bench->ended)
    {
        const uint32_t rank = record.rank.Get();
        const uint32_t listed = m_programs.GetParts()[rank].listed.at(record.operation);
        Expect(found.ended.emplace(rank, listed).second, Name({rank, listed}) + " has ended twice");
    }
    std::set<uint32_t> lost;
    for (const OperationRecord& record : m_bench->failed)
    {
        const uint32_t rank = record.rank.Get();
        const uint32_t listed = m_programs.GetParts()[rank].listed.at(record.operation);
        found.failed.emplace(rank, listed);
        whys[{rank, listed}] = record.why;
        Expect(lost.insert(rank).second, Name({rank, listed}) + " has failed beside another");
        Expect(found.ended.count({rank, listed}) == 0,
               Name({rank, listed}) + " has ended and failed");
    }
    m_early = !lost.empty() || !m_stalled.empty();
    if (m_job.IsForetold())
    {
        const RandomOutcome expected = Foretell(m_job);
        for (const auto& one : expected.ended)
        {
            Expect(found.ended.count(one), Name(one) + " should have ended: " + whys[one]);
        }
        for (const auto& one : expected.failed)
        {
            Expect(found.failed.count(one), Name(one) + " should have failed");
        }
        for (const auto& one : found.failed)
        {
            Expect(expected.failed.count(one), Name(one) + " should not have failed: " + whys[one]);
        }
        Expect(m_stalled.empty(),
               "somebody has stalled: " + (m_stalled.empty() ? "" : m_stalled[0]));
        return;
    }
    // a rank that stalls is reported, and it is not one that has failed
    uint32_t open = 0;
    for (uint32_t rank = 0; rank < m_programs.GetParts().size(); ++rank)
    {
        const bool isOver = m_programs.GetParts()[rank].program->GetOperations().empty() ||
                            m_bench->collectives->Get(rank)->IsOver();
        open += isOver || lost.count(rank) ? 0 : 1;
    }
    Expect(open == m_stalled.size(),
           std::to_string(open) + " ranks are not through, and " +
               std::to_string(m_stalled.size()) + " have said so");
}

void
RandomRun::CheckWaits()
{
    const Picoseconds most = Limit(GIVE_UP_MS).GetTimeStep() + 1; // when that instant is over
    for (const ShimNote& note : m_bench->answers)
    {
        const Picoseconds waited = (note.answered - note.requested).GetTimeStep();
        Expect(waited <= most,
               "rank " + std::to_string(note.rank.Get()) + " waited for " + std::to_string(waited) +
                   " ps");
        if (!m_early)
        {
            Expect(note.network == CircuitAnswer::Network::RAIL ||
                       note.network == CircuitAnswer::Network::WITHDRAWN,
                   "rank " + std::to_string(note.rank.Get()) + " got no circuits");
        }
    }
}

void
RandomRun::CheckSwitches()
{
    const bool mayBeStuck = m_job.fault == RandomFault::PORT;
    for (const Ptr<OcsAgent>& agent : m_bench->plane.agents)
    {
        Expect(mayBeStuck || agent->GetCounters().alarms == 0, "a switch refused a plan");
    }
    Expect(mayBeStuck || m_bench->audit.GetTotals().framesDropped == 0, "frames were dropped");
}

void
RandomRun::CheckRest()
{
    const OpusControlPlane& plane = m_bench->plane;
    if (m_early || !m_job.IsForetold())
    {
        return; // a receiver of the releases may be missing
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        Expect(shim->GetCore().IsIdle(), "a shim is not idle:\n" + shim->GetCore().Describe());
    }
    const bool isForGood = m_job.policy != "on-demand" && m_job.policy != "provisioned" &&
                           m_job.policy != "co-scheduled" && m_job.policy.find("rotor") != 0;
    for (const auto& [key, phase] : plane.GetInCharge()->GetCore().GetPhases())
    {
        Expect(isForGood || phase.state != ControllerPhase::State::GRANTED,
               "a phase is still granted:\n" + plane.GetInCharge()->GetCore().Describe());
    }
    const bool isQuiet = m_job.fault == RandomFault::NONE && m_job.loss == 0;
    if (plane.standby && isQuiet)
    {
        Expect(plane.controller->GetRole() == OpusControllerApp::Role::IN_CHARGE &&
                   plane.standby->GetRole() == OpusControllerApp::Role::STANDBY,
               "somebody took over");
    }
}

RandomJobsCase::RandomJobsCase(uint64_t first, uint64_t count, bool partitions)
    : TestCase("random jobs" + std::string(partitions ? " and partitions" : "") + " from seed " +
               std::to_string(first)),
      m_first(first),
      m_count(count),
      m_partitions(partitions)
{
}

void
RandomJobsCase::DoRun()
{
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string mistakes = RandomRun(seed, m_partitions).Run();
        NS_TEST_EXPECT_MSG_EQ(mistakes, "", "seed " << seed);
    }
}

} // namespace ns3
