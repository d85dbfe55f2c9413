/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "switch-picture.h"

#include "ns3/abort.h"
#include "ns3/exact-decimal.h"
#include "ns3/simulator.h"

namespace ns3
{

CircuitMapPicture
MakeCircuitMap(const OpticalCircuitSwitch& middle)
{
    CircuitMapPicture picture;
    picture.title = "Circuits at " + ToInstantText(Simulator::Now());
    for (uint32_t port = 0; port < middle.GetPorts(); ++port)
    {
        picture.ports.push_back({"", std::to_string(port)});
    }
    for (const Circuit& circuit : middle.GetMap().GetCircuits())
    {
        picture.circuits.push_back(
            {circuit.low.Get(), circuit.high.Get(), middle.IsUp(circuit.low), ""});
    }
    return picture;
}

CircuitMapPicture
MakeCircuitMap(const Rail& rail, const std::string& hosts)
{
    const Ptr<OpticalCircuitSwitch> middle = rail.GetOpticalSwitch();
    NS_ABORT_MSG_UNLESS(middle,
                        "MakeCircuitMap: rail " << rail.GetId()
                                                << " has no optical switch, so it has no circuits");
    CircuitMapPicture picture = MakeCircuitMap(*middle);
    picture.title =
        "Circuits of rail " + std::to_string(rail.GetId().Get()) + picture.title.substr(8);
    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
    {
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            picture.ports.at(rail.GetSwitchPort(gpu, port).Get()).host =
                hosts + " " + std::to_string(gpu);
        }
    }
    return picture;
}

void
WriteCircuitMap(std::ostream& os, const OpticalCircuitSwitch& middle)
{
    os << MakeCircuitMap(middle).Draw();
}

void
WriteCircuitMap(std::ostream& os, const Rail& rail, const std::string& hosts)
{
    os << MakeCircuitMap(rail, hosts).Draw();
}

} // namespace ns3
