/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-events.h"

#include "ns3/own-random-variable.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

PortEvents::PortEvents(std::function<void(bool)> notify)
    : m_notify(std::move(notify))
{
}

void
PortEvents::SetTime(Ptr<RandomVariableStream> seconds)
{
    m_time = seconds;
}

Ptr<RandomVariableStream>
PortEvents::GetTime() const
{
    return m_time;
}

int64_t
PortEvents::AssignStreams(int64_t stream)
{
    FixStream(m_time, stream);
    return m_time ? 1 : 0;
}

void
PortEvents::Preset(bool carrier)
{
    m_isUp = carrier;
}

void
PortEvents::Change(bool carrier)
{
    Simulator::Remove(m_event); // a cancelled event would prolong the simulation
    if (carrier && m_time)
    {
        const Picoseconds wait = DrawPicoseconds(m_time, "RailNetDevice: ProcessingTime");
        m_event = Simulator::Schedule(ToTime(wait), &PortEvents::Rise, this);
    }
    else if (carrier)
    {
        Rise();
    }
    else if (std::exchange(m_isUp, false))
    {
        m_notify(false);
    }
}

void
PortEvents::Rise()
{
    m_isUp = true;
    m_notify(true);
}

bool
PortEvents::IsUp() const
{
    return m_isUp;
}

void
PortEvents::Dispose()
{
    Simulator::Remove(m_event);
    m_time = nullptr;
}

} // namespace ns3
