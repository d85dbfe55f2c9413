/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIMELINE_FILE_H
#define PHOTONIC_RAILS_TIMELINE_FILE_H

#include "ns3/picoseconds.h"

#include <map>
#include <string>
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

/** @return the text after a key in an event, up to the next comma, bracket or quotation mark */
std::string After(const std::string& event, const std::string& key);

/** @return a number that is written as decimal microseconds */
Picoseconds ReadMicroseconds(const std::string& text);

/** The content of a file. */
struct ReadFile
{
    std::vector<std::string> processes;
    ReadTracks slices;
    ReadTracks instants;
    std::map<std::string, ReadArrow> arrows; //!< by id

    /** Reads a timeline, which has an event a line. */
    explicit ReadFile(const std::string& filename);

  private:
    void Read(const std::string& line, char phase, const ReadTrack& track);
};

/** @return the slices of a timeline */
ReadTracks ReadTimeline(const std::string& filename);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIMELINE_FILE_H */
