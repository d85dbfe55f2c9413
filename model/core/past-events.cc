/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "past-events.h"

#include "ns3/assert.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3
{

Picoseconds PastEvents::s_now = NEVER;
PastEvents* PastEvents::s_current = nullptr;

PastEvents::PastEvents()
{
    NS_ASSERT_MSG(s_current == nullptr, "PastEvents: the past is being simulated already");
    s_current = this;
    s_now = ALWAYS_BEFORE;
}

PastEvents::~PastEvents()
{
    s_current = nullptr;
    s_now = NEVER;
    const Picoseconds now = Simulator::Now().GetTimeStep();
    for (const auto& [at, event] : m_events)
    {
        event.call->Ref(); // the simulator takes over a reference
        Simulator::ScheduleWithContext(event.context, TimeStep(at - now), PeekPointer(event.call));
    }
}

void
PastEvents::AdvanceTo(Picoseconds instant)
{
    NS_ASSERT_MSG(instant >= s_now, "PastEvents: time goes forward only");
    while (!m_events.empty() && m_events.begin()->first < instant)
    {
        CallFirst();
    }
    s_now = instant;
}

void
PastEvents::Finish()
{
    while (!m_events.empty() && m_events.begin()->first <= s_now)
    {
        CallFirst();
    }
}

void
PastEvents::CallFirst()
{
    const auto first = m_events.begin();
    s_now = first->first;
    const Ptr<EventImpl> call = first->second.call;
    m_events.erase(first);
    call->Invoke();
}

void
PastEvents::Schedule(uint32_t context, Picoseconds at, EventImpl* event)
{
    s_current->m_events.emplace(at, Event{context, Ptr<EventImpl>(event, false)});
}

} // namespace ns3
