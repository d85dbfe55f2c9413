/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_TRACE_READER_H
#define PHOTONIC_RAILS_FAULT_TRACE_READER_H

#include "fault-schedule.h"

#include "ns3/nstime.h"
#include "ns3/trace-node.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** What faults of a trace become, and which of them. */
struct FaultTraceSettings
{
    uint32_t servers{0};      //!< faults of further ones are left out; 0: no limit
    uint32_t gpus{8};         //!< of each server
    uint32_t ports{1};        //!< NIC ports of each GPU
    std::string fromDay{"0"}; //!< the faults of this day are at 0 s; earlier ones are left out
    std::string toDay{""};    //!< those from this day on are left out; empty: none
    Time day{Hours(24)};      //!< time of the simulation that a day of the trace takes
    std::optional<FaultKind> others{}; //!< of classes without a kind; none: they are left out
};

/** The faults of a trace, and what was left out. */
struct FaultTrace
{
    FaultSchedule schedule{};
    std::vector<std::string> nodes{};         //!< names of the servers in the trace, by number
    uint64_t starts{0};                       //!< events of the file
    uint64_t ends{0};                         //!< the same
    uint64_t openAtTheEnd{0};                 //!< faults that last for good
    uint64_t endsWithoutStart{0};             //!< left out
    uint64_t overlaps{0};                     //!< starts at a node with another open fault
    uint64_t withoutDuration{0};              //!< left out: they end when they start
    uint64_t ofOtherDays{0};                  //!< left out
    uint64_t ofOtherServers{0};               //!< left out
    std::map<std::string, uint64_t> others{}; //!< faults of classes without a kind, by class
};

/** A class of a trace and the kind that it becomes. */
struct FaultTraceClass
{
    std::string name;
    FaultKind kind;
};

/** @return the classes that have a kind */
const std::vector<FaultTraceClass>& GetFaultTraceClasses();

/**
 * Reads a trace of faults of a production cluster, in the format of InfiniHBD-Trace: an array of
 * events in the order of time,
 * @code{.unparsed}
 * {"node_id": "6f24e2b2", "event_time": 3.8955, "event_type": "fault_start",
 *  "fault_type": {"Level": "Hardware Failure", "Class": "GPU", "Desc": "GPU Lost"}}
 * @endcode
 * where `event_time` is in days from the first event, and `event_type` is fault_start or fault_end.
 *
 * - Nodes are servers, numbered in the order in which they appear.
 * - An end closes the oldest open fault of its node with the same type. One without a start is
 *   counted and left out.
 * - Several faults of a node at one time are several faults, and are counted.
 * - A fault that is open at the end of the trace lasts for good.
 * - GetFaultTraceClasses() has the kind of a class. Faults of other classes are counted by class,
 *   and left out unless FaultTraceSettings::others is set.
 * - The trace names no GPU and no port: the k-th fault of a node is that of the GPU (k mod gpus),
 *   and of its port (k / gpus mod ports).
 *
 * @param name of the file, for errors
 * @param [out] trace gets the faults, if there is no error; else it stays as it is
 * @return the first error, if any
 */
TraceResult ReadFaultTrace(std::istream& in,
                           const std::string& name,
                           const FaultTraceSettings& settings,
                           FaultTrace& trace);

/** The same, from a file. */
TraceResult ReadFaultTraceFile(const std::string& file,
                               const FaultTraceSettings& settings,
                               FaultTrace& trace);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_TRACE_READER_H */
