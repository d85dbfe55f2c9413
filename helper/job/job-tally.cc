/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-tally.h"

#include "ns3/picosecond-resolution.h"

namespace ns3
{

JobTally
JobTally::Since(const JobTally& before) const
{
    JobTally since = *this;
    since.end -= before.end;
    since.exposed -= before.exposed;
    since.exposedLinkUp -= before.exposedLinkUp;
    since.hidden -= before.hidden;
    since.hiddenLinkUp -= before.hiddenLinkUp;
    since.computed -= before.computed;
    since.reconfigurations -= before.reconfigurations;
    since.controlMessages -= before.controlMessages;
    since.wrongPredictions -= before.wrongPredictions;
    since.messages -= before.messages;
    since.bytesForwarded -= before.bytesForwarded;
    for (std::size_t p = 0; p < TRAFFIC_PATHS; ++p)
    {
        since.paths[p].operations -= before.paths[p].operations;
        since.paths[p].bytes -= before.paths[p].bytes;
        since.paths[p].forwarded -= before.paths[p].forwarded;
    }
    return since;
}

JobTally
JobTally::GetMean(int64_t iterations) const
{
    const auto divide = [iterations](Time sum) {
        return ToTime(sum.GetTimeStep() / iterations); // whole, in all releases of ns-3
    };
    JobTally mean = *this;
    mean.end = divide(end);
    mean.exposed = divide(exposed);
    mean.exposedLinkUp = divide(exposedLinkUp);
    mean.hidden = divide(hidden);
    mean.hiddenLinkUp = divide(hiddenLinkUp);
    mean.computed = divide(computed);
    mean.reconfigurations /= iterations;
    mean.controlMessages /= iterations;
    mean.wrongPredictions /= iterations;
    mean.messages /= iterations;
    mean.bytesForwarded /= iterations;
    for (PathTally& path : mean.paths)
    {
        path.operations /= iterations;
        path.bytes /= iterations;
        path.forwarded /= iterations;
    }
    return mean;
}

} // namespace ns3
