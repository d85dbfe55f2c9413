/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-record.h"

#include "ns3/picosecond-resolution.h"

#include <sstream>

namespace ns3
{

std::string
ToWords(const ControllerCounters& counters)
{
    std::ostringstream words;
    for (const uint64_t counter : {counters.requests,
                                   counters.grants,
                                   counters.refusals,
                                   counters.expiredGuesses,
                                   counters.reconfigurations,
                                   counters.programs,
                                   counters.noOpGrants,
                                   counters.conflicts,
                                   counters.recalls,
                                   counters.notReleased,
                                   counters.alarms,
                                   counters.foreign,
                                   counters.duplicates,
                                   counters.stale,
                                   counters.unknown,
                                   counters.cacheHits})
    {
        words << counter << " ";
    }
    return words.str();
}

void
ControllerRecord::SetTime(Picoseconds now)
{
    m_now = now;
}

Picoseconds
ControllerRecord::GetTime() const
{
    return m_now;
}

ControllerNote&
ControllerRecord::Note(ControllerNote::Kind kind, const OpusPhase& phase, const std::string& words)
{
    ControllerNote& note = m_notes.emplace_back();
    note.kind = kind;
    note.when = ToTime(m_now);
    note.phase = phase;
    note.words = words;
    return note;
}

std::vector<ControllerNote>
ControllerRecord::TakeNotes()
{
    std::vector<ControllerNote> notes;
    notes.swap(m_notes);
    return notes;
}

} // namespace ns3
