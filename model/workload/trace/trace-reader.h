/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_READER_H
#define PHOTONIC_RAILS_TRACE_READER_H

#include "trace-collection.h"
#include "trace-node.h"

#include "ns3/job-programs.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** The source of a trace. */
struct TraceRequest
{
    /**
     * The file. Its ending selects the format:
     *
     * | ending | format                                                               |
     * |--------|----------------------------------------------------------------------|
     * | .et    | Chakra (ReadChakraTrace()), a file for each rank: %d is the rank     |
     * | .goal  | GOAL, text (ReadGoalTrace()) or binary (ReadGoalBinary()); .bin too  |
     * | .txt   | SimAI workload (ReadSimAiWorkload())                                 |
     * | .csv   | phases (ReadPhaseCsv())                                              |
     */
    std::string path;
    /**
     * Number of ranks; 0: from the trace, or the number of .et files, or those of a stage of a
     * SimAI workload. One without all_gpus needs it; one .et file is that of all ranks.
     */
    uint32_t ranks{0};
    std::string groups{}; //!< a file of groups (ReadGroupFile()); empty: none
    uint32_t passes{1};   //!< of a SimAI workload: iterations
    bool strict{false};   //!< whether a part that can't be simulated is an error, or left out
};

/**
 * Reads a trace.
 * @code
 * TraceCollection collection;
 * if (const TraceResult error = ReadTrace({"run/llama.%d.et", 0, "run/groups.json"}, collection))
 * {
 *     NS_ABORT_MSG(error->ToString());
 * }
 * @endcode
 * @param [out] collection is replaced by the contents of the trace; unchanged after an error
 * @return the first error, if any
 */
TraceResult ReadTrace(const TraceRequest& request, TraceCollection& collection);

/**
 * Reads a trace and makes its programs: see MakeTracePrograms().
 * @param [out] job the programs; unchanged after an error
 * @return the first error, if any
 */
TraceResult ReadTraceJob(const TraceRequest& request, JobPrograms& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_READER_H */
