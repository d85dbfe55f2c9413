/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "capture-option.h"

#include "scenario-options.h"

namespace ns3
{

void
CaptureOption::Add(ScenarioOptions& options, const std::string& help)
{
    options.Add("pcap", help, prefix);
}

void
CaptureOption::Check(ScenarioOptions& options, uint64_t bytes) const
{
    const uint64_t most = 1ULL << 34;
    options.Require(prefix.empty() || bytes <= most,
                    "bytes",
                    "with --pcap give " + std::to_string(most) + " or less");
    if (!prefix.empty())
    {
        options.Claim("pcap", {prefix + "-0-0.pcap", prefix + "-1-0.pcap"});
    }
}

void
CaptureOption::Enable(PhotonicRailHelper& helper, const Rail& rail) const
{
    if (!prefix.empty())
    {
        helper.EnablePcap(prefix, rail.GetNics());
    }
}

} // namespace ns3
