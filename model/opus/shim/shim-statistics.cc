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

void
ShimStatistics::Answer(ShimNote note)
{
    note.exposed = note.answered - note.requested - note.others;
    note.hidden = std::max(Time(0), note.reconfiguration - note.exposed);
    ParallelismTimes& times = m_counters.parallelisms[note.parallelism];
    ++times.answers;
    times.summedWaits += note.exposed;
    times.hidden += note.hidden;
    if (note.exposed.IsStrictlyPositive())
    {
        m_waits[note.rank].Add((note.answered - note.exposed).GetTimeStep(),
                               note.answered.GetTimeStep());
    }
    m_notes.push_back(std::move(note));
}

std::vector<ShimNote>
ShimStatistics::TakeNotes()
{
    return std::exchange(m_notes, {});
}

void
ShimStatistics::WaitsAfter(RankId rank, Picoseconds instant)
{
    const auto waits = m_waits.find(rank);
    if (waits != m_waits.end())
    {
        waits->second.BeginAfter(instant);
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
    Picoseconds sum = 0;
    for (const auto& [rank, waits] : m_waits)
    {
        sum += waits.GetLength();
    }
    return ToTime(sum);
}

} // namespace ns3
