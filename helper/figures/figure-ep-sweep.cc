/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeEpSweep()
{
    Figure figure;
    SetStudy(figure);
    figure.title = "A mixture of experts by expert parallelism, delay 10 ms: 256 GPUs, and 512";
    figure.rows = "GPUs, degree";
    figure.effort = "hours on two cores: ten minutes for the reconfigured values of 256 GPUs";
    figure.options = ListStudyOptions("H200");
    figure.options.insert(
        figure.options.end(),
        {"--model=DeepSeek-V3", "--layers=8", "--tp=1", "--microbatch-size=1", "--sequence=4096"});
    figure.assumptions.emplace_back("the model is not known here: 8 layers of DeepSeek-V3, one "
                                    "sequence of 4096 tokens for each rank, H200 in servers of 8");
    std::vector<JobColumn> columns;
    for (const JobColumn& column : ListSimulationColumns())
    {
        // splits and unions have the rings of groups, and no links for all pairs
        if (column.byDelay || column.name == "electrical")
        {
            columns.push_back(column);
        }
    }
    for (const uint32_t degree : {8, 16, 32, 64})
    {
        AddRow(figure,
               "256-EP-" + std::to_string(degree),
               columns,
               {"--dp=64", "--pp=4", "--ep=" + std::to_string(degree)},
               "10ms");
    }
    AddRow(figure, "512-EP-256", columns, {"--dp=256", "--pp=2", "--ep=256"}, "10ms");
    return figure;
}

} // namespace ns3
