/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "stall-watch.h"

#include "ns3/event-delay.h"
#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("StallWatch");

StallWatch::StallWatch(std::function<bool()> isComputing,
                       std::function<void()> stalled,
                       std::function<Picoseconds()> latest)
    : m_isComputing(std::move(isComputing)),
      m_stalled(std::move(stalled)),
      m_latest(std::move(latest))
{
}

void
StallWatch::Start(Time limit)
{
    NS_LOG_FUNCTION(this << limit);
    m_limit = limit;
    m_running = true;
}

void
StallWatch::Stop()
{
    NS_LOG_FUNCTION(this);
    m_running = false;
    m_checks = false;
    Simulator::Remove(m_check); // else the run would go on until the check
}

void
StallWatch::NoteProgress()
{
    NoteEarlierProgress(NowPicoseconds()); // the past may be simulated
    if (m_running && !m_checks)
    {
        CheckIn(DelayOf(m_limit));
    }
}

void
StallWatch::NoteEarlierProgress(Picoseconds at)
{
    m_progress = std::max(m_progress, at);
}

void
StallWatch::Check()
{
    NS_LOG_FUNCTION(this);
    m_checks = false;
    NoteEarlierProgress(m_latest());
    const Picoseconds limit = m_limit.GetTimeStep();
    const Picoseconds due = AddSaturating(m_progress, limit);
    const bool computing = m_isComputing();
    if (NowPicoseconds() < due || computing)
    {
        // a computation may take any time
        const Picoseconds next = computing ? AddSaturating(NowPicoseconds(), limit) : due;
        CheckIn(ToTime(next - NowPicoseconds()));
        return;
    }
    m_stalled();
}

void
StallWatch::CheckIn(Time delay)
{
    m_checks = true;
    m_check = Simulator::Schedule(delay, &StallWatch::Check, this);
}

} // namespace ns3
