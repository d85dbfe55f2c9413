/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_SCHEDULE_FILE_H
#define PHOTONIC_RAILS_FAULT_SCHEDULE_FILE_H

#include "fault-schedule.h"

#include "ns3/trace-node.h"

#include <istream>
#include <ostream>
#include <string>

namespace ns3
{

/** A fault from a text, or an error. */
struct FaultText
{
    Fault fault{};
    std::string why{}; //!< the error; empty: none
};

/**
 * Reads a schedule from JSON:
 * @code{.unparsed}
 * {"faults": [
 *   {"kind": "fiber-cut", "at": "3ms", "duration": "5ms", "server": 1, "gpu": 0, "port": 1,
 *    "position": 0.25},
 *   {"kind": "management-partition", "at": "4ms", "ends": ["controller", "server 2"]}
 * ]}
 * @endcode
 *
 * `kind`, `at` and the targets of the kind are mandatory, except `gpu` and `port`, which are 0. A
 * fault without `duration` lasts for good. Members that the kind does not use are errors, as is all
 * else that is not in the format. Times have a unit (ParseTime()).
 *
 * @param name of the file, for errors
 * @param [out] schedule gets the faults, if there is no error; else it stays as it is
 * @return the first error, if any
 */
TraceResult ReadFaultSchedule(std::istream& in, const std::string& name, FaultSchedule& schedule);

/** The same, from a file. */
TraceResult ReadFaultScheduleFile(const std::string& file, FaultSchedule& schedule);

/** Writes a schedule as ReadFaultSchedule() reads it: reading it gives an equal one. */
void WriteFaultSchedule(std::ostream& out, const FaultSchedule& schedule);

/**
 * Reads a fault from an option: the kind, a colon, and members with commas between them:
 * `fiber-cut:at=3ms,duration=5ms,server=1`. Several ends have a plus between them:
 * `management-loss:at=0s,ends=controller+server 2,loss=0.1`.
 * @return the fault, or an error
 */
FaultText ParseFault(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_SCHEDULE_FILE_H */
