/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-tally.h"

namespace ns3
{

JobTally
JobTally::Since(const JobTally& before) const
{
    JobTally since = *this;
    since.end -= before.end;
    since.exposed -= before.exposed;
    since.exposedEach -= before.exposedEach;
    since.hidden -= before.hidden;
    since.computed -= before.computed;
    since.reconfigurations -= before.reconfigurations;
    since.controlMessages -= before.controlMessages;
    since.wrongPredictions -= before.wrongPredictions;
    since.messages -= before.messages;
    since.bytesForwarded -= before.bytesForwarded;
    return since;
}

JobTally
JobTally::GetMean(int64_t iterations) const
{
    JobTally mean = *this;
    mean.end /= iterations;
    mean.exposed /= iterations;
    mean.exposedEach /= iterations;
    mean.hidden /= iterations;
    mean.computed /= iterations;
    mean.reconfigurations /= iterations;
    mean.controlMessages /= iterations;
    mean.wrongPredictions /= iterations;
    mean.messages /= iterations;
    mean.bytesForwarded /= iterations;
    return mean;
}

} // namespace ns3
