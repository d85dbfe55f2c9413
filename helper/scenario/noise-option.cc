/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "noise-option.h"

#include "scenario-options.h"

#include "ns3/measured-noise.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/string.h"

namespace ns3
{

void
NoiseOption::Add(ScenarioOptions& options)
{
    options
        .Add("noise",
             "How computing and reconfiguration times vary; measured: as in real clusters "
             "(MeasuredNoise)",
             m_noise)
        .OneOf({"none", "measured"}, "noise");
}

bool
NoiseOption::IsMeasured() const
{
    return m_noise == "measured";
}

void
NoiseOption::SetUp(PhotonicRailHelper& rails, Time mean) const
{
    if (IsMeasured())
    {
        rails.SetSwitchAttribute("ReconfigurationTime",
                                 StringValue(MeasuredNoise::MakeReconfigurationTime(mean)));
    }
}

Time
NoiseOption::GetLongest(Time mean) const
{
    return IsMeasured() ? MeasuredNoise::GetLongestReconfiguration(mean) : mean;
}

} // namespace ns3
