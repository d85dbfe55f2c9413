/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-faults-bench.h"

#include "ns3/collective-kind.h"
#include "ns3/controller-core.h"
#include "ns3/fault-kind-source.h"
#include "ns3/ocs-agent.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-shim-app.h"
#include "ns3/port-ledger.h"
#include "ns3/rank-program.h"
#include "ns3/shim-core.h"
#include "ns3/simulator.h"

#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

OpusCase
FaultsBench::MakeCase(const std::string& policy)
{
    OpusCase one;
    one.servers = 4;
    one.policy = policy;
    one.standby = true;
    one.abort = false;
    return one;
}

FaultsBench::FaultsBench(const OpusCase& one, const FaultsJob& job)
    : OpusBench(one)
{
    // rank r is GPU r % rails of server r / rails
    for (uint32_t rail = 0; rail < one.rails; ++rail)
    {
        const auto rankOn = [&](uint32_t server) { return server * one.rails + rail; };
        const std::string name = std::to_string(rail);
        const auto dp = std::pair(MakeGroup("dp 0 " + name, {rankOn(0), rankOn(1)}),
                                  MakeGroup("dp 1 " + name, {rankOn(2), rankOn(3)}));
        const auto pp = std::pair(MakeGroup("pp 0 " + name, {rankOn(0), rankOn(2)}),
                                  MakeGroup("pp 1 " + name, {rankOn(1), rankOn(3)}));
        for (uint32_t server = 0; server < 4; ++server)
        {
            const bool isFirst = server < 2;
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
            m_operations += program->GetOperations().size() - job.iterations;
            SetProgram(rankOn(server),
                       program,
                       {isFirst ? dp.first : dp.second, server % 2 == 0 ? pp.first : pp.second});
        }
    }
    injector = CreateObject<FaultInjector>();
    injector->SetRails(rails);
    injector->AddControlPlane(plane);
    std::vector<Ptr<CollectiveApplication>> ranks;
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        ranks.push_back(collectives->Get(rank));
    }
    injector->StopAfter(ranks);
    injector->TraceConnectWithoutContext("FaultBegan", MakeCallback(&FaultsBench::Began, this));
    injector->TraceConnectWithoutContext("FaultEnded", MakeCallback(&FaultsBench::Ended, this));
    for (const FaultKind kind : GetFaultKinds())
    {
        injector->TraceConnectWithoutContext(
            FaultKindSource::GetName(kind),
            MakeCallback(&FaultsBench::KindChanged, this).Bind(kind));
    }
    uint32_t which = 0;
    for (const auto& controller : {plane.controller, plane.standby})
    {
        if (controller)
        {
            controller->TraceConnectWithoutContext(
                "RoleChanged",
                MakeCallback(&FaultsBench::Changed, this).Bind(which));
        }
        ++which;
    }
}

FaultsBench::~FaultsBench()
{
    injector->Dispose();
}

Fault
FaultsBench::MakeFault(FaultKind kind, Time at, Time duration)
{
    Fault fault;
    fault.kind = kind;
    fault.at = at;
    if (duration.IsStrictlyPositive())
    {
        fault.duration = duration;
    }
    return fault;
}

void
FaultsBench::Changed(uint32_t which, OpusControllerApp::Role role, uint32_t term)
{
    roles[which].push_back(role);
    if (role == OpusControllerApp::Role::IN_CHARGE)
    {
        terms.push_back(term);
    }
}

void
FaultsBench::KindChanged(FaultKind kind, const Fault& fault, bool begins)
{
    NS_ABORT_MSG_UNLESS(kind == fault.kind, "the source " << ToString(kind) << " has " << fault);
    m_changesByKind.emplace_back(fault, begins);
}

void
FaultsBench::Began(const Fault& fault, const std::string& outcome)
{
    m_changes.emplace_back(fault, true);
    std::ostringstream words;
    words << Simulator::Now().GetTimeStep() << " begin " << fault << ": " << outcome;
    outcomes.push_back(words.str());
}

void
FaultsBench::Ended(const Fault& fault, const std::string& outcome)
{
    m_changes.emplace_back(fault, false);
    std::ostringstream words;
    words << Simulator::Now().GetTimeStep() << " end " << fault << ": " << outcome;
    outcomes.push_back(words.str());
}

std::string
FaultsBench::RunToTheEnd()
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
               " operations have ended" + (failed.empty() ? "" : ": " + failed.front().why) +
               (stalled.empty() ? "" : ": " + stalled.front()));
    return mistakes + CheckLedgers();
}

std::string
FaultsBench::CheckLedgers() const
{
    std::string mistakes = isTwice ? "a plan was begun twice; " : "";
    if (m_changes != m_changesByKind)
    {
        mistakes += "the sources of the kinds have other faults; ";
    }
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        if (!shim->GetCore().IsIdle())
        {
            mistakes += "a shim is not idle: " + shim->GetCore().Describe() + "; ";
        }
    }
    const Ptr<OpusControllerApp> inCharge = plane.GetInCharge();
    if (!inCharge)
    {
        return mistakes + "no controller is in charge; ";
    }
    for (const auto& [key, phase] : inCharge->GetCore().GetPhases())
    {
        if (phase.state == ControllerPhase::State::GRANTED)
        {
            mistakes += "a phase is still granted; ";
        }
    }
    for (uint32_t rail = 0; rail < rails.size(); ++rail)
    {
        const CircuitMap& map = rails[rail].GetOpticalSwitch()->GetMap();
        for (uint32_t port = 0; port < rails[rail].GetOpticalSwitch()->GetPorts(); ++port)
        {
            const std::optional<PortId> stands = map.GetPeer(PortId(port));
            const std::optional<PortId> believed =
                inCharge->GetCore().GetLedger().GetCircuits()[rail].GetPeer(PortId(port));
            if (stands != believed)
            {
                mistakes += "port " + std::to_string(port) + " of rail " + std::to_string(rail) +
                            " has another circuit than the controller believes; ";
            }
        }
    }
    return mistakes;
}

} // namespace ns3
