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

/** Which trace to read. */
struct TraceRequest
{
    /**
     * The file, of a format that its name ends with:
     *
     * | ending | format                                                               |
     * |--------|----------------------------------------------------------------------|
     * | .et    | Chakra (ReadChakraTrace()), a file for each rank: %d stands for it   |
     * | .goal  | GOAL text (ReadGoalTrace())                                          |
     * | .txt   | SimAI workload (ReadSimAiWorkload())                                 |
     * | .csv   | phases (ReadPhaseCsv())                                              |
     */
    std::string path;
    uint32_t ranks{0};    //!< of the job; 0: as the trace says, or as many .et files as there are
    std::string groups{}; //!< a file of groups (ReadGroupFile()), if there is one
    uint32_t passes{1};   //!< of a SimAI workload: iterations
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
 * @param [out] collection what it holds, in place of what was there; untouched if there is an error
 * @return the first error, if any
 */
TraceResult ReadTrace(const TraceRequest& request, TraceCollection& collection);

/**
 * Reads a trace and makes programs of it: see MakeTracePrograms().
 * @param [out] job what can be run; untouched if there is an error
 * @return the first error, if any
 */
TraceResult ReadTraceJob(const TraceRequest& request, JobPrograms& job);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_READER_H */
