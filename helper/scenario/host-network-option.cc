/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-network-option.h"

#include "scenario-options.h"

#include "ns3/option-value.h"

namespace ns3
{

void
HostNetworkOption::Add(ScenarioOptions& options)
{
    options.Add("host-network",
                "Rate of each server's link, such as 25Gbps, of a network for what it carries "
                "sooner than circuits; none: there is no such network",
                rate);
}

std::string
HostNetworkOption::FindMistake() const
{
    const std::string why = rate == "none" ? "" : ParseRate(rate).why;
    return why.empty() ? "" : why + ", or none";
}

DataRate
HostNetworkOption::Get() const
{
    return rate == "none" ? DataRate(0) : ParseRate(rate).value;
}

} // namespace ns3
