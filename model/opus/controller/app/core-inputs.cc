/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "core-inputs.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

CoreInputs::CoreInputs(Callback<void> waitOver)
    : m_waitOver(waitOver)
{
}

CoreInputs::~CoreInputs()
{
    m_timer.Cancel(); // after the end of the simulation it cannot be removed
}

void
CoreInputs::Add(const OpusMessage& message)
{
    m_arrived.push_back(message);
}

void
CoreInputs::MarkDue()
{
    m_isDue = true;
}

bool
CoreInputs::IsDue() const
{
    return m_isDue || !m_arrived.empty();
}

std::vector<OpusMessage>
CoreInputs::Take()
{
    m_isDue = false;
    std::vector<OpusMessage> taken;
    taken.swap(m_arrived);
    return taken;
}

void
CoreInputs::SetDeadline(Picoseconds deadline)
{
    if (deadline == m_timerAt && !m_timer.IsExpired())
    {
        return;
    }
    Simulator::Remove(m_timer);
    m_timerAt = deadline;
    if (deadline != NEVER)
    {
        const Picoseconds wait = std::max(Picoseconds{0}, deadline - NowPicoseconds());
        m_timer = Simulator::Schedule(ToTime(wait), &CoreInputs::Expire, this);
    }
}

void
CoreInputs::Expire()
{
    m_waitOver();
}

void
CoreInputs::End()
{
    Simulator::Remove(m_timer); // not Cancel: see OpusControllerApp::End()
    m_timerAt = NEVER;
    m_arrived.clear();
    m_isDue = false;
}

} // namespace ns3
