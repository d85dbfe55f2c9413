/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

namespace
{

/** @return the share by which an iteration is longer than on packet switches, in percent */
double
GetOverhead(const FigureRun& run)
{
    constexpr double ELECTRICAL = 10.178; // seconds: the calibrated iteration of emulation-16
    return 100 * (run.figures.iteration / ELECTRICAL - 1);
}

} // namespace

Figure
MakeLinkUp()
{
    Figure figure;
    figure.title = "Llama3-8B on 16 A100 with NIC ports that come up 2 s after light";
    figure.source = FigureSources::OPUS;
    figure.rows = "policy";
    figure.unit = "s an iteration, and % more than the 10.178 s without a controller";
    figure.calibrated = "nothing here: the efficiency is that of emulation-16";
    figure.effort = "three seconds";
    figure.options = {"--reconfiguration=0s", "--link-up=2s"};
    for (const std::string policy : {"on-demand", "provisioned"})
    {
        FigurePoint seconds{policy, "iteration"};
        seconds.options = {"--policy=" + policy};
        seconds.measure = &GetIterationSeconds;
        FigurePoint more = seconds;
        more.column = "more";
        more.measure = &GetOverhead;
        figure.points.push_back(seconds);
        figure.points.push_back(more);
    }
    return figure;
}

} // namespace ns3
