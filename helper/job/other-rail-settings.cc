/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "other-rail-settings.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

namespace ns3
{

void
OtherRailSettings::Apply(OpusHelper& opus, RdmaHelper& rdma, CollectiveHelper& collectives) const
{
    opus.SetControllerAttribute("Fallback", StringValue("OtherRail"));
    opus.SetShimAttribute("ReportOutages", BooleanValue(true));
    if (hasLinkUpTime)
    {
        opus.SetAgentAttribute("DoneWhen", StringValue("Carrier"));
    }
    rdma.SetAttribute("DarkLimit", TimeValue(detectAfter));
    collectives.SetReceiptLatency(receiptLatency);
}

} // namespace ns3
