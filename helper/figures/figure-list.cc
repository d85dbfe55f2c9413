/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-list.h"

#include "figure-definitions.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{

namespace
{

using Maker = Figure (*)();

const std::vector<std::pair<std::string, Maker>> FIGURES{
    {"emulation-16", &MakeEmulation16},
    {"emulation-64", &MakeEmulation64},
    {"simulation-128", &MakeSimulation128},
    {"simulation-512", &MakeSimulation512},
    {"simulation-2048", &MakeSimulation2048},
    {"dp-sweep", &MakeDpSweep},
    {"bandwidth-sweep", &MakeBandwidthSweep},
    {"ep-sweep", &MakeEpSweep},
    {"cost-h200", &MakeCostH200},
    {"cost-gb200", &MakeCostGb200},
    {"windows", &MakeWindows},
    {"technologies", &MakeTechnologies},
    {"link-up", &MakeLinkUp},
};

} // namespace

std::vector<std::string>
GetFigureNames()
{
    std::vector<std::string> names;
    for (const auto& [name, maker] : FIGURES)
    {
        names.push_back(name);
    }
    return names;
}

Figure
GetFigure(const std::string& name)
{
    for (const auto& [known, maker] : FIGURES)
    {
        if (known == name)
        {
            Figure figure = maker();
            figure.name = name;
            return figure;
        }
    }
    NS_ABORT_MSG("there is no figure " << name);
}

} // namespace ns3
