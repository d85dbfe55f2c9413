/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-opus-bench.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/circuit-plan-report.h"
#include "ns3/collective-helper.h"
#include "ns3/data-rate.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/host-network-helper.h"
#include "ns3/management-network-helper.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/opus-controller-app.h"
#include "ns3/opus-encoding.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/opus-shim-app.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

OpusBench::OpusBench(const OpusCase& one)
{
    UsePicoseconds();
    GlobalValue::Bind("PhotonicRailsFidelity", StringValue(one.fidelity));
    InstallRails(one);
    InstallControlPlane(one);
    InstallCollectives(one);
    ListenToApplications();
    ListenToControlPlane();
    for (const Rail& rail : rails)
    {
        audit.Add(rail);
        ListenToSwitch(rail);
    }
    audit.Add(applications);
}

OpusBench::~OpusBench()
{
    Simulator::Destroy();
}

void
OpusBench::InstallRails(const OpusCase& one)
{
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& helper =
        one.electrical ? static_cast<RailHelper&>(electrical) : static_cast<RailHelper&>(photonic);
    helper.SetPorts(one.ports, DataRate(OpusCase::RATE));
    electrical.SetRadix(0);
    photonic.SetSwitchAttribute("Radix", UintegerValue(one.servers * one.ports));
    photonic.SetReconfigurationTime(one.reconfiguration);
    photonic.SetSwitchAttribute("Granularity",
                                StringValue(one.wholeSwitch ? "WholeSwitch" : "PerPort"));
    gpus.Create(one.servers * one.rails);
    rails = helper.InstallRails(gpus, one.rails);
    RdmaHelper().Install(gpus);
}

void
OpusBench::InstallControlPlane(const OpusCase& one)
{
    OpusHelper opus;
    opus.SetPolicy(one.policy);
    opus.SetStandby(one.standby);
    opus.SetControllerAttribute("Granularity", StringValue(one.granularity));
    opus.SetShimAttribute("HostLatency", TimeValue(one.hostLatency));
    ManagementNetworkHelper network;
    network.SetLatency(one.latency);
    network.SetLoss(one.loss);
    opus.SetManagementNetwork(network);
    for (const std::vector<uint32_t>& ranks : one.jobs)
    {
        opus.AddJob(ranks);
    }
    if (one.adjust)
    {
        one.adjust(opus);
    }
    plane = opus.Install(rails);
    plane.AssignStreams(1);
}

void
OpusBench::InstallCollectives(const OpusCase& one)
{
    CollectiveHelper collectiveHelper;
    collectiveHelper.SetBrokers(plane.brokers);
    collectiveHelper.SetAttribute("MessageSize", UintegerValue(one.messageSize));
    collectiveHelper.SetAttribute("PointToPointMessageSize", UintegerValue(one.messageSize));
    collectiveHelper.SetAttribute("AbortOnFailure", BooleanValue(one.abort));
    if (one.hosts)
    {
        collectiveHelper.SetHostNetwork(HostNetworkHelper().Install(plane.servers));
    }
    collectives = collectiveHelper.Install(rails);
    applications = collectives->GetApplications();
}

void
OpusBench::ListenToApplications()
{
    for (uint32_t a = 0; a < applications.GetN(); ++a)
    {
        const Ptr<Application> application = applications.Get(a);
        application->TraceConnectWithoutContext("OperationEnded",
                                                MakeCallback(&OpusBench::Ended, this));
        application->TraceConnectWithoutContext("OperationFailed",
                                                MakeCallback(&OpusBench::FailedOne, this));
        application->TraceConnectWithoutContext("Stalled", MakeCallback(&OpusBench::Stalled, this));
    }
}

void
OpusBench::ListenToControlPlane()
{
    for (const Ptr<OpusShimApp>& shim : plane.shims)
    {
        shim->TraceConnectWithoutContext("Answered", MakeCallback(&OpusBench::Answered, this));
        shim->TraceConnectWithoutContext("MessageSent", MakeCallback(&OpusBench::Sent, this));
    }
    if (plane.controller)
    {
        plane.controller->TraceConnectWithoutContext("MessageSent",
                                                     MakeCallback(&OpusBench::Sent, this));
        plane.controller->TraceConnectWithoutContext("Decision",
                                                     MakeCallback(&OpusBench::Decided, this));
    }
    if (plane.standby)
    {
        plane.standby->TraceConnectWithoutContext("Decision",
                                                  MakeCallback(&OpusBench::Decided, this));
    }
    for (uint32_t rail = 0; rail < plane.agents.size(); ++rail)
    {
        plane.agents[rail]->TraceConnectWithoutContext(
            "PlanBegun",
            MakeCallback(&OpusBench::PlanBegun, this).Bind(rail));
    }
}

void
OpusBench::ListenToSwitch(const Rail& rail)
{
    const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    if (!ocs)
    {
        return;
    }
    const uint64_t id = rail.GetId().Get();
    ocs->TraceConnectWithoutContext("PlanEnded", MakeCallback(&OpusBench::PlanEnded, this));
    ocs->TraceConnectWithoutContext("CircuitUp", MakeCallback(&OpusBench::Up, this).Bind(id));
    ocs->TraceConnectWithoutContext("CircuitDown", MakeCallback(&OpusBench::Down, this).Bind(id));
}

std::shared_ptr<const CommunicationGroup>
OpusBench::MakeGroup(const std::string& name, const std::vector<uint32_t>& ranks)
{
    return collectives->MakeGroup(name, ranks);
}

