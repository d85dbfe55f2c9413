/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "electrical-switch-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ElectricalSwitchPort");

NS_OBJECT_ENSURE_REGISTERED(ElectricalSwitchPort);

TypeId
ElectricalSwitchPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::ElectricalSwitchPort")
            .SetParent<FiberPort>()
            .SetGroupName("PhotonicRails")
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

ElectricalSwitchPort::ElectricalSwitchPort(PortId id)
    : m_id(id)
{
    NS_LOG_FUNCTION(this << id);
}

ElectricalSwitchPort::~ElectricalSwitchPort()
{
    NS_LOG_FUNCTION(this);
}

PortId
ElectricalSwitchPort::GetPortId() const
{
    return m_id;
}

void
ElectricalSwitchPort::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    "ElectricalSwitchPort: a DataRate of 0 sends nothing; give at least 1bps");
    m_rate = rate;
    ApplyRate(rate);
}

DataRate
ElectricalSwitchPort::GetDataRate() const
{
    return m_rate;
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

bool
ElectricalSwitchPort::IsPrompt() const
{
    return true;
}

} // namespace ns3
