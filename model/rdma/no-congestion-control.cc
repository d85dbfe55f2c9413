/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "no-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NoCongestionControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<NoCongestionControl>();
    return tid;
}

std::unique_ptr<CongestionState>
NoCongestionControl::MakeState(DataRate) const
{
    return std::make_unique<CongestionState>();
}

} // namespace ns3
