/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_FILE_H
#define PHOTONIC_RAILS_TIMELINE_FILE_H

#include "ns3/picoseconds.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * A timeline as it is in its file, read by tests.
 */

namespace ns3
{

/** A process and one of its tracks. */
using ReadTrack = std::pair<std::string, std::string>;

/** A slice or an instant as it is in the file. */
struct ReadSlice
{
    std::string name;
    Picoseconds start;
    Picoseconds end;
    std::string line; //!< all of it
};

/** Slices by process and track. */
using ReadTracks = std::map<ReadTrack, std::vector<ReadSlice>>;

/** An arrow as it is in the file. */
struct ReadArrow
{
    std::string name;
    ReadTrack from;
    Picoseconds start{0};
    ReadTrack to;
    Picoseconds end{-1}; //!< negative: it has no end
};

/** @return what follows a key in an event, up to the next comma, bracket or quotation mark */
inline std::string
After(const std::string& event, const std::string& key)
{
    const std::size_t at = event.find("\"" + key + "\":");
    if (at == std::string::npos)
    {
        return "";
    }
    const std::size_t from = at + key.size() + 3;
    const bool quoted = event[from] == '"';
    return event.substr(from + quoted,
                        event.find_first_of(quoted ? "\"" : ",}", from + quoted) - from - quoted);
}

/** @return what is written as decimal microseconds */
inline Picoseconds
ReadMicroseconds(const std::string& text)
{
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string fraction = text.substr(std::min(point + 1, text.size()));
    fraction.resize(6, '0');
    return std::stoll(text.substr(0, point)) * 1'000'000 + std::stoll(fraction);
}

/** All that is in a file. */
struct ReadFile
{
    std::vector<std::string> processes;
    ReadTracks slices;
    ReadTracks instants;
    std::map<std::string, ReadArrow> arrows; //!< by id

    /** Reads a timeline, which has an event a line. */
    explicit ReadFile(const std::string& filename)
    {
        std::map<std::string, std::string> processNames;
        std::map<std::string, std::string> trackNames;
        std::ifstream file(filename);
        for (std::string line; std::getline(file, line);)
        {
            const std::string phase = After(line, "ph");
            const std::string name = After(line, "name");
            if (phase == "M")
            {
                const std::string value = After(line.substr(line.find("\"args\":") + 7), "name");
                if (name == "process_name")
                {
                    processes.push_back(value);
                    processNames[After(line, "pid")] = value;
                }
                else if (name == "thread_name")
                {
                    trackNames[After(line, "tid")] = value;
                }
            }
            else if (phase == "X" || phase == "i" || phase == "s" || phase == "f")
            {
                Read(line,
                     phase[0],
                     {processNames.at(After(line, "pid")), trackNames.at(After(line, "tid"))});
            }
        }
    }

  private:
    void Read(const std::string& line, char phase, const ReadTrack& track)
    {
        const std::string name = After(line, "name");
        const Picoseconds start = ReadMicroseconds(After(line, "ts"));
        if (phase == 'X')
        {
            const Picoseconds duration = ReadMicroseconds(After(line, "dur"));
            slices[track].push_back({name, start, start + duration, line});
        }
        else if (phase == 'i')
        {
            instants[track].push_back({name, start, start, line});
        }
        else if (phase == 's')
        {
            arrows[After(line, "id")] = {name, track, start, {}, -1};
        }
        else
        {
            ReadArrow& arrow = arrows.at(After(line, "id"));
            arrow.to = track;
            arrow.end = start;
        }
    }
};

/** @return the slices of a timeline */
inline ReadTracks
ReadTimeline(const std::string& filename)
{
    return ReadFile(filename).slices;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_FILE_H */
