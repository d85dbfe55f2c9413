/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-progress.h"

#include <algorithm>

namespace ns3
{

FleetProgress
FleetProgress::Count(FleetTime elapsed, const FleetIteration& times, uint32_t interval)
{
    const FleetTime iteration = times.iteration;
    const FleetTime cycle = interval * iteration + times.checkpoint;
    const FleetTime rest = elapsed % cycle;
    const FleetTime inCycle = std::min<FleetTime>(interval, rest / iteration);
    FleetProgress progress;
    progress.checkpoints = elapsed / cycle;
    progress.iterations = progress.checkpoints * interval + inCycle;
    progress.toCheckpoint = rest == 0 ? 0 : cycle - rest;
    if (rest != inCycle * iteration || inCycle == interval)
    {
        // the last iteration of a cycle is over with its checkpoint
        progress.toNext =
            inCycle + 1 >= interval ? progress.toCheckpoint : (inCycle + 1) * iteration - rest;
    }
    return progress;
}

} // namespace ns3