void
OpusBench::SetProgram(uint32_t rank,
                      std::shared_ptr<const RankProgram> program,
                      const CollectiveApplication::Groups& groups)
{
    collectives->SetProgram(rank, program, groups);
    m_programs.push_back(rank);
}

std::string
OpusBench::Run(Time stop)
{
    if (stop.IsStrictlyPositive())
    {
        Simulator::Stop(stop);
    }
    Simulator::Run();
    std::string findings;
    for (const std::string& line : audit.Check())
    {
        findings += line + "\n";
    }
    return findings;
}

bool
OpusBench::IsOver() const
{
    bool isOver = true;
    for (const uint32_t rank : m_programs)
    {
        isOver = isOver && collectives->Get(rank)->IsOver();
    }
    return isOver;
}

uint64_t
OpusBench::Count(ControllerNote::Kind kind) const
{
    uint64_t count = 0;
    for (const ControllerNote& note : decisions)
    {
        count += note.kind == kind ? 1 : 0;
    }
    return count;
}

const ShimNote*
OpusBench::FindAnswer(uint32_t rank, const std::string& parallelism, uint32_t which) const
{
    for (const ShimNote& note : answers)
    {
        if (note.rank == RankId(rank) && note.parallelism == parallelism && which-- == 0)
        {
            return &note;
        }
    }
    return nullptr;
}

const ControllerNote&
OpusBench::FindLast(ControllerNote::Kind kind) const
{
    const auto note = std::find_if(decisions.rbegin(), decisions.rend(), [kind](const auto& one) {
        return one.kind == kind;
    });
    NS_ABORT_MSG_IF(note == decisions.rend(), "no decision of that kind");
    return *note;
}

const OperationRecord*
OpusBench::Find(uint32_t rank, uint32_t operation) const
{
    for (const OperationRecord& record : ended)
    {
        if (record.rank == RankId(rank) && record.operation == operation)
        {
            return &record;
        }
    }
    return nullptr;
}

Picoseconds
OpusBench::EndOf(uint32_t rank, uint32_t operation) const
{
    const OperationRecord* record = Find(rank, operation);
    return record ? record->end.GetTimeStep() : -1;
}

Picoseconds
OpusBench::BeginOf(uint32_t rank, uint32_t operation) const
{
    Picoseconds begin = 0;
    for (const OperationRecord& record : ended)
    {
        if (record.rank == RankId(rank) && record.operation < operation)
        {
            begin = std::max(begin, record.end.GetTimeStep());
        }
    }
    return begin;
}

uint32_t
OpusBench::CountSent(OpusMessage::Type type,
                     uint32_t server,
                     Picoseconds from,
                     Picoseconds to) const
{
    return std::count_if(sent.begin(), sent.end(), [&](const SentMessage& one) {
        return one.message.GetType() == type && one.message.server == ServerId(server) &&
               one.when >= from && one.when < to;
    });
}

Picoseconds
OpusBench::LastChange(const std::vector<PortId>& ports) const
{
    Picoseconds last = -1;
    for (const LightChange& change : changes)
    {
        const bool isOurs = ports.empty() || std::count(ports.begin(), ports.end(), change.low) ||
                            std::count(ports.begin(), ports.end(), change.high);
        last = isOurs ? std::max(last, change.when) : last;
    }
    return last;
}

std::pair<uint64_t, uint64_t>
OpusBench::GetBytes(uint32_t rank) const
{
    const CollectiveApplication::Counters& counters = collectives->Get(rank)->GetCounters();
    return {counters.bytesSent, counters.bytesReceived};
}

Picoseconds
OpusBench::BitsOf(const OpusMessage& message)
{
    return (OpusEncoding::Encode(message).size() + OpusHeader::SIZE + 30) * 8'000;
}

void
OpusBench::Ended(const OperationRecord& record)
{
    ended.push_back(record);
    end = std::max(end, record.end.GetTimeStep());
}

void
OpusBench::Stalled(const std::string& report)
{
    stalled.push_back(report);
}

void
OpusBench::FailedOne(const OperationRecord& record)
{
    failed.push_back(record);
}

void
OpusBench::Answered(const ShimNote& note)
{
    answers.push_back(note);
}

void
OpusBench::Decided(const ControllerNote& note)
{
    decisions.push_back(note);
}

void
OpusBench::Up(uint64_t rail, PortId low, PortId high, uint64_t)
{
    changes.push_back({rail, NowPicoseconds(), true, low, high});
}

void
OpusBench::Down(uint64_t rail, PortId low, PortId high, uint64_t)
{
    changes.push_back({rail, NowPicoseconds(), false, low, high});
}

void
OpusBench::Sent(const OpusMessage& message, const OpusPeer& to)
{
    sent.push_back({NowPicoseconds(), message, to});
}

void
OpusBench::PlanEnded(const CircuitPlanReport& report)
{
    plans += report.status == CircuitPlanStatus::DONE ? 1 : 0;
}

void
OpusBench::PlanBegun(uint32_t rail, const OpusMessage& program)
{
    isTwice = !m_begun.emplace(rail, program.Get<OpusProgram>().plan).second || isTwice;
}

std::shared_ptr<RankProgram>
OneCollective(CollectiveKind kind, uint64_t bytes)
{
    auto program = std::make_shared<RankProgram>();
    program->Collective(0, 0, kind, bytes, "ring");
    return program;
}

} // namespace ns3
