/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-batch-mode.h"

#include "ns3/batch-port.h"
#include "ns3/batch-switch.h"
#include "ns3/circuit-train.h"
#include "ns3/log.h"
#include "ns3/optical-fiber.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PortBatchMode");

bool
PortBatchMode::Attempt(BatchPort& port)
{
    Ptr<OpticalFiber> fiber = port.GetFiber();
    auto* gate = fiber ? dynamic_cast<BatchSwitch*>(fiber->PeekPeer(&port)) : nullptr;
    const bool entered = gate != nullptr ? gate->EnterTrains(m_counters.why)
                                         : CircuitTrain::Enter(port, m_counters.why) != nullptr;
    if (!entered)
    {
        NS_LOG_INFO("packet events go on at " << port.GetAddress() << ": " << m_counters.why);
        ++m_counters.refused;
    }
    return entered;
}

bool
PortBatchMode::AttemptAhead(BatchPort& port)
{
    std::string why;
    return CircuitTrain::Enter(port, why) != nullptr;
}

void
PortBatchMode::Enter(Ptr<BatchMode> mode, uint32_t end)
{
    NS_LOG_FUNCTION(this << end);
    m_mode = mode;
    m_end = end;
    ++m_counters.entered;
}

void
PortBatchMode::NoteLeft(const std::string& why)
{
    NS_LOG_FUNCTION(this << why);
    ++m_counters.left;
    m_counters.why = why;
    m_mode = nullptr;
}

void
PortBatchMode::Forget()
{
    NS_LOG_FUNCTION(this);
    m_mode = nullptr;
}

void
PortBatchMode::Abandon()
{
    NS_LOG_FUNCTION(this);
    if (m_mode)
    {
        m_mode->Abandon();
    }
}

} // namespace ns3
