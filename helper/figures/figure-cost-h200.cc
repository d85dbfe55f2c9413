/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-bill.h"
#include "figure-definitions.h"

namespace ns3
{

Figure
MakeCostH200()
{
    Figure figure;
    SetBill(figure);
    figure.title = "Cost and power of electrical rails against photonic rails, H200 at 400 Gb/s";
    const NetworkInputs inputs = NetworkInputs::Get("h200");
    for (const uint32_t servers : {64, 128, 256, 512})
    {
        for (const uint32_t dollars : {219, 879}) // of 2025 and 2026
        {
            PublishedColumn published;
            if (servers == 512 && dollars == 219)
            {
                published = {{"cost-saved-%", "70.46"}, {"power-saved-%", "95.84"}};
            }
            if (servers == 64 && dollars == 879)
            {
                published = {{"cost-ratio", "4.27"}, {"power-ratio", "23.86"}};
            }
            AddBill(figure, inputs, servers, dollars, published);
        }
    }
    return figure;
}

} // namespace ns3
