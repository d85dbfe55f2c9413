/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cost-rows.h"

#include "result-writer.h"

#include "ns3/fabric-bill.h"
#include "ns3/ocs-technology.h"
#include "ns3/optical-circuit-switch.h"

#include <cstdint>
#include <string>

namespace ns3
{

namespace
{

/** @return prices and power of a generation, with what the rails of a run have in place of it */
NetworkInputs
MakeInputs(const NetworkInputs& generation, const Rail& rail)
{
    NetworkInputs inputs = generation;
    inputs.ocsPortsPerGpu = {rail.GetPortsPerGpu(), "ports of the run"};
    const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch();
    if (!middle)
    {
        return inputs;
    }
    const OcsTechnology& technology = middle->GetTechnology();
    if (technology.wattsPerPort)
    {
        inputs.ocsWatts = {*technology.wattsPerPort * inputs.ocsPorts.value, technology.product};
    }
    if (technology.dollarsPerPort)
    {
        inputs.ocsDollarsPerPort = {*technology.dollarsPerPort, technology.product};
    }
    return inputs;
}

} // namespace

void
WriteCostRows(ResultWriter& writer, const std::vector<Rail>& rails)
{
    if (rails.empty())
    {
        return;
    }
    const ResultWriter::Table table = writer.GetTable("costs");
    const uint32_t servers = rails.front().GetGpus();
    const auto gpus = static_cast<uint32_t>(rails.size()); // of a server
    const bool isOptical = rails.front().GetOpticalSwitch() != nullptr;
    for (const NetworkInputs& generation : NetworkInputs::GetAll())
    {
        const NetworkInputs inputs = MakeInputs(generation, rails.front());
        if (!GetFabricMistake(inputs, servers, gpus).empty())
        {
            continue;
        }
        const FabricBill electrical = MakeElectricalRails(inputs, servers, gpus);
        const FabricBill photonic = MakePhotonicRails(inputs, servers, gpus);
        for (const FabricBill& bill : {electrical, MakeFatTree(inputs, servers, gpus), photonic})
        {
            const bool isOwn = bill.fabric == (isOptical ? photonic : electrical).fabric;
            writer.Add(table,
                       generation.name,
                       bill.fabric,
                       isOwn,
                       uint64_t{servers} * gpus,
                       bill.radix,
                       bill.switches,
                       bill.switchPorts,
                       bill.opticalSwitches,
                       bill.opticalPorts,
                       bill.transceivers,
                       bill.watts,
                       bill.dollars);
        }
    }
}

} // namespace ns3
