/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "communication-window.h"

namespace ns3
{

std::vector<CommunicationWindow>
FindWindowsBetween(const std::vector<CommunicationPhase>& phases)
{
    std::vector<CommunicationWindow> windows;
    for (std::size_t i = 1; i < phases.size(); ++i)
    {
        const CommunicationPhase& earlier = phases[i - 1];
        const CommunicationPhase& later = phases[i];
        if (earlier.rank == later.rank && earlier.rail == later.rail)
        {
            windows.push_back({later.rank,
                               later.rail,
                               later.iteration,
                               earlier.end,
                               later.start - earlier.end,
                               earlier.parallelism,
                               later.parallelism,
                               later.bytes,
                               later.operations});
        }
    }
    return windows;
}

std::vector<CommunicationWindow>
FindWindows(const std::vector<FinishedOperation>& operations)
{
    return FindWindowsBetween(FindPhases(operations));
}

std::vector<CommunicationWindow>
FindRailWindows(const std::vector<FinishedOperation>& operations)
{
    return FindWindowsBetween(FindRailPhases(operations));
}

std::map<uint32_t, std::size_t>
CountWindows(const std::vector<CommunicationWindow>& windows)
{
    std::map<uint32_t, std::size_t> counts;
    for (const CommunicationWindow& window : windows)
    {
        ++counts[window.iteration];
    }
    return counts;
}

const char*
GetWindowRule()
{
    return "A phase is a maximal run of one parallelism's operations in the order in which a rank "
           "calls its scale-out operations. A window is from the last end in a phase to the first "
           "start in the next one; it is negative if they overlap. An operation starts when its "
           "slowest rank has called it, and ends when its last rank is through with it. A window "
           "counts in the iteration of the first operation after it.";
}

} // namespace ns3
