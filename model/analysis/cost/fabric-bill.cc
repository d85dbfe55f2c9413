/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-bill.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"

#include <sstream>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_SERVERS = 1'000'000;
constexpr uint32_t MOST_GPUS = 1'024; // of a server

void
Require(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer)
{
    const std::string mistake = GetFabricMistake(inputs, servers, gpusPerServer);
    NS_ABORT_MSG_UNLESS(mistake.empty(), "FabricBill: " << mistake);
}

/** @return the square root, rounded; in integers, since no root of an integer ends in a half */
uint64_t
RoundedRoot(uint64_t square)
{
    uint64_t root = 0;
    while ((root + 1) * (root + 1) <= square)
    {
        ++root;
    }
    return square - root * root > root ? root + 1 : root;
}

std::string
DescribeRails(uint32_t rails)
{
    return std::to_string(rails) + (rails == 1 ? " rail" : " rails");
}

/** Computes the figures that follow from the number of ports. */
void
Complete(FabricBill& bill, const NetworkInputs& inputs, uint64_t gpus)
{
    bill.transceivers = gpus * inputs.transceiversPerGpu.value;
    if (inputs.transceiversAtSwitches.value)
    {
        bill.transceivers += bill.switchPorts;
    }
    bill.watts = bill.switchPorts * inputs.GetSwitchWattsPerPort() +
                 bill.opticalPorts * inputs.GetOcsWattsPerPort() +
                 bill.transceivers * inputs.transceiverWatts.value;
    bill.dollars = bill.switchPorts * inputs.GetSwitchDollarsPerPort() +
                   bill.opticalPorts * inputs.ocsDollarsPerPort.value +
                   bill.transceivers * inputs.transceiverDollars.value;
}

} // namespace

uint64_t
FabricBill::GetOpticalParts() const
{
    return transceivers + opticalSwitches + opticalPorts;
}

uint64_t
FabricBill::GetElectricalParts() const
{
    return switches + switchPorts;
}

std::string
GetFabricMistake(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer)
{
    std::ostringstream why;
    if (servers == 0 || servers > MOST_SERVERS)
    {
        why << servers << " servers; give 1 to " << MOST_SERVERS;
    }
    else if (gpusPerServer == 0 || gpusPerServer > MOST_GPUS)
    {
        why << gpusPerServer << " GPUs a server; give 1 to " << MOST_GPUS;
    }
    else
    {
        why << inputs.GetMistake();
    }
    return why.str();
}

FabricBill
MakeElectricalRails(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer)
{
    Require(inputs, servers, gpusPerServer);
    const uint64_t gpus = uint64_t{servers} * gpusPerServer;
    const uint64_t k = RoundedRoot(4 * uint64_t{servers});
    const uint64_t ofRail = 2 * (servers / (k / 2));
    const uint64_t spines = gpus / k;

    FabricBill bill;
    bill.fabric = "electrical rails";
    bill.radix = k;
    bill.switches = ofRail * gpusPerServer + spines;
    bill.switchPorts = k * bill.switches;
    Complete(bill, inputs, gpus);
    std::ostringstream remark;
    remark << DescribeRails(gpusPerServer) << " of " << ofRail << " switches, and " << spines
           << (spines == 1 ? " spine" : " spines") << ", of " << k << " ports each";
    if (k > inputs.switchPorts.value)
    {
        remark << ", which is more than the " << inputs.switchPorts.value
               << " of a real one: it takes more switches";
    }
    bill.remark = remark.str();
    return bill;
}

FabricBill
MakeFatTree(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer)
{
    Require(inputs, servers, gpusPerServer);
    const uint64_t gpus = uint64_t{servers} * gpusPerServer;
    const uint64_t half = inputs.switchPorts.value / 2;
    uint64_t tiers = 1;
    for (uint64_t hosts = 2 * half; hosts < gpus; hosts *= half)
    {
        ++tiers;
    }

    FabricBill bill;
    bill.fabric = "fat tree";
    bill.radix = inputs.switchPorts.value;
    bill.switches = (tiers - 1) * DivideUp(gpus, half) + DivideUp(gpus, 2 * half);
    bill.switchPorts = (2 * tiers - 1) * gpus;
    Complete(bill, inputs, gpus);
    std::ostringstream remark;
    remark << tiers << (tiers == 1 ? " tier" : " tiers") << " of switches of " << bill.radix
           << " ports";
    bill.remark = remark.str();
    return bill;
}

FabricBill
MakePhotonicRails(const NetworkInputs& inputs, uint32_t servers, uint32_t gpusPerServer)
{
    Require(inputs, servers, gpusPerServer);
    const uint64_t gpus = uint64_t{servers} * gpusPerServer;
    const uint64_t radix = uint64_t{servers} * inputs.ocsPortsPerGpu.value;
    NS_ABORT_MSG_IF(radix > UINT32_MAX,
                    "FabricBill: a rail of " << radix << " ports; give at most " << UINT32_MAX
                                             << " by fewer servers or ports of a GPU");

    FabricBill bill;
    bill.fabric = "photonic rails";
    bill.radix = radix;
    bill.opticalSwitches = gpusPerServer;
    bill.opticalPorts = radix * gpusPerServer;
    Complete(bill, inputs, gpus);
    std::ostringstream remark;
    remark << DescribeRails(gpusPerServer) << " of one optical switch with " << radix << " ports";
    bill.remark = remark.str();
    return bill;
}

FabricComparison
CompareFabrics(const FabricBill& one, const FabricBill& other)
{
    NS_ABORT_MSG_UNLESS(one.dollars > 0 && one.watts > 0 && other.dollars > 0 && other.watts > 0,
                        "CompareFabrics(): " << one.fabric << " and " << other.fabric
                                             << " must cost and draw more than 0; give prices and "
                                                "powers that are not all 0");
    return {other.dollars / one.dollars,
            other.watts / one.watts,
            1 - one.dollars / other.dollars,
            1 - one.watts / other.watts};
}

} // namespace ns3
