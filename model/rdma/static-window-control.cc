/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "static-window-control.h"

#include "static-window.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StaticWindowControl);

TypeId
StaticWindowControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StaticWindowControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<StaticWindowControl>()
                            .AddAttribute("Window",
                                          "Payload that may be on its way, in bytes.",
                                          UintegerValue(1 << 20),
                                          MakeUintegerAccessor(&StaticWindowControl::m_window),
                                          MakeUintegerChecker<uint64_t>(1));
    return tid;
}

std::unique_ptr<CongestionState>
StaticWindowControl::MakeState(DataRate) const
{
    return std::make_unique<StaticWindow>(m_window);
}

} // namespace ns3
