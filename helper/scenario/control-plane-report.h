/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONTROL_PLANE_REPORT_H
#define PHOTONIC_RAILS_CONTROL_PLANE_REPORT_H

#include "ns3/controller-record.h"
#include "ns3/curve-plot.h"
#include "ns3/job-run.h"
#include "ns3/json-writer.h"
#include "ns3/nstime.h"
#include "ns3/opus-control-plane.h"
#include "ns3/processing-queue.h"
#include "ns3/rail-net-device.h"
#include "ns3/shim-statistics.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The results of a job under a policy: the iterations, the times of its control plane, and
 * the counts of the controller.
 *
 * Without a control plane, as with the policy `electrical`, all but the iterations are 0.
 */
struct ControlPlaneReport
{
    /**
     * Reads the results of a completed run.
     * @param policyName of the run
     * @param reconfigurationTime of its switches
     */
    ControlPlaneReport(const std::string& policyName, Time reconfigurationTime, const JobRun& run);

    /** Prints the names of the columns of PrintRow(). */
    static void PrintHead(std::ostream& os);

    /** Prints a row: the mean iteration but for the first, and sums over the whole run. */
    void PrintRow(std::ostream& os) const;

    /** @return seconds of an iteration, the mean of all but the first */
    double GetMeanIteration() const;

    /** Prints the head and a row for each report. */
    static void PrintTable(std::ostream& os, const std::vector<ControlPlaneReport>& reports);

    /** Prints the meaning of the columns, and a line for each parallelism of each report. */
    static void PrintNotes(std::ostream& os, const std::vector<ControlPlaneReport>& reports);

    /** Adds the time of each iteration, a curve of the policy. */
    void Plot(CurvePlot& plot) const;

    /** Writes all but the parallelisms, as members of an object. */
    void Write(JsonWriter& json) const;

    /** Prints a line for each parallelism, with the sum of its waits. */
    void PrintParallelisms(std::ostream& os) const;

    /** Prints the parts of exposed and hidden time, if there was link-up. */
    void PrintLinkUp(std::ostream& os) const;

    /** Prints the load of the controller, if it had a processing time. */
    void PrintLoad(std::ostream& os) const;

    /** @return the share of the run in which the controller processed, 0 to 1 */
    double GetBusyShare() const;

    std::string policy;
    Time reconfiguration;
    std::vector<Time> iterations;                         //!< each, from the end of the one before
    std::map<std::string, ParallelismTimes> parallelisms; //!< sums over all shims
    PathTallies paths{};                                  //!< of the whole run
    OpusTimes times;
    ControllerCounters controller; //!< of the controller in charge at the end
    ProcessingLoad load;           //!< of the same
    uint64_t messages{0};          //!< of the control plane
    uint32_t ranks{0};
    RailNetDevice::Trains trains;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONTROL_PLANE_REPORT_H */
