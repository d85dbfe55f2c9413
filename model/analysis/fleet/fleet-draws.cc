/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-draws.h"

#include "fleet-faults.h"

#include "ns3/abort.h"
#include "ns3/fault-draws.h"

#include <cmath>
#include <utility>
#include <vector>

namespace ns3
{

FaultSchedule
DrawFleetFaults(const FleetRates& rates,
                uint32_t servers,
                uint32_t gpus,
                uint32_t days,
                uint64_t seed)
{
    FaultCluster cluster;
    cluster.rails = gpus;
    cluster.servers = servers;
    cluster.gpus = gpus;
    cluster.ports = 1;
    FaultDraws draws(cluster, seed);
    const double day = GetFleetDay().GetTimeStep();
    const std::vector<std::pair<FaultKind, double>> classes{
        {FaultKind::GPU_FAILURE, rates.gpuFaults / gpus},
        {FaultKind::NIC_PORT_DOWN, rates.nicFaults / gpus},
        {FaultKind::FIBER_CUT, rates.cableFaults / gpus},
        {FaultKind::SERVER_LOSS, rates.serverFaults}};
    for (const auto& [kind, faults] : classes)
    {
        if (faults == 0)
        {
            continue;
        }
        // a component is as good as new after its repair, and fails from then on
        const double working = rates.serverDays / faults - rates.repairDays;
        NS_ABORT_MSG_UNLESS(working > 0 && working * day < 9e18,
                            "DrawFleetFaults: " << faults << " faults in " << rates.serverDays
                                                << " days leave no time between repairs of "
                                                << rates.repairDays << " days, or too much; give "
                                                << "other rates");
        ComponentFaults component;
        component.fault.kind = kind;
        component.mtbf = Time(static_cast<int64_t>(std::llround(working * day)));
        component.mttr = Time(static_cast<int64_t>(std::llround(rates.repairDays * day)));
        component.repairShape = rates.repairShape;
        draws.Add(component);
    }
    return draws.Draw(GetFleetDay() * days);
}

} // namespace ns3
