/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_TALLY_H
#define PHOTONIC_RAILS_JOB_TALLY_H

#include "ns3/picoseconds.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The counters of a job from the beginning of its run to an instant, or between two
 * instants. Times are means over ranks.
 */
struct JobTally
{
    Picoseconds end{0};           //!< the instant; between two: the time from one to the other
    Picoseconds exposed{0};       //!< ranks waited for circuits; several waits at once: once
    Picoseconds exposedEach{0};   //!< the same; several waits of a rank at once: each of them
    Picoseconds hidden{0};        //!< circuits reconfigured while no rank waited for them
    Picoseconds computed{0};      //!< ranks computed
    uint64_t reconfigurations{0}; //!< that switches made
    uint64_t controlMessages{0};  //!< of the control plane
    uint64_t wrongPredictions{0};
    uint64_t messages{0};       //!< between GPUs that came, inside servers too
    uint64_t bytesForwarded{0}; //!< that ranks sent on for others, over another rail

    /** @return the difference between this and an earlier tally of the same run */
    JobTally Since(const JobTally& before) const;
    /** @return the mean of so many iterations, which this is the sum of */
    JobTally GetMean(int64_t iterations) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_TALLY_H */
