/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-collective-bench.h"

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/data-rate.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/instant-circuits.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rail-links.h"
#include "ns3/rank-program.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

void
CollectiveOutcome::Started(const OperationRecord& record)
{
    if (record.call.kind != RankOperation::Kind::COMPUTE)
    {
        lastCall = std::max(lastCall, record.start.GetTimeStep());
    }
}

void
CollectiveOutcome::Ended(const OperationRecord& record)
{
    if (record.call.kind != RankOperation::Kind::COMPUTE)
    {
        lastEnd = std::max(lastEnd, record.end.GetTimeStep());
        records.push_back(record);
    }
}

void
JoinRing(const Rail& rail)
{
    const uint32_t n = rail.GetGpus();
    const uint32_t step = n > 2 ? 2 : 1; // two GPUs use all ports for one another
    for (uint32_t g = 0; g < (n > 2 ? n : 1); ++g)
    {
        for (uint32_t p = 0; p < rail.GetPortsPerGpu(); p += step)
        {
            rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(g, n > 2 ? p + 1 : p),
                                             rail.GetSwitchPort((g + 1) % n, p));
        }
    }
}

Rail
MakeCollectiveRail(const CollectiveCase& one)
{
    return MakeCollectiveRails(one, 1).front();
}

std::vector<Rail>
MakeCollectiveRails(const CollectiveCase& one, uint32_t perServer)
{
    UsePicoseconds();
    GlobalValue::Bind("PhotonicRailsFidelity",
                      StringValue(one.fidelity == "trains" ? "PacketTrains" : "PacketEvents"));
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    RailHelper& rails = one.railSwitch == CollectiveCase::ELECTRICAL
                            ? static_cast<RailHelper&>(electrical)
                            : photonic;
    rails.SetPorts(one.ports, DataRate(CollectiveCase::RATE));
    electrical.SetRadix(0);
    photonic.SetSwitchAttribute("Radix", UintegerValue(one.ranks * one.ports));
    photonic.SetReconfigurationTime(one.reconfiguration);
    photonic.SetFabric(one.fabric);
    NodeContainer gpus(one.ranks);
    const std::vector<Rail> all = rails.InstallRails(gpus, perServer);
    RdmaHelper().Install(gpus);
    if (one.railSwitch == CollectiveCase::RING)
    {
        std::for_each(all.begin(), all.end(), &JoinRing);
    }
    return all;
}

std::vector<uint32_t>
FirstRanks(uint32_t n)
{
    std::vector<uint32_t> ranks(n);
    for (uint32_t r = 0; r < n; ++r)
    {
        ranks[r] = r;
    }
    return ranks;
}

CollectiveOutcome
RunCollective(const CollectiveCase& one)
{
    const Rail rail = MakeCollectiveRail(one);
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(one.messageSize));
    collectives.SetAttribute("PointToPointMessageSize", UintegerValue(one.messageSize));
    collectives.SetAttribute("Bidirectional", BooleanValue(one.bidirectional));
    collectives.SetAttribute("Protocol", StringValue(one.protocol));
    collectives.SetTimes(one.times);
    Ptr<InstantCircuits> reconfiguration;
    if (one.railSwitch == CollectiveCase::RECONFIGURING)
    {
        reconfiguration = CreateObject<InstantCircuits>(
            std::make_shared<const RailLinks>(std::vector<Rail>{rail}));
        collectives.SetBroker(reconfiguration);
    }
    const Ptr<CollectiveJob> job = collectives.Install(rail);
    const ApplicationContainer& applications = job->GetApplications();
    const auto group = job->MakeGroup("all", FirstRanks(one.ranks));
    CollectiveOutcome outcome;
    for (uint32_t r = 0; r < one.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < one.repeats; ++i)
        {
            if (r + 1 == one.ranks && one.late.IsStrictlyPositive())
            {
                program->Compute(0, one.late);
            }
            const uint32_t call = program->Collective(0, 0, one.kind, one.bytes, one.algorithm);
            program->Edit(call).straggler = one.ranks - 1;
            program->Edit(call).demand = one.demand;
        }
        job->SetProgram(r, program, {group});
        applications.Get(r)->TraceConnectWithoutContext(
            "OperationStarted",
            MakeCallback(&CollectiveOutcome::Started, &outcome));
        applications.Get(r)->TraceConnectWithoutContext(
            "OperationEnded",
            MakeCallback(&CollectiveOutcome::Ended, &outcome));
    }
    RailAudit audit;
    audit.Add(rail);
    audit.Add(applications);
    Simulator::Run();
    outcome.findings = audit.Check();
    outcome.frames = audit.GetTotals().framesSent;
    outcome.reconfigurations = reconfiguration ? reconfiguration->GetReconfigurations() : 0;
    Simulator::Destroy();
    return outcome;
}

double
OnTheWire(double payload, double bitsPerSecond)
{
    return payload * 8e12 / bitsPerSecond * 4178 / 4096;
}

double
PathDelay(const CollectiveCase& one)
{
    return 200'000 + (one.railSwitch == CollectiveCase::ELECTRICAL
                          ? OnTheWire(4096, CollectiveCase::RATE) + 1'000'000
                          : 0);
}

std::string
NameOf(const CollectiveCase& one)
{
    static const char* const RAIL_KINDS[] = {"electrical", "ring", "reconfiguring"};
    std::ostringstream name;
    name << ToString(one.kind) << " by " << one.algorithm << ", " << one.bytes << " bytes, "
         << one.ranks << " ranks, " << RAIL_KINDS[one.railSwitch] << ", " << one.fidelity;
    return name.str();
}

} // namespace ns3
