/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-switch-port.h"

#include "optical-circuit-switch.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OpticalSwitchPort);

TypeId
OpticalSwitchPort::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OpticalSwitchPort")
                            .SetParent<FiberPort>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OpticalSwitchPort>();
    return tid;
}

void
OpticalSwitchPort::DoDispose()
{
    m_switch = nullptr;
    FiberPort::DoDispose();
}

void
OpticalSwitchPort::SetSwitch(OpticalCircuitSwitch* owner, PortId id)
{
    m_switch = owner;
    m_id = id;
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
OpticalSwitchPort::ReceiveFrame(WireFrame&& frame)
{
    if (m_switch != nullptr)
    {
        m_switch->Relay(*this, std::move(frame));
    }
}

void
OpticalSwitchPort::ReceiveLight(bool light)
{
    m_light = light;
    if (m_switch != nullptr)
    {
        m_switch->PassLight(*this);
    }
}

void
OpticalSwitchPort::PresetLight(bool light)
{
    ReceiveLight(light);
}

bool
OpticalSwitchPort::EmitsLight() const
{
    return m_switch != nullptr && m_switch->LightLeaves(*this);
}

} // namespace ns3
