/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "receiver-lock.h"

#include "ns3/log.h"
#include "ns3/own-random-variable.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ReceiverLock");

ReceiverLock::ReceiverLock(std::function<void(bool)> changed)
    : m_changed(std::move(changed))
{
}

void
ReceiverLock::SetLinkUpTime(Ptr<RandomVariableStream> seconds)
{
    m_linkUpTime = seconds;
}

Ptr<RandomVariableStream>
ReceiverLock::GetLinkUpTime() const
{
    return m_linkUpTime;
}

int64_t
ReceiverLock::AssignStreams(int64_t stream)
{
    FixStream(m_linkUpTime, stream);
    return 1;
}

void
ReceiverLock::Preset(bool light)
{
    m_locked.Reset();
    if (light)
    {
        m_locked.Rise(ALWAYS_BEFORE, true);
    }
}

void
ReceiverLock::Rise()
{
    m_lit = NowPicoseconds();
    if (!m_linkUpTime)
    {
        Lock();
        return;
    }
    const Picoseconds wait = DrawPicoseconds(m_linkUpTime, "RailNetDevice: LinkUpTime");
    NS_LOG_INFO("light has come: the receiver locks in " << ToTime(wait).As(Time::NS));
    m_locking = Simulator::Schedule(ToTime(wait), &ReceiverLock::Lock, this);
}

void
ReceiverLock::Fall()
{
    Simulator::Remove(m_locking); // a cancelled event would prolong the simulation
    if (m_locked.IsLit())
    {
        m_locked.Fall(NowPicoseconds());
        m_changed(false);
    }
}

void
ReceiverLock::Lock()
{
    m_linkUp = NowPicoseconds() - m_lit;
    m_locked.Rise(NowPicoseconds(), true);
    m_changed(true);
}

void
ReceiverLock::Dispose()
{
    Simulator::Remove(m_locking);
    m_linkUpTime = nullptr;
}

} // namespace ns3
