/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeBandwidthSweep()
{
    Figure figure;
    SetStudy(figure);
    figure.title = "The 80B-class model on 128 H200 by the rate of the NIC, delay 10 ms";
    figure.rows = "rate";
    figure.effort = "seven minutes on two cores";
    figure.shape = MakeStudyModel80();
    figure.shapeFile = "80b-class.json";
    figure.options = ListStudyOptions("H200");
    figure.options.insert(figure.options.end(),
                          {"--dp=4", "--pp=4", "--microbatch-size=64", "--sequence=4096"});
    figure.assumptions.push_back(figure.shape->source);
    for (const std::string rate : {"12.5GB/s", "25GB/s", "50GB/s", "100GB/s", "200GB/s"})
    {
        AddRow(figure, rate, ListSimulationColumns(), {"--nic-rate=" + rate}, "10ms");
    }
    return figure;
}

} // namespace ns3
