/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_BENCH_H
#define PHOTONIC_RAILS_COLLECTIVE_BENCH_H

#include "ns3/boolean.h"
#include "ns3/collective-helper.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/fidelity-option.h"
#include "ns3/global-value.h"
#include "ns3/instant-circuits.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * A rail with a collective on it, for tests: what is set up, and what came of it.
 */

namespace ns3
{

/** One operation of all ranks of a rail. */
struct CollectiveCase
{
    /** The switch in the middle. */
    enum RailKind
    {
        ELECTRICAL,
        RING,         //!< circuits that stay: half of the ports to the next, half to the one before
        RECONFIGURING //!< circuits that InstantCircuits turns
    };

    CollectiveKind kind{CollectiveKind::ALL_REDUCE};
    uint64_t bytes{1 << 20};
    std::string algorithm{"ring"};
    uint32_t ranks{4};
    uint32_t ports{2};
    RailKind railSwitch{RING};
    bool bidirectional{true};
    uint64_t messageSize{1 << 16};
    Time reconfiguration{MicroSeconds(10)};
    std::string fidelity{"trains"};
    Time late{0};        //!< how much later the last rank calls
    uint32_t repeats{1}; //!< times that all of that happens
    std::shared_ptr<const DemandMatrix> demand{};

    static constexpr uint64_t RATE = 200'000'000'000; //!< of a port, bits a second
};

/** What came of it. */
struct CollectiveOutcome
{
    Picoseconds lastCall{0};
    Picoseconds lastEnd{0};
    std::vector<OperationRecord> records; //!< of the collective, in the order in which they ended
    uint64_t frames{0};
    std::vector<std::string> findings; //!< of the audit
    uint64_t reconfigurations{0};

    void Started(const OperationRecord& record)
    {
        if (record.call.kind != RankOperation::Kind::COMPUTE)
        {
            lastCall = std::max(lastCall, record.start);
        }
    }

    void Ended(const OperationRecord& record)
    {
        if (record.call.kind != RankOperation::Kind::COMPUTE)
        {
            lastEnd = std::max(lastEnd, record.end);
            records.push_back(record);
        }
    }

    /** @return from the last call to the last end, picoseconds */
    Picoseconds GetTime() const
    {
        return lastEnd - lastCall;
    }
};

/** Joins the GPUs of a rail into a ring. */
inline void
JoinRing(const Rail& rail)
{
    const uint32_t n = rail.GetGpus();
    for (uint32_t g = 0; g < (n > 2 ? n : 1); ++g)
    {
        for (uint32_t p = 0; p<rail.GetPortsPerGpu(); p += n> 2 ? 2 : 1)
        {
            rail.GetOpticalSwitch()->Connect(rail.GetSwitchPort(g, n > 2 ? p + 1 : p),
                                             rail.GetSwitchPort((g + 1) % n, p));
        }
    }
}

/** Builds a rail and RDMA on it. */
inline Rail
MakeCollectiveRail(const CollectiveCase& one)
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
    NodeContainer gpus(one.ranks);
    const Rail rail = rails.Install(gpus);
    RdmaHelper().Install(gpus);
    if (one.railSwitch == CollectiveCase::RING)
    {
        JoinRing(rail);
    }
    return rail;
}

/** @return the ranks 0 to n - 1 */
inline std::vector<uint32_t>
FirstRanks(uint32_t n)
{
    std::vector<uint32_t> ranks(n);
    for (uint32_t r = 0; r < n; ++r)
    {
        ranks[r] = r;
    }
    return ranks;
}

/** Runs it to its end. */
inline CollectiveOutcome
RunCollective(const CollectiveCase& one)
{
    const Rail rail = MakeCollectiveRail(one);
    CollectiveHelper collectives;
    collectives.SetAttribute("MessageSize", UintegerValue(one.messageSize));
    collectives.SetAttribute("PointToPointMessageSize", UintegerValue(one.messageSize));
    collectives.SetAttribute("Bidirectional", BooleanValue(one.bidirectional));
    Ptr<InstantCircuits> reconfiguration;
    if (one.railSwitch == CollectiveCase::RECONFIGURING)
    {
        reconfiguration = CreateObject<InstantCircuits>(
            std::make_shared<const RailLinks>(std::vector<Rail>{rail}));
        collectives.SetBroker(reconfiguration);
    }
    const ApplicationContainer applications = collectives.Install(rail);
    const auto group = collectives.MakeGroup("all", FirstRanks(one.ranks));
    CollectiveOutcome outcome;
    for (uint32_t r = 0; r < one.ranks; ++r)
    {
        auto program = std::make_shared<RankProgram>();
        for (uint32_t i = 0; i < one.repeats; ++i)
        {
            if (r + 1 == one.ranks && one.late.IsStrictlyPositive())
            {
                program->Compute(0, one.late.GetTimeStep());
            }
            const uint32_t call = program->Collective(0, 0, one.kind, one.bytes, one.algorithm);
            program->Edit(call).straggler = one.ranks - 1;
            program->Edit(call).demand = one.demand;
        }
        collectives.SetProgram(r, program, {group});
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

/**
 * How long payload takes on a wire, in picoseconds: 4096 bytes of it take 4178 there.
 */
inline double
OnTheWire(double payload, double bitsPerSecond)
{
    return payload * 8e12 / bitsPerSecond * 4178 / 4096;
}

/** From a NIC to another through one switch: two fibers of 100 ns, and a frame once more at a
 * packet switch. */
inline double
PathDelay(const CollectiveCase& one)
{
    return 200'000 + (one.railSwitch == CollectiveCase::ELECTRICAL
                          ? OnTheWire(4096, CollectiveCase::RATE) + 1'000'000
                          : 0);
}

inline std::string
NameOf(const CollectiveCase& one)
{
    static const char* const RAIL_KINDS[] = {"electrical", "ring", "reconfiguring"};
    std::ostringstream name;
    name << ToString(one.kind) << " by " << one.algorithm << ", " << one.bytes << " bytes, "
         << one.ranks << " ranks, " << RAIL_KINDS[one.railSwitch] << ", " << one.fidelity;
    return name.str();
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_BENCH_H */
