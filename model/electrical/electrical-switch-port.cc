/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-switch-port.h"

#include "electrical-rail-switch.h"

#include "ns3/abort.h"
#include "ns3/optical-fiber.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(ElectricalSwitchPort);

TypeId
ElectricalSwitchPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ElectricalSwitchPort")
            .SetParent<FiberPort>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<ElectricalSwitchPort>()
            .AddAttribute("DataRate",
                          "Rate of the port, preambles and gaps included. A change takes effect "
                          "with the next frame; headroom and marks stay what they were when "
                          "the simulation began, when the other end of the fiber must have the "
                          "same rate.",
                          DataRateValue(DataRate("400Gbps")),
                          MakeDataRateAccessor(&ElectricalSwitchPort::SetDataRate,
                                               &ElectricalSwitchPort::GetDataRate),
                          MakeDataRateChecker());
    return tid;
}

ElectricalSwitchPort::ElectricalSwitchPort() = default;
ElectricalSwitchPort::~ElectricalSwitchPort() = default;

void
ElectricalSwitchPort::DoDispose()
{
    m_switch = nullptr;
    FiberPort::DoDispose();
}

void
ElectricalSwitchPort::SetSwitch(ElectricalRailSwitch* owner, PortId id)
{
    m_switch = owner;
    m_id = id;
}

Ptr<ElectricalRailSwitch>
ElectricalSwitchPort::GetSwitch() const
{
    return m_switch;
}

PortId
ElectricalSwitchPort::GetPortId() const
{
    return m_id;
}

void
ElectricalSwitchPort::SetDataRate(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    "ElectricalSwitchPort: a DataRate of 0 sends nothing; give at least 1bps");
    m_rate = rate;
    if (m_switch != nullptr)
    {
        m_switch->SetRate(m_id, rate);
    }
}

DataRate
ElectricalSwitchPort::GetDataRate() const
{
    return m_rate;
}

void
ElectricalSwitchPort::ReceiveFrame(WireFrame&& frame)
{
    if (m_switch != nullptr)
    {
        m_switch->ReceiveFrame(m_id, std::move(frame));
    }
}

void
ElectricalSwitchPort::ReceiveLight(bool)
{
}

void
ElectricalSwitchPort::PresetLight(bool)
{
}

bool
ElectricalSwitchPort::EmitsLight() const
{
    return true;
}

Picoseconds
ElectricalSwitchPort::GetHandOver(const WireFrame& frame) const
{
    return m_switch != nullptr ? m_switch->GetHandOver(m_id, frame) : frame.last;
}

void
ElectricalSwitchPort::CheckDelayChange(Time delay) const
{
    NS_ABORT_MSG_IF(m_switch != nullptr && m_switch->IsInitialized(),
                    "ElectricalSwitchPort: the Delay of the fiber in port "
                        << m_id << " cannot change from " << m_fiber->GetDelay().GetTimeStep()
                        << " to " << delay.GetTimeStep()
                        << " ps: the switch has made headroom for it and looks ahead by it; set it "
                           "before the simulation begins");
}

} // namespace ns3
