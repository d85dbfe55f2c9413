/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeEmulation16()
{
    Figure figure;
    figure.title = "Llama3-8B on 16 A100: FSDP 2, pipeline 2, tensor 4; emulated delays";
    figure.source = FigureSources::OPUS;
    figure.rows = "delay";
    figure.unit = "s an iteration";
    figure.isCurve = true;
    figure.calibrated = "the efficiency of the A100, on the iteration without a controller";
    figure.effort = "a minute";
    // sequences of 8192 tokens, micro-batches of 4, resharding, full recomputation: the defaults
    std::vector<std::string> delays = ListDelays();
    delays.insert(delays.end(), {"2s", "3s"});
    const std::vector<JobColumn> columns{
        {"electrical", {"--policy=electrical"}, false, {{NO_DELAY, "10.178"}}},
        {"on-demand",
         {"--policy=on-demand"},
         true,
         {{"0s", "10.442"},
          {"10ms", "10.461"},
          {"50ms", "10.682"},
          {"100ms", "10.904"},
          {"250ms", "11.884"},
          {"500ms", "13.108"},
          {"750ms", "14.157"},
          {"1s", "15.401"},
          {"2s", "21.23"},
          {"3s", "27.32"}}},
        {"provisioned",
         {"--policy=provisioned"},
         true,
         {{"0s", "10.222"},
          {"10ms", "10.371"},
          {"50ms", "10.320"},
          {"100ms", "10.614"},
          {"250ms", "11.269"},
          {"500ms", "12.557"},
          {"750ms", "13.954"},
          {"1s", "15.122"},
          {"2s", "20.35"},
          {"3s", "26.43"}}}};
    AddByDelay(figure, columns, delays);
    return figure;
}

} // namespace ns3
