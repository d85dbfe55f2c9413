/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-definitions.h"
#include "figure-parts.h"

namespace ns3
{

Figure
MakeEmulation64()
{
    Figure figure;
    figure.title = "Llama3-8B on 64 A100: FSDP 8, pipeline 2, tensor 4; emulated delays";
    figure.source = FigureSources::OPUS;
    figure.rows = "delay";
    figure.unit = "s an iteration";
    figure.isCurve = true;
    figure.calibrated = "nothing here: the efficiency is that of emulation-16";
    figure.effort = "a minute and a half";
    figure.options = {"--dp=8"};
    const std::vector<JobColumn> columns{{"electrical", {"--policy=electrical"}},
                                         {"on-demand", {"--policy=on-demand"}, true},
                                         {"provisioned", {"--policy=provisioned"}, true}};
    AddByDelay(figure, columns, ListDelays());
    return figure;
}

} // namespace ns3
