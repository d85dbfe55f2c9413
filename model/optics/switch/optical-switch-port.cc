/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-switch-port.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpticalSwitchPort");

NS_OBJECT_ENSURE_REGISTERED(OpticalSwitchPort);

TypeId
OpticalSwitchPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::OpticalSwitchPort").SetParent<FiberPort>().SetGroupName("PhotonicRails");
    return tid;
}

OpticalSwitchPort::OpticalSwitchPort(PortId id)
    : m_id(id)
{
    NS_LOG_FUNCTION(this << id);
}

PortId
OpticalSwitchPort::GetPortId() const
{
    return m_id;
}

LightHistory<OpticalSwitchPort::Path>&
OpticalSwitchPort::GetHistory()
{
    return m_history;
}

const LightHistory<OpticalSwitchPort::Path>&
OpticalSwitchPort::GetHistory() const
{
    return m_history;
}

bool
OpticalSwitchPort::SeesLight() const
{
    return m_light;
}

void
OpticalSwitchPort::ReceiveLight(bool light)
{
    NS_LOG_FUNCTION(this << light);
    m_light = light;
    PassLight();
}

void
OpticalSwitchPort::PresetLight(bool light)
{
    ReceiveLight(light);
}

bool
OpticalSwitchPort::IsLit() const
{
    return m_history.IsLit();
}

Picoseconds
OpticalSwitchPort::GetLitSince() const
{
    return m_history.GetCurrent().from;
}

} // namespace ns3
