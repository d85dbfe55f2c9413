/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_H
#define PHOTONIC_RAILS_TIMELINE_H

#include "ns3/identifier.h"
#include "ns3/json-writer.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/** What viewers call a process: tracks that belong together, counted from 1. */
using TimelineProcess = Identifier<struct TimelineProcessTag>;

/** What viewers call a thread: a line of slices, counted from 1 over all processes. */
using TimelineTrack = Identifier<struct TimelineTrackTag>;

/**
 * @param time an instant or a span
 * @return the same in microseconds, as decimal text in which no digit is lost: 1.000001
 */
std::string ToMicroseconds(Picoseconds time);

/**
 * @ingroup photonic-rails
 * @brief What a viewer shows of a slice when it is clicked: names and values, in order.
 */
class TimelineArguments
{
  public:
    /**
     * @param value a string, a number or a truth value
     * @return these
     */
    template <typename T>
    TimelineArguments& Add(const std::string& key, const T& value)
    {
        std::ostringstream text;
        JsonWriter(text).Value(value);
        return AddText(key, text.str());
    }

    /** @param span a number of microseconds, exactly @return these */
    TimelineArguments& AddMicroseconds(const std::string& key, Picoseconds span);

    /** @return the members of a JSON object */
    const std::string& GetMembers() const
    {
        return m_members;
    }

  private:
    /** Adds a member. @param text its value, as JSON @return these */
    TimelineArguments& AddText(const std::string& key, const std::string& text);

    std::string m_members;
};

/**
 * @ingroup photonic-rails
 * @brief Writes what happened when into a file in Chrome's trace-event format, which
 * https://ui.perfetto.dev and chrome://tracing open.
 *
 * Slices lie on tracks, and tracks are of processes. The slices of a track follow each other or
 * nest; of two that begin together, the outer one is told first. Otherwise slices may be told in
 * any order, so each when it is over.
 *
 * The format counts in microseconds. Here they are decimal numbers with up to six digits behind the
 * point, so picoseconds are in the file exactly, and a program that reads them as decimals gets
 * them back. The viewers themselves show whole nanoseconds.
 *
 * Nothing but the process of each track, and up to 64 KiB of text, is kept in memory. The file is
 * written as NAME.part, and takes its name when it is complete (OutputFile). NAME.part is valid
 * JSON, though perhaps without the last events, each time a part of it has been written: also if
 * the process is killed. If ns-3 stops by a fatal error (NS_ABORT_MSG), all that was told is in the
 * file.
 *
 * @code
 * Timeline timeline("timeline.json"); // aborts if the file cannot be written
 * const TimelineProcess controller = timeline.AddProcess("controller");
 * const TimelineTrack requests = timeline.AddTrack(controller, "requests");
 * const TimelineTrack grants = timeline.AddTrack(controller, "grants");
 * timeline.Slice(requests, "group 3", 1'000'000, 4'000'000, TimelineArguments().Add("ranks", 8));
 * timeline.Slice(grants, "group 3", 4'000'000, 5'000'000);
 * timeline.Arrow("grant", requests, 1'000'000, grants, 4'000'000);
 * @endcode
 */
class Timeline
{
  public:
    /** @param filename of the file, which is begun anew; aborts if it cannot be written */
    explicit Timeline(const std::string& filename);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /** Adds a process below those that there are. @param name for people @return it */
    TimelineProcess AddProcess(const std::string& name);

    /** Adds a track below those of the process. @return it */
    TimelineTrack AddTrack(TimelineProcess process, const std::string& name);

    /**
     * Adds a track to a process.
     * @param name for people
     * @param place tracks of a process are shown by place, smallest first
     * @return it
     */
    TimelineTrack AddTrack(TimelineProcess process, const std::string& name, uint32_t place);

    /**
     * Something goes on.
     * @param track where
     * @param start from when
     * @param end until when, not before the start
     * @param arguments what else is to be known
     */
    void Slice(TimelineTrack track,
               const std::string& name,
               Picoseconds start,
               Picoseconds end,
               const TimelineArguments& arguments = {});

    /** Something happens. @param track where */
    void Instant(TimelineTrack track,
                 const std::string& name,
                 Picoseconds when,
                 const TimelineArguments& arguments = {});

    /**
     * A quantity is so much from now on.
     * @param name of the quantity
     * @param when since when
     */
    void Counter(TimelineProcess process, const std::string& name, Picoseconds when, int64_t value);

    /**
     * Something here leads to something there. Viewers draw an arrow between the slices or
     * instants that are at its two ends. Where one of those begins at the very instant of the
     * arrow's end, tell it before the arrow.
     * @param from the track it begins on
     * @param fromWhen when it begins
     * @param to the track it ends on
     * @param toWhen when it ends, not before it begins
     */
    void Arrow(const std::string& name,
               TimelineTrack from,
               Picoseconds fromWhen,
               TimelineTrack to,
               Picoseconds toWhen);

    /** @return the latest instant that was told of; 0 if none was */
    Picoseconds GetLast() const;

    /** Completes the file. What is told later is not in it. Destruction does the same. */
    void Finish();

  private:
    class File;

    /** Begins an event on a track. @return where its other members go */
    std::ostream& Begin(const char* phase, TimelineTrack track, Picoseconds when);
    /** Begins an event. @return where its other members go */
    std::ostream& Begin(const char* phase, TimelineProcess process);
    /** Ends an event. @param arguments what else is to be known */
    void End(const std::string& name, const TimelineArguments& arguments = {});
    /** Tells viewers something of a process or a track. */
    void Describe(const char* what,
                  TimelineProcess process,
                  const TimelineTrack* track,
                  const TimelineArguments& arguments);
    /** @return the process of a track; aborts if there is no such track */
    TimelineProcess ProcessOf(TimelineTrack track) const;

    std::unique_ptr<File> m_file; //!< null: it is complete
    std::ostringstream m_event;   //!< that is being written
    uint32_t m_processes{0};
    std::vector<TimelineProcess> m_tracks; //!< by track: its process
    uint64_t m_arrows{0};
    Picoseconds m_last{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_H */
