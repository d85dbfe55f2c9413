/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A libFuzzer target: tools/fuzz-trace-readers builds and runs it, once for each reader.
// PHOTONIC_RAILS_FUZZED chooses the reader: csv, goal, goal-binary, simai, chakra or groups.

#include "ns3/chakra-trace-reader.h"
#include "ns3/goal-binary-reader.h"
#include "ns3/goal-trace-reader.h"
#include "ns3/group-file.h"
#include "ns3/phase-csv-reader.h"
#include "ns3/simai-workload-reader.h"
#include "ns3/trace-collection.h"
#include "ns3/trace-programs.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace ns3;

namespace
{

/** Reads bytes by the chosen reader. */
TraceResult
Read(std::istream& in, TraceCollection& collection)
{
    const std::string fuzzed = PHOTONIC_RAILS_FUZZED;
    if (fuzzed == "csv")
    {
        return ReadPhaseCsv(in, "fuzz", collection);
    }
    if (fuzzed == "goal")
    {
        return ReadGoalTrace(in, "fuzz", collection);
    }
    if (fuzzed == "goal-binary")
    {
        return ReadGoalBinary(in, "fuzz", collection);
    }
    if (fuzzed == "simai")
    {
        return ReadSimAiWorkload(in, "fuzz", 2, collection);
    }
    if (fuzzed == "groups")
    {
        TraceResult error = ReadGroupFile(in, "fuzz", collection);
        static_cast<void>(collection.Ranks(8));
        return error;
    }
    static_cast<void>(collection.Ranks(1));
    const TraceResult error = ReadChakraTrace(in, "fuzz", 0, collection);
    if (!error)
    {
        collection.MergeControlOf(0);
    }
    return error;
}

} // namespace

/** Called by libFuzzer. @param data bytes of a file @param size how many */
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    TraceCollection collection(2000);
    TraceResult error = Read(in, collection);
    JobPrograms job;
    error = error ? error : MakeTracePrograms(collection, job);
    if (error ? error->ToString().empty() || !job.ranks.empty() : job.ranks.empty())
    {
        std::abort(); // neither a job nor an error, or half of both
    }
    return 0;
}
