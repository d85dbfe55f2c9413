/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-limits.h"

#include "ns3/abort.h"

namespace ns3
{

void
RequireAtLeast(Time value, Picoseconds limit, const std::string& attribute)
{
    NS_ABORT_MSG_IF(value.GetTimeStep() < limit,
                    attribute << " of " << value.GetTimeStep() << " ps; set it to " << limit
                              << " ps or more");
}

void
RequireAtMost(Time value, Picoseconds limit, const std::string& attribute)
{
    NS_ABORT_MSG_IF(value.GetTimeStep() > limit,
                    attribute << " of " << value.GetTimeStep() << " ps; set it to " << limit
                              << " ps or less");
}

void
RequireRate(const DataRate& rate, const std::string& attribute)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() < LEAST_RATE || rate.GetBitRate() > MOST_RATE,
                    attribute << " of " << rate.GetBitRate() << "bps; give 1Mbps to 1000Tbps");
}

} // namespace ns3
