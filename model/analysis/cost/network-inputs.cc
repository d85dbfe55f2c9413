/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "network-inputs.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

namespace
{

// The cost study published with "Opus" (arXiv 2602.12521; repository opusfabric/Opus, the folder
// simulation/reconfig_backend, plot_H200.py and plot_GB200.py) names the vendor or data sheet of
// each figure. The workshop paper, "Photonic Rails in ML Datacenters" (arXiv 2507.08119), has the
// same study with the price of a 400G transceiver in 2025.
const char* const STUDY = "cost study of Opus, arXiv 2602.12521";
const char* const POLATIS = "Polatis 6000N, in the cost study of Opus, arXiv 2602.12521";

/** @return the common figures of the generations; the rest is empty */
NetworkInputs
MakeCommon(const std::string& name, const std::string& product)
{
    NetworkInputs inputs;
    inputs.name = name;
    inputs.product = product;
    inputs.ocsPorts = {192, POLATIS};
    inputs.ocsWatts = {75, POLATIS};
    inputs.ocsDollarsPerPort = {520, STUDY};
    inputs.ocsPortsPerGpu = {2, STUDY};
    inputs.transceiversPerGpu = {1, STUDY};
    inputs.transceiversAtSwitches = {true, "a link over a fiber has a transceiver at either end"};
    return inputs;
}

NetworkInputs
MakeH200(const std::string& name, const SourcedFigure<double>& price)
{
    const char* const fs = "fs.com 149853, in the cost study of Opus, arXiv 2602.12521";
    NetworkInputs inputs = MakeCommon(name, "H200 with ports of 400 Gb/s");
    inputs.gpusPerServer = {8, "NVIDIA DGX H200"};
    inputs.switchPorts = {64, fs};
    inputs.switchWatts = {2524, fs};
    inputs.switchDollars = {37299, fs};
    inputs.transceiverWatts = {10, "fs.com 110530, in the cost study of Opus, arXiv 2602.12521"};
    inputs.transceiverDollars = price;
    return inputs;
}

NetworkInputs
MakeGb200()
{
    const char* const q3400 = "NVIDIA Q3400-RA, in the cost study of Opus, arXiv 2602.12521";
    const char* const fs = "fs.com 229253, in the cost study of Opus, arXiv 2602.12521";
    NetworkInputs inputs = MakeCommon("gb200", "GB200 with ports of 800 Gb/s");
    inputs.gpusPerServer = {72, "NVIDIA GB200 NVL72"};
    inputs.switchPorts = {144, q3400};
    inputs.switchWatts = {7000, q3400};
    inputs.switchDollars = {149939, q3400};
    inputs.transceiverWatts = {16, fs};
    inputs.transceiverDollars = {879, fs};
    return inputs;
}

template <typename T>
NetworkInput
MakeInput(const std::string& name, const SourcedFigure<T>& figure, const std::string& unit)
{
    return {name, static_cast<double>(figure.value), unit, figure.source};
}

} // namespace

std::vector<NetworkInputs>&
NetworkInputs::GetAll()
{
    static std::vector<NetworkInputs> all{
        MakeH200("h200", {219, "400G in 2025, cost study of arXiv 2507.08119"}),
        MakeH200("h200-2026", {879, "fs.com 229253, cost study of Opus, arXiv 2602.12521"}),
        MakeGb200(),
    };
    return all;
}

const NetworkInputs*
NetworkInputs::Find(const std::string& name)
{
    const auto& all = GetAll();
    const auto found = std::find_if(all.begin(), all.end(), [&name](const NetworkInputs& one) {
        return one.name == name;
    });
    return found == all.end() ? nullptr : &*found;
}

const NetworkInputs&
NetworkInputs::Get(const std::string& name)
{
    const KnownName known = FindKnownName(name, GetNamesOf(GetAll()), "generation");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "NetworkInputs: " << name << ": " << known.why);
    return *Find(known.name);
}

double
NetworkInputs::GetSwitchWattsPerPort() const
{
    return switchWatts.value / switchPorts.value;
}

double
NetworkInputs::GetSwitchDollarsPerPort() const
{
    return switchDollars.value / switchPorts.value;
}

double
NetworkInputs::GetOcsWattsPerPort() const
{
    return ocsWatts.value / ocsPorts.value;
}

std::vector<NetworkInput>
NetworkInputs::List() const
{
    return {MakeInput("ports of a packet switch", switchPorts, ""),
            MakeInput("power of a packet switch", switchWatts, "W"),
            MakeInput("price of a packet switch", switchDollars, "dollars"),
            MakeInput("power of a transceiver", transceiverWatts, "W"),
            MakeInput("price of a transceiver", transceiverDollars, "dollars"),
            MakeInput("transceivers of a GPU", transceiversPerGpu, ""),
            MakeInput("transceivers of a packet switch's port", transceiversAtSwitches, ""),
            MakeInput("ports of an optical switch", ocsPorts, ""),
            MakeInput("power of an optical switch", ocsWatts, "W"),
            MakeInput("price of an optical switch's port", ocsDollarsPerPort, "dollars"),
            MakeInput("optical switch ports of a GPU", ocsPortsPerGpu, "")};
}

std::string
NetworkInputs::GetMistake() const
{
    std::ostringstream why;
    for (const NetworkInput& input : List())
    {
        if (!std::isfinite(input.value) || input.value < 0)
        {
            why << input.name << " is " << input.value << "; give 0 or more";
            return why.str();
        }
    }
    if (switchPorts.value < 4 || switchPorts.value % 2 != 0)
    {
        why << "a packet switch has " << switchPorts.value
            << " ports; give an even number of 4 or more: half of them lead up";
    }
    else if (ocsPorts.value == 0 || ocsPortsPerGpu.value == 0 || transceiversPerGpu.value == 0)
    {
        why << "an optical switch has " << ocsPorts.value << " ports, and a GPU "
            << ocsPortsPerGpu.value << " of them and " << transceiversPerGpu.value
            << " transceivers; give 1 or more of each";
    }
    return why.str();
}

} // namespace ns3
