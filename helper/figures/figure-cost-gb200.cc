/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-bill.h"
#include "figure-definitions.h"

namespace ns3
{

Figure
MakeCostGb200()
{
    Figure figure;
    SetBill(figure);
    figure.title = "Cost and power of electrical rails against photonic rails, GB200 at 800 Gb/s";
    figure.assumptions = {"transceivers at the GPUs only, as the artifact counts"};
    NetworkInputs inputs = NetworkInputs::Get("gb200");
    inputs.transceiversAtSwitches = {false, "at the GPUs only, as in the artifact"};
    for (const uint32_t servers : {8, 16, 32, 64, 128})
    {
        AddBill(figure, inputs, servers, 879);
    }
    return figure;
}

} // namespace ns3
