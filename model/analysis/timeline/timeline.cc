/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline.h"

#include "ns3/abort.h"
#include "ns3/exact-decimal.h"

#include <algorithm>

namespace ns3
{

namespace
{

const char* const HEAD = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
const char* const TAIL = "\n]}\n";

} // namespace

std::string
ToMicroseconds(Time time)
{
    return ToExactDecimal(time.GetTimeStep(), 6);
}

TimelineArguments&
TimelineArguments::AddMicroseconds(const std::string& key, Time span)
{
    return AddText(key, ToMicroseconds(span));
}

TimelineArguments&
TimelineArguments::AddText(const std::string& key, const std::string& text)
{
    std::ostringstream name;
    JsonWriter(name).Value(key);
    m_members += (m_members.empty() ? "" : ",") + name.str() + ":" + text;
    return *this;
}

// ---------------------------------------------------------------------- the timeline

Timeline::Timeline(const std::string& filename)
    : m_file(std::make_unique<ReadableFile>(filename, ReadableFile::Form{HEAD, TAIL}))
{
}

Timeline::~Timeline()
{
    Finish();
}

Time
Timeline::GetLast() const
{
    return m_last;
}

void
Timeline::Finish()
{
    m_file.reset();
}

TimelineProcess
Timeline::AddProcess(const std::string& name)
{
    const TimelineProcess process(++m_processes);
    Describe("process_name", process, nullptr, TimelineArguments().Add("name", name));
    Describe("process_sort_index",
             process,
             nullptr,
             TimelineArguments().Add("sort_index", process.Get()));
    return process;
}

TimelineTrack
Timeline::AddTrack(TimelineProcess process, const std::string& name)
{
    return AddTrack(process, name, m_tracks.size() + 1);
}

TimelineTrack
Timeline::AddTrack(TimelineProcess process, const std::string& name, uint32_t place)
{
    NS_ABORT_MSG_UNLESS(process.Get() >= 1 && process.Get() <= m_processes,
                        "Timeline: track \"" << name << "\" is to be of process " << process
                                             << ", and there are " << m_processes
                                             << ", counted from 1; AddProcess() gives one");
    m_tracks.push_back(process);
    const TimelineTrack track(m_tracks.size());
    Describe("thread_name", process, &track, TimelineArguments().Add("name", name));
    Describe("thread_sort_index", process, &track, TimelineArguments().Add("sort_index", place));
    return track;
}

void
Timeline::Slice(TimelineTrack track,
                const std::string& name,
                Time start,
                Time end,
                const TimelineArguments& arguments)
{
    NS_ABORT_MSG_IF(end < start,
                    "Timeline: slice \"" << name << "\" ends at " << end.GetTimeStep()
                                         << " ps, before it starts at " << start.GetTimeStep()
                                         << " ps");
    m_last = std::max(m_last, end);
    Begin("X", track, start) << ",\"dur\":" << ToMicroseconds(end - start);
    End(name, arguments);
}

void
Timeline::Instant(TimelineTrack track,
                  const std::string& name,
                  Time when,
                  const TimelineArguments& arguments)
{
    Begin("i", track, when) << ",\"s\":\"t\""; // scope: its track
    End(name, arguments);
}

void
Timeline::Counter(TimelineProcess process, const std::string& name, Time when, int64_t value)
{
    m_last = std::max(m_last, when);
    Begin("C", process) << ",\"ts\":" << ToMicroseconds(when);
    End(name, TimelineArguments().Add("value", value));
}

void
Timeline::Arrow(const std::string& name,
                TimelineTrack from,
                Time fromWhen,
                TimelineTrack to,
                Time toWhen)
{
    NS_ABORT_MSG_IF(toWhen < fromWhen,
                    "Timeline: arrow \"" << name << "\" ends at " << toWhen.GetTimeStep()
                                         << " ps, before it begins at " << fromWhen.GetTimeStep()
                                         << " ps");
    const uint64_t arrow = ++m_arrows;
    // viewers match the two ends by id, name and category, and "e" binds the end to the slice
    // around it instead of the next one
    Begin("s", from, fromWhen) << ",\"id\":" << arrow << ",\"cat\":\"arrow\"";
    End(name);
    Begin("f", to, toWhen) << ",\"bp\":\"e\",\"id\":" << arrow << ",\"cat\":\"arrow\"";
    End(name);
}

void
Timeline::Describe(const char* what,
                   TimelineProcess process,
                   const TimelineTrack* track,
                   const TimelineArguments& arguments)
{
    std::ostream& os = Begin("M", process);
    if (track != nullptr)
    {
        os << ",\"tid\":" << *track;
    }
    End(what, arguments);
}

TimelineProcess
Timeline::ProcessOf(TimelineTrack track) const
{
    NS_ABORT_MSG_UNLESS(track.Get() >= 1 && track.Get() <= m_tracks.size(),
                        "Timeline: there is no track " << track << "; there are " << m_tracks.size()
                                                       << ", counted from 1; AddTrack() gives one");
    return m_tracks[track.Get() - 1];
}

std::ostream&
Timeline::Begin(const char* phase, TimelineTrack track, Time when)
{
    m_last = std::max(m_last, when);
    return Begin(phase, ProcessOf(track))
           << ",\"tid\":" << track << ",\"ts\":" << ToMicroseconds(when);
}

std::ostream&
Timeline::Begin(const char* phase, TimelineProcess process)
{
    m_event.str("");
    m_event << "{\"ph\":\"" << phase << "\",\"pid\":" << process;
    return m_event;
}

void
Timeline::End(const std::string& name, const TimelineArguments& arguments)
{
    m_event << ",\"name\":";
    JsonWriter(m_event).Value(name);
    if (!arguments.GetMembers().empty())
    {
        m_event << ",\"args\":{" << arguments.GetMembers() << "}";
    }
    m_event << "}";
    if (m_file)
    {
        m_file->Add((m_isFirst ? "\n" : ",\n") + m_event.str());
        m_isFirst = false;
    }
}

} // namespace ns3
