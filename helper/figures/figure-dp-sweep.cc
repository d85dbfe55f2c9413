/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeDpSweep()
{
    Figure figure;
    SetStudy(figure);
    figure.title =
        "The 80B-class model by data parallelism, delay 10 ms: H200 with tensor 8, GB200 "
        "with tensor 32, pipeline 4";
    figure.rows = "GPU, degree";
    figure.effort = "forty minutes on two cores";
    figure.shape = MakeStudyModel80();
    figure.shapeFile = "80b-class.json";
    figure.options = {"--pp=4", "--sequence=4096"};
    figure.assumptions.push_back(figure.shape->source);
    figure.assumptions.emplace_back("256 sequences an iteration, whatever the degree");
    for (const std::string gpu : {"H200", "GB200"})
    {
        for (const uint32_t degree : {2, 4, 8, 16})
        {
            std::vector<std::string> options = ListStudyOptions(gpu);
            options.push_back("--dp=" + std::to_string(degree));
            options.push_back("--microbatch-size=" + std::to_string(256 / degree));
            AddRow(figure,
                   gpu + "-DP-" + std::to_string(degree),
                   ListSimulationColumns(),
                   options,
                   "10ms");
        }
    }
    return figure;
}

} // namespace ns3
