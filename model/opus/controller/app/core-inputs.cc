/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "core-inputs.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

CoreInputs::CoreInputs(Callback<void> waitOver)
    : m_waitOver(waitOver),
      m_timer(MakeCallback(&CoreInputs::Expire, this))
{
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
    m_deadline = deadline;
    m_timer.Set(deadline);
}

void
CoreInputs::Expire()
{
    if (NowPicoseconds() < m_deadline)
    {
        m_timer.Set(m_deadline); // it was postponed
        return;
    }
    m_waitOver();
}

void
CoreInputs::End()
{
    SetDeadline(NEVER);
    m_arrived.clear();
    m_isDue = false;
}

} // namespace ns3
