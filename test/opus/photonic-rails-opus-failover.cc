/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-opus-failover.h"

#include "ns3/collective-kind.h"
#include "ns3/controller-core.h"
#include "ns3/node.h"
#include "ns3/ocs-agent.h"
#include "ns3/operation-record.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-control-plane.h"
#include "ns3/opus-endpoint.h"
#include "ns3/opus-message.h"
#include "ns3/opus-shim-app.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"
#include "ns3/rank-program.h"
#include "ns3/shim-core.h"
#include "ns3/simulator.h"
#include "ns3/wire-frame.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

FailoverBench::FailoverBench(const OpusCase& one, const Job& job)
    : OpusBench(one)
{
    const auto dp = std::make_pair(MakeGroup("dp 0", {0, 1}), MakeGroup("dp 1", {2, 3}));
    const auto pp = std::make_pair(MakeGroup("pp 0", {0, 2}), MakeGroup("pp 1", {1, 3}));
    for (const bool isFirst : {true, false})
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < job.iterations; ++i)
        {
            program->BeginIteration();
            program->Collective(0, 0, CollectiveKind::ALL_GATHER, job.bytes, "ring");
            isFirst ? program->Compute(0, job.compute) : program->Receive(0, 1, 0, job.bytes);
            isFirst ? program->Send(0, 1, 1, job.bytes) : program->Compute(0, job.compute);
            isFirst ? program->Receive(0, 1, 1, job.bytes) : program->Send(0, 1, 0, job.bytes);
            program->Collective(0, 0, CollectiveKind::REDUCE_SCATTER, job.bytes, "ring");
        }
        for (const uint32_t rank :
             isFirst ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{2, 3})
        {
            SetProgram(rank,
                       program,
                       {isFirst ? dp.first : dp.second, rank % 2 == 0 ? pp.first : pp.second});
        }
        m_operations += 2 * (program->GetOperations().size() - job.iterations);
    }
    Listen();
}

std::string
FailoverBench::RunToTheEnd()
{
    std::string mistakes = Run();
    const auto expect = [&mistakes](bool is, const std::string& mistake) {
        mistakes += is ? "" : mistake + "; ";
    };
    std::set<std::pair<RankId, uint32_t>> once;
    for (const OperationRecord& record : ended)
    {
        expect(once.emplace(record.rank, record.operation).second, "an operation ended twice");
    }
    expect(ended.size() == m_operations && failed.empty() && IsOver(),
           std::to_string(ended.size()) + " of " + std::to_string(m_operations) +
               " operations have ended" + (failed.empty() ? "" : ": " + failed.front().why));
    expect(audit.GetTotals().framesDropped == 0, "a circuit was cut under traffic");
    for (const Ptr<OcsAgent>& agent : plane.agents)
    {
        expect(agent->GetCounters().alarms == 0, "a switch refused a plan");
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        expect(shim->GetCore().IsIdle(), "a shim is not idle: " + shim->GetCore().Describe());
    }
    for (const auto& [key, phase] : plane.GetInCharge()->GetCore().GetPhases())
    {
        expect(phase.state != ControllerPhase::State::GRANTED, "a phase is still granted");
    }
    if (stood >= 0 && isOnlySilence)
    {
        const Picoseconds silence = MilliSeconds(50).GetTimeStep(); // TakeoverAfter
        expect(stood == lastContact + silence,
               "it was a candidate at " + std::to_string(stood) + " ps, and heard the other at " +
                   std::to_string(lastContact) + " ps");
    }
    return mistakes;
}

uint64_t
FailoverBench::CountStale() const
{
    uint64_t stale = 0;
    for (const Ptr<OcsAgent>& agent : plane.agents)
    {
        stale += agent->GetCounters().stale;
    }
    return stale;
}

void
FailoverBench::CutOff(Time at, Time span)
{
    const Ptr<Node> node = plane.controller->GetNode();
    Simulator::Schedule(at, &FailoverBench::Cut, this, node);
    Simulator::Schedule(at + span, &FailoverBench::Mend, this, node);
}

void
FailoverBench::Cut(Ptr<Node> node)
{
    plane.network.Cut(node);
}

void
FailoverBench::Mend(Ptr<Node> node)
{
    plane.network.Restore(node);
}

void
FailoverBench::Listen()
{
    plane.controller->TraceConnectWithoutContext("MessageSent",
                                                 MakeCallback(&FailoverBench::Sent, this));
    plane.controller->TraceConnectWithoutContext("MessageReceived",
                                                 MakeCallback(&FailoverBench::Received, this));
    plane.controller->TraceConnectWithoutContext("RoleChanged",
                                                 MakeCallback(&FailoverBench::Retired, this));
    if (plane.standby)
    {
        plane.standby->TraceConnectWithoutContext("MessageReceived",
                                                  MakeCallback(&FailoverBench::LastContact, this));
        plane.standby->TraceConnectWithoutContext("RoleChanged",
                                                  MakeCallback(&FailoverBench::TookOver, this));
    }
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        applications.Get(rank)->TraceConnectWithoutContext(
            "Stalled",
            MakeCallback(&FailoverBench::Stalled, this));
    }
    for (const Rail& rail : rails)
    {
        rail.GetOpticalSwitch()->TraceConnectWithoutContext(
            "FrameDropped",
            MakeCallback(&FailoverBench::DroppedAtSwitch, this));
        for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
        {
            for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
            {
                rail.GetNic(gpu, port)->TraceConnectWithoutContext(
                    "FrameDropped",
                    MakeCallback(&FailoverBench::Dropped, this));
            }
        }
    }
}

void
FailoverBench::Sent(const OpusMessage& message, const OpusPeer&)
{
    instants.insert(NowPicoseconds());
    if (message.Is<OpusProgram>())
    {
        programs.insert(NowPicoseconds());
    }
    else if (message.Is<OpusHeartbeat>())
    {
        heartbeats.push_back(NowPicoseconds());
    }
}

void
FailoverBench::Received(const OpusMessage&, const OpusPeer&)
{
    instants.insert(NowPicoseconds());
}

void
FailoverBench::LastContact(const OpusMessage&, const OpusPeer& peer)
{
    instants.insert(NowPicoseconds());
    if (peer.address == plane.network.GetAddress(plane.controller->GetNode()) && stood < 0)
    {
        lastContact = NowPicoseconds();
    }
}

void
FailoverBench::TookOver(OpusControllerApp::Role role, uint32_t)
{
    if (role == OpusControllerApp::Role::CANDIDATE && stood < 0)
    {
        stood = NowPicoseconds();
    }
    if (role == OpusControllerApp::Role::IN_CHARGE && tookOver < 0)
    {
        tookOver = NowPicoseconds();
    }
}

void
FailoverBench::Retired(OpusControllerApp::Role role, uint32_t)
{
    retired = retired || role == OpusControllerApp::Role::RETIRED;
}

void
FailoverBench::Stalled(const std::string&)
{
    ++stalled;
}

void
FailoverBench::Dropped(const WireFrame&, FrameDropReason reason)
{
    ++dropped[reason];
}

void
FailoverBench::DroppedAtSwitch(PortId, const WireFrame&, FrameDropReason reason)
{
    ++dropped[reason];
}

OpusCase
WithStandby(const std::string& policy)
{
    OpusCase one;
    one.servers = 4;
    one.policy = policy;
    one.standby = true;
    one.abort = false;
    return one;
}

} // namespace ns3
