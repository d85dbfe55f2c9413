/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-reader.h"

#include "chakra-trace-reader.h"
#include "goal-binary-reader.h"
#include "goal-trace-reader.h"
#include "group-file.h"
#include "phase-csv-reader.h"
#include "simai-workload-reader.h"
#include "trace-programs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ns3
{

namespace
{

/** @return whether a path has an ending */
bool
EndsWith(const std::string& path, const std::string& end)
{
    return path.size() >= end.size() &&
           path.compare(path.size() - end.size(), end.size(), end) == 0;
}

/** @return the file of a rank @param pattern with %d for it */
std::string
FillIn(const std::string& pattern, uint32_t rank)
{
    const std::size_t place = pattern.find("%d");
    return pattern.substr(0, place) + std::to_string(rank) + pattern.substr(place + 2);
}

/** @return whether a path is a readable file; a folder also opens, but is no file */
bool
IsThere(const std::string& path)
{
    std::error_code error;
    return !std::filesystem::is_directory(path, error) && std::ifstream(path).is_open();
}

/** @return an error of a whole file */
TraceError
MakeError(const std::string& file, const std::string& expected, const std::string& found)
{
    TraceError error;
    error.file = file;
    error.expected = expected;
    error.found = found;
    return error;
}

/** Opens a file and reads it. @param read the reader: from a stream, with a name */
template <typename T>
TraceResult
ReadFile(const std::string& path, T read)
{
    std::ifstream in;
    if (IsThere(path))
    {
        in.open(path, std::ios::binary);
    }
    if (!in.is_open())
    {
        return MakeError(path, "a file that can be opened", "none");
    }
    return read(in, path);
}

/** Reads the files of all ranks. */
TraceResult
ReadChakraFiles(const TraceRequest& request, TraceCollection& collection)
{
    const bool hasPattern = request.path.find("%d") != std::string::npos;
    uint32_t ranks = request.ranks;
    if (!hasPattern)
    {
        ranks = std::max(ranks, 1U);
    }
    while (request.ranks == 0 && hasPattern && ranks < MAX_TRACE_RANKS &&
           IsThere(FillIn(request.path, ranks)))
    {
        ++ranks;
    }
    if (ranks == 0)
    {
        return MakeError(FillIn(request.path, 0), "a file that can be opened", "none");
    }
    std::string complaint = collection.Ranks(ranks);
    if (complaint.empty() && !hasPattern)
    {
        complaint = collection.Alike(0, 0, ranks);
    }
    if (!complaint.empty())
    {
        return MakeError(request.path, "what a job can be made of", complaint);
    }
    for (uint32_t rank = 0; rank < (hasPattern ? ranks : 1); ++rank)
    {
        const std::string path = hasPattern ? FillIn(request.path, rank) : request.path;
        TraceResult error =
            ReadFile(path, [rank, &collection](std::istream& in, const std::string& name) {
                return ReadChakraTrace(in, name, rank, collection);
            });
        if (error)
        {
            return error;
        }
        complaint = collection.MergeControlOf(rank);
        if (!complaint.empty())
        {
            return MakeError(path, "what can be simulated (--strict)", complaint);
        }
    }
    complaint = collection.LeaveOutUnknownGroups();
    if (!complaint.empty())
    {
        return MakeError(request.path, "what can be simulated (--strict)", complaint);
    }
    return {};
}

/** Reads a trace by the ending of its name. */
TraceResult
ReadByName(const TraceRequest& request, TraceCollection& collection)
{
    const std::string& path = request.path;
    if (EndsWith(path, ".et"))
    {
        return ReadChakraFiles(request, collection);
    }
    if (EndsWith(path, ".goal") || EndsWith(path, ".bin"))
    {
        return ReadFile(path, [&collection](std::istream& in, const std::string& name) {
            return IsGoalBinary(in) ? ReadGoalBinary(in, name, collection)
                                    : ReadGoalTrace(in, name, collection);
        });
    }
    if (EndsWith(path, ".csv"))
    {
        return ReadFile(path, [&collection](std::istream& in, const std::string& name) {
            return ReadPhaseCsv(in, name, collection);
        });
    }
    if (EndsWith(path, ".txt"))
    {
        return ReadFile(path, [&request, &collection](std::istream& in, const std::string& name) {
            return ReadSimAiWorkload(in, name, request.passes, collection, request.ranks);
        });
    }
    return MakeError(path, "a name that ends with .et, .goal, .bin, .txt or .csv", "another");
}

} // namespace

TraceResult
ReadTrace(const TraceRequest& request, TraceCollection& collection)
{
    TraceCollection read(collection.GetLimit());
    read.SetStrict(request.strict);
    TraceResult error;
    if (!request.groups.empty())
    {
        error = ReadFile(request.groups, [&read](std::istream& in, const std::string& name) {
            return ReadGroupFile(in, name, read);
        });
    }
    error = error ? error : ReadByName(request, read);
    if (!error && request.ranks != 0 && request.ranks != read.GetRanks())
    {
        error = MakeError(request.path,
                          "a trace of " + std::to_string(request.ranks) + " ranks",
                          "one of " + std::to_string(read.GetRanks()));
    }
    if (!error)
    {
        collection = std::move(read);
    }
    return error;
}

TraceResult
ReadTraceJob(const TraceRequest& request, JobPrograms& job)
{
    TraceCollection collection;
    const TraceResult error = ReadTrace(request, collection);
    return error ? error : MakeTracePrograms(collection, job);
}

} // namespace ns3
