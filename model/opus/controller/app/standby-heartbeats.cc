/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "standby-heartbeats.h"

#include "ns3/event-delay.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

namespace ns3
{

StandbyHeartbeats::StandbyHeartbeats(SendCallback send, Callback<void> probe)
    : m_send(send),
      m_probe(probe)
{
}

StandbyHeartbeats::~StandbyHeartbeats()
{
    m_beat.Cancel(); // after the end of the simulation it cannot be removed
}

void
StandbyHeartbeats::SetInterval(Time interval)
{
    m_interval = interval;
}

void
StandbyHeartbeats::SetStandby(bool hasStandby)
{
    m_hasStandby = hasStandby;
}

bool
StandbyHeartbeats::HasStandby() const
{
    return m_hasStandby;
}

void
StandbyHeartbeats::Begin()
{
    if (m_hasStandby)
    {
        ScheduleNext();
    }
}

void
StandbyHeartbeats::BeginTerm(bool hasStandby)
{
    m_active.Clear();
    m_hasStandby = hasStandby;
    if (m_hasStandby)
    {
        m_send(false);
        ScheduleNext();
    }
}

void
StandbyHeartbeats::End()
{
    Simulator::Remove(m_beat); // not Cancel: see OpusControllerApp::End()
    m_active.Clear();
}

void
StandbyHeartbeats::Register(const ShimName& shim)
{
    m_active.Register(shim, NowPicoseconds());
    if (m_hasStandby && m_beat.IsExpired())
    {
        Beat();
    }
}

void
StandbyHeartbeats::NoteMessage(const ShimName& shim)
{
    m_active.NoteContact(shim, NowPicoseconds());
}

std::vector<ShimName>
StandbyHeartbeats::TakeSilent(Time silence)
{
    return m_active.TakeSilent(NowPicoseconds(), silence.GetTimeStep());
}

bool
StandbyHeartbeats::Remove(const ShimName& shim)
{
    const bool isLast = m_active.Remove(shim);
    if (isLast && m_hasStandby)
    {
        Simulator::Remove(m_beat);
        m_send(true);
    }
    return isLast;
}

void
StandbyHeartbeats::RemoveAll()
{
    const bool wereAny = !m_active.IsEmpty();
    m_active.Clear();
    if (wereAny && m_hasStandby)
    {
        Simulator::Remove(m_beat);
        m_send(true);
    }
}

void
StandbyHeartbeats::Join()
{
    m_hasStandby = true;
    Simulator::Remove(m_beat);
    Beat();
}

void
StandbyHeartbeats::LoseStandby()
{
    m_hasStandby = false;
    Simulator::Remove(m_beat);
}

void
StandbyHeartbeats::SendOne()
{
    m_send(m_active.IsEmpty());
}

void
StandbyHeartbeats::Beat()
{
    SendOne();
    if (!m_active.IsEmpty())
    {
        m_probe();
        ScheduleNext();
    }
}

void
StandbyHeartbeats::ScheduleNext()
{
    // the first of all comes late enough: by then a shim has registered, or there is nothing to
    // take over
    m_beat = Simulator::Schedule(DelayOf(m_interval), &StandbyHeartbeats::Beat, this);
}

} // namespace ns3
