/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EMPTY_EVENT_H
#define PHOTONIC_RAILS_EMPTY_EVENT_H

#include "measure.h"

#include "ns3/core-module.h"

#include <cstdint>
#include <vector>

// The unit of times, by which runs on different machines, and at other times on one that is shared,
// are compared: each program measures it beside its figures.

namespace ns3
{

/** Schedules itself a number of times. */
inline void
EmptyEvent(uint64_t* left)
{
    if (--*left > 0)
    {
        Simulator::Schedule(NanoSeconds(1), &EmptyEvent, left);
    }
}

/** Prints the CPU time of an ns-3 event that does nothing but schedule the next one. */
inline void
ReportEmptyEvent(uint32_t runs)
{
    const auto run = []() -> std::vector<double> {
        constexpr uint64_t EVENTS = 1'000'000;
        uint64_t left = EVENTS;
        Simulator::Schedule(NanoSeconds(1), &EmptyEvent, &left);
        const double before = CpuTime();
        Simulator::Run();
        const double spent = CpuTime() - before;
        Simulator::Destroy();
        return {spent / EVENTS};
    };
    Report("an empty ns-3 event", "ns", Repeat(runs, run)[0]);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_EMPTY_EVENT_H */
