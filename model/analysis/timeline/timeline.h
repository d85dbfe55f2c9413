/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_H
#define PHOTONIC_RAILS_TIMELINE_H

#include "ns3/identifier.h"
#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/readable-file.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/** A process of the viewers: a group of tracks, counted from 1. */
using TimelineProcess = Identifier<struct TimelineProcessTag>;

/** A thread of the viewers: a line of slices, counted from 1 over all processes. */
using TimelineTrack = Identifier<struct TimelineTrackTag>;

/**
 * @param time an instant or a span
 * @return the same in microseconds, as exact decimal text: 1.000001
 */
std::string ToMicroseconds(Time time);

/**
 * @ingroup photonic-rails
 * @brief The details of a slice in a viewer: names and values, in order.
 */
class TimelineArguments
{
  public:
    /**
     * @param value a string, a number or a truth value
     * @return this object
     */
    template <typename T>
    TimelineArguments& Add(const std::string& key, const T& value)
    {
        std::ostringstream text;
        JsonWriter(text).Value(value);
        return AddText(key, text.str());
    }

    /** Adds a span in microseconds, exactly. @return this object */
    TimelineArguments& AddMicroseconds(const std::string& key, Time span);

    /** @return the members of a JSON object */
    const std::string& GetMembers() const
    {
        return m_members;
    }

  private:
    /** Adds a member. @param text its value, as JSON @return this object */
    TimelineArguments& AddText(const std::string& key, const std::string& text);

    std::string m_members;
};

/**
 * @ingroup photonic-rails
 * @brief Writes the events of a run into a file in Chrome's trace-event format, for
 * https://ui.perfetto.dev and chrome://tracing.
 *
 * A slice belongs to a track, and a track to a process. The slices of a track follow each other or
 * nest; of two that begin together, the outer one is added first. Otherwise slices may be added in
 * any order, so each at its end.
 *
 * The format counts in microseconds. Here they are decimal numbers with up to six digits behind the
 * point, so the file has exact picoseconds for a program that reads them as decimals. The viewers
 * themselves show whole nanoseconds.
 *
 * Only the process of each track, and up to 64 KiB of text, are in memory. The file is written as
 * NAME.part, and gets its name when it is complete (OutputFile). After each write NAME.part is
 * valid JSON, perhaps without the last events, also if the process is killed. If ns-3 stops by a
 * fatal error (NS_ABORT_MSG), the file has all events.
 *
 * @code
 * Timeline timeline("timeline.json"); // aborts if the file cannot be written
 * const TimelineProcess controller = timeline.AddProcess("controller");
 * const TimelineTrack requests = timeline.AddTrack(controller, "requests");
 * const TimelineTrack grants = timeline.AddTrack(controller, "grants");
 * const Time requested = MicroSeconds(1);
 * const Time granted = MicroSeconds(4);
 * timeline.Slice(requests, "group 3", requested, granted, TimelineArguments().Add("ranks", 8));
 * timeline.Slice(grants, "group 3", granted, MicroSeconds(5));
 * timeline.Arrow("grant", requests, requested, grants, granted);
 * @endcode
 */
class Timeline
{
  public:
    /** @param filename an existing file is replaced; aborts if it cannot be written */
    explicit Timeline(const std::string& filename);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /** Adds a process below the existing ones. @param name shown in viewers @return the process */
    TimelineProcess AddProcess(const std::string& name);

    /** Adds a track below those of the process. @return the track */
    TimelineTrack AddTrack(TimelineProcess process, const std::string& name);

    /**
     * Adds a track to a process.
     * @param name shown in viewers
     * @param place tracks of a process are shown by place, smallest first
     * @return the track
     */
    TimelineTrack AddTrack(TimelineProcess process, const std::string& name, uint32_t place);

    /**
     * Adds a slice.
     * @param start its begin
     * @param end not before the start
     * @param arguments further details
     */
    void Slice(TimelineTrack track,
               const std::string& name,
               Time start,
               Time end,
               const TimelineArguments& arguments = {});

    /** Adds an instant. */
    void Instant(TimelineTrack track,
                 const std::string& name,
                 Time when,
                 const TimelineArguments& arguments = {});

    /**
     * Sets the value of a quantity.
     * @param name of the quantity
     * @param when the instant of the change
     */
    void Counter(TimelineProcess process, const std::string& name, Time when, int64_t value);

    /**
     * Adds an arrow. Viewers draw it between the slices or instants at its two ends. If a slice
     * begins at the instant of an end of the arrow, add the slice before the arrow.
     * @param from the track of its begin
     * @param fromWhen the instant of its begin
     * @param to the track of its end
     * @param toWhen the instant of its end, not before its begin
     */
    void Arrow(const std::string& name,
               TimelineTrack from,
               Time fromWhen,
               TimelineTrack to,
               Time toWhen);

    /** @return the latest instant in the file; 0 if there is none */
    Time GetLast() const;

    /** Completes the file. Later events are not in it. Destruction does the same. */
    void Finish();

  private:
    /** Begins an event on a track. @return the stream for its other members */
    std::ostream& Begin(const char* phase, TimelineTrack track, Time when);
    /** Begins an event. @return the stream for its other members */
    std::ostream& Begin(const char* phase, TimelineProcess process);
    /** Ends an event. @param arguments further details */
    void End(const std::string& name, const TimelineArguments& arguments = {});
    /** Writes a property of a process or a track for viewers. */
    void Describe(const char* what,
                  TimelineProcess process,
                  const TimelineTrack* track,
                  const TimelineArguments& arguments);
    /** @return the process of a track; aborts if there is no such track */
    TimelineProcess ProcessOf(TimelineTrack track) const;

    std::unique_ptr<ReadableFile> m_file; //!< null: it is complete
    bool m_isFirst{true};                 //!< there is no event yet
    std::ostringstream m_event;           //!< that is being written
    uint32_t m_processes{0};
    std::vector<TimelineProcess> m_tracks; //!< by track: its process
    uint64_t m_arrows{0};
    Time m_last{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_H */
