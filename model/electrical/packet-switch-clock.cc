/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-switch-clock.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

PacketSwitchClock::PacketSwitchClock(PacketSwitchCore& core)
    : m_core(core)
{
}

void
PacketSwitchClock::Start(Picoseconds slack, uint32_t node)
{
    m_slack = slack;
    m_node = node;
    m_started = true;
}

void
PacketSwitchClock::CatchUp()
{
    if (m_processing || !m_started)
    {
        return; // called by a trace callback, at an instant of the switch's own
    }
    m_processing = true;
    m_core.Process(NowPicoseconds() - 1);
    m_processing = false;
    Arm();
}

void
PacketSwitchClock::WakeAt(Picoseconds at)
{
    if (m_wakeAt != NEVER)
    {
        m_wake.Cancel();
    }
    m_wakeAt = at;
    m_wake.Schedule(m_node, ToTime(at - NowPicoseconds()), [this] { Wake(); });
}

void
PacketSwitchClock::Wake()
{
    m_wakeAt = NEVER;
    CatchUp();
}

void
PacketSwitchClock::Dispose()
{
    m_wake.Cancel();
}

} // namespace ns3
