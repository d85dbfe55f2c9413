/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPLAY_REPORT_H
#define PHOTONIC_RAILS_REPLAY_REPORT_H

#include "ns3/curve-plot.h"
#include "ns3/job-run.h"
#include "ns3/job-tally.h"
#include "ns3/json-writer.h"
#include "ns3/rail-audit.h"
#include "ns3/rail-net-device.h"

#include <cstdint>
#include <ostream>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The results of a job that was replayed on rails: each pass, and the sums of the run.
 *
 * A pass is an iteration of JobRun: the whole trace, once.
 */
struct ReplayReport
{
    /**
     * Reads the results of a completed run, whose audit has no findings.
     * @param audit of the run, from before it
     */
    ReplayReport(const JobRun& run, const RailAudit& audit);

    /** Prints a row for each pass, and the sums. */
    void Print(std::ostream& os) const;

    /** Adds the times of each pass. */
    void Plot(CurvePlot& plot) const;

    /** Writes the times of all passes and of each, as members of an object. */
    void WriteTimes(JsonWriter& json) const;

    /** Writes counts of messages, the audit and the fidelity, as members of an object. */
    void WriteCounts(JsonWriter& json) const;

    std::vector<JobTally> passes;
    JobTally all;         //!< of all passes
    uint64_t messages{0}; //!< that ranks sent, inside servers too
    uint64_t bytes{0};    //!< of these messages
    uint64_t bytesForwarded{0};
    uint64_t bytesMultiHop{0}; //!< at each hop
    uint64_t reconfigurations{0};
    uint64_t wrongPredictions{0};
    uint64_t controlMessages{0};
    RailAudit audit;
    RailNetDevice::Trains trains;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPLAY_REPORT_H */
