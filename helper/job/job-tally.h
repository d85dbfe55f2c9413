/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOB_TALLY_H
#define PHOTONIC_RAILS_JOB_TALLY_H

#include "ns3/nstime.h"
#include "ns3/traffic-path.h"

#include <array>
#include <cstdint>

namespace ns3
{

/** The operations of ranks on a path. */
struct PathTally
{
    uint64_t operations{0}; //!< of each rank that takes part
    uint64_t bytes{0};      //!< that ranks sent in them
    uint64_t forwarded{0};  //!< bytes that other GPUs of the rail forwarded, at each hop
};

/** The operations of a job, by TrafficPath. */
using PathTallies = std::array<PathTally, TRAFFIC_PATHS>;

/**
 * @ingroup photonic-rails
 * @brief The counters of a job from its start to an instant, or between two
 * instants. Times are means over ranks.
 */
struct JobTally
{
    Time end{0};                  //!< since the start; between two: the time from one to the other
    Time exposed{0};              //!< waits of ranks for circuits, see ShimStatistics
    Time exposedLinkUp{0};        //!< of exposed, link-up
    Time hidden{0};               //!< set-ups of circuits without a waiting rank
    Time hiddenLinkUp{0};         //!< of hidden, link-up
    Time computed{0};             //!< computing of ranks
    uint64_t reconfigurations{0}; //!< by switches
    uint64_t controlMessages{0};  //!< of the control plane
    uint64_t wrongPredictions{0};
    uint64_t messages{0};       //!< between GPUs, of operations up to then, inside servers too
    uint64_t bytesForwarded{0}; //!< that ranks forwarded for others, over another rail
    PathTallies paths{};        //!< operations up to then

    /** @return the difference between this and an earlier tally of the same run */
    JobTally Since(const JobTally& before) const;
    /** @return the mean of a number of iterations, of which this is the sum */
    JobTally GetMean(int64_t iterations) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOB_TALLY_H */
