/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

#include "ns3/ocs-scale.h"

#include <map>

namespace ns3
{

namespace
{

/** The published row of a technology. */
struct PublishedTechnology
{
    const char* reconfiguration; //!< milliseconds
    const char* radix;
    const char* gpus72; //!< with servers of 72 GPUs
    const char* gpus8;
};

/** The table of technologies of the paper. */
const std::map<std::string, PublishedTechnology> PUBLISHED{
    {"plzt", {"0.00001", "16", "576", "64"}},
    {"sip", {"0.007", "32", "1152", "128"}},
    {"rotornet", {"0.01", "128", "4608", "512"}},
    {"mems", {"15", "320", "11520", "1280"}},
    {"piezo", {"25", "576", "20736", "2304"}},
    {"liquid-crystal", {"100", "512", "18432", "2048"}},
    {"robotic", {"120000", "1008", "36288", "4032"}},
};

} // namespace

Figure
MakeTechnologies()
{
    Figure figure;
    figure.title = "Optical switches, and the GPUs that a rail of one switch joins";
    figure.source = FigureSources::RAILS;
    figure.rows = "technology";
    figure.unit = "ms, ports and GPUs";
    figure.calibrated = "nothing";
    figure.effort = "no time: nothing is simulated";
    const std::vector<OcsScale> small = ListOcsScale(8);
    const std::vector<OcsScale> large = ListOcsScale(72);
    for (std::size_t i = 0; i < small.size(); ++i)
    {
        const OcsScale& one = small[i];
        const auto found = PUBLISHED.find(one.name);
        const PublishedTechnology there =
            found == PUBLISHED.end() ? PublishedTechnology{"", "", "", ""} : found->second;
        const auto add =
            [&](const std::string& column, const char* published, double value, int decimals) {
                FigurePoint point{one.name, column, published};
                point.compute = [value] { return value; };
                point.decimals = decimals;
                figure.points.push_back(point);
            };
        add("reconfiguration", there.reconfiguration, one.reconfiguration.GetSeconds() * 1e3, 5);
        add("radix", there.radix, one.radix, 0);
        add("GPUs-GB200", there.gpus72, large[i].gpus, 0);
        add("GPUs-H200", there.gpus8, one.gpus, 0);
    }
    return figure;
}

} // namespace ns3
