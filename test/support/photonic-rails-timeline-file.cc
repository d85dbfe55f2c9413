/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-timeline-file.h"

#include <algorithm>
#include <fstream>

namespace ns3
{

std::string
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

Picoseconds
ReadMicroseconds(const std::string& text)
{
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string fraction = text.substr(std::min(point + 1, text.size()));
    fraction.resize(6, '0');
    return std::stoll(text.substr(0, point)) * 1'000'000 + std::stoll(fraction);
}

ReadFile::ReadFile(const std::string& filename)
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

void
ReadFile::Read(const std::string& line, char phase, const ReadTrack& track)
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

ReadTracks
ReadTimeline(const std::string& filename)
{
    return ReadFile(filename).slices;
}

} // namespace ns3
