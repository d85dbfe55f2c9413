/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timeline.h"

#include "ns3/abort.h"
#include "ns3/fatal-impl.h"
#include "ns3/output-file.h"

#include <algorithm>
#include <streambuf>

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
    const bool negative = time.IsStrictlyNegative();
    const auto picoseconds = static_cast<uint64_t>(time.GetTimeStep());
    const uint64_t size = negative ? 0 - picoseconds : picoseconds;
    std::string text = (negative ? "-" : "") + std::to_string(size / 1'000'000);
    std::string fraction = std::to_string(1'000'000 + size % 1'000'000); // a 1 and six digits
    fraction[0] = '.';
    return text + fraction.substr(0, fraction.find_last_not_of("0.") + 1);
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

// ------------------------------------------------------------------------ the file

/**
 * The file, with its brackets closed after each part that is written: the next part begins where
 * the closing brackets were. ns-3's fatal errors flush a registered stream on it, and then the file
 * is complete.
 */
class Timeline::File : private std::streambuf
{
  public:
    explicit File(const std::string& filename)
        : m_file(filename, OutputFile::OnError::KEEP),
          m_stream(this)
    {
        m_text = HEAD;
        FatalImpl::RegisterStream(&m_stream);
    }

    ~File() override
    {
        FatalImpl::UnregisterStream(&m_stream);
        sync();
    }

    /** @param event a JSON object */
    void Add(const std::string& event)
    {
        m_text += m_first ? "\n" : ",\n";
        m_text += event;
        m_first = false;
        if (m_text.size() >= PART)
        {
            WriteOut();
        }
    }

  private:
    static constexpr std::size_t PART = 1 << 16; //!< largest number of characters in memory

    int sync() override
    {
        if (!m_isOver)
        {
            m_isOver = true; // first: a full disk is a fatal error itself
            WriteOut();
            m_file.Complete();
        }
        return 0;
    }

    void WriteOut()
    {
        m_file.Append(m_text, TAIL);
        m_text.clear();
    }

    OutputFile m_file;
    std::ostream m_stream; //!< for callers that flush all streams
    std::string m_text;    //!< not written yet
    bool m_first{true};    //!< there is no event yet
    bool m_isOver{false};
};

// ---------------------------------------------------------------------- the timeline

Timeline::Timeline(const std::string& filename)
    : m_file(std::make_unique<File>(filename))
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
        m_file->Add(m_event.str());
    }
}

} // namespace ns3
