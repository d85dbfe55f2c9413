/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shim-statistics.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <utility>

namespace ns3
{

ShimCounters&
ShimStatistics::Count()
{
    return m_counters;
}

const ShimCounters&
ShimStatistics::GetCounters() const
{
    return m_counters;
}

namespace
{

/** @return the sum of the lengths of all ranks' spans */
Time
SumLengths(const std::map<RankId, SpanUnion>& ranks)
{
    Picoseconds sum = 0;
    for (const auto& [rank, spans] : ranks)
    {
        sum += spans.GetLength();
    }
    return ToTime(sum);
}

} // namespace

Time
ShimStatistics::Answer(ShimNote note)
{
    note.exposed = note.answered - note.requested - note.others;
    // a wait ends with the link-up, if the agents have awaited that; LinkUpWatch has the link-up
    const Time forSwitching = std::max(Time(0), note.exposed - note.linkUp);
    note.hidden = std::max(Time(0), note.reconfiguration - note.linkUp - forSwitching);
    ParallelismTimes& times = m_counters.parallelisms[note.parallelism];
    ++times.answers;
    times.summedWaits += note.exposed;
    times.hidden += note.hidden;
    if (note.exposed.IsStrictlyPositive())
    {
        m_waits[note.rank].Add((note.answered - note.exposed).GetTimeStep(),
                               note.answered.GetTimeStep());
    }
    const Time exposed = note.exposed;
    m_notes.push_back(std::move(note));
    return exposed;
}

void
ShimStatistics::AddLinkUp(LinkUpNote note)
{
    ParallelismTimes& times = m_counters.parallelisms[note.parallelism];
    times.summedWaits += note.waited;
    times.hidden += note.hidden;
    times.hiddenLinkUp += note.hidden;
    if (note.waited.IsStrictlyPositive())
    {
        m_waits[note.rank].Add(note.answered.GetTimeStep(),
                               (note.answered + note.waited).GetTimeStep());
    }
    if (note.exposedFrom < note.exposedTo)
    {
        m_linkUps[note.rank].Add(note.exposedFrom.GetTimeStep(), note.exposedTo.GetTimeStep());
    }
    m_linkUpNotes.push_back(std::move(note));
}

std::vector<LinkUpNote>
ShimStatistics::TakeLinkUps()
{
    return std::exchange(m_linkUpNotes, {});
}

std::vector<ShimNote>
ShimStatistics::TakeNotes()
{
    return std::exchange(m_notes, {});
}

bool
ShimStatistics::HasManyWaits(RankId rank) const
{
    constexpr std::size_t MANY = 16;
    const auto areMany = [rank](const std::map<RankId, SpanUnion>& ranks) {
        const auto found = ranks.find(rank);
        return found != ranks.end() && found->second.CountSpans() >= MANY;
    };
    return areMany(m_waits) || areMany(m_linkUps);
}

void
ShimStatistics::WaitsAfter(RankId rank, Picoseconds instant)
{
    for (auto* spans : {&m_waits, &m_linkUps})
    {
        const auto found = spans->find(rank);
        if (found != spans->end())
        {
            found->second.BeginAfter(instant);
        }
    }
}

Time
ShimStatistics::GetExposed(RankId rank) const
{
    const auto waits = m_waits.find(rank);
    return ToTime(waits == m_waits.end() ? 0 : waits->second.GetLength());
}

Time
ShimStatistics::GetExposed() const
{
    return SumLengths(m_waits);
}

Time
ShimStatistics::GetExposedLinkUp() const
{
    return SumLengths(m_linkUps);
}

} // namespace ns3
