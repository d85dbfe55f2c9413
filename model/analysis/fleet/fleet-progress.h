/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_PROGRESS_H
#define PHOTONIC_RAILS_FLEET_PROGRESS_H

#include "fleet-time.h"
#include "fleet-times.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a job has done since it trains steadily: the closed rule of a FleetReplay.
 *
 * A cycle is `interval` iterations and then a checkpoint. Time passes in whole cycles, and in the
 * last one in whole iterations; what is left is of an iteration, or of a checkpoint, that has not
 * ended.
 *
 * Plain C++: no simulator.
 */
struct FleetProgress
{
    int64_t iterations{0};  //!< that have ended
    int64_t checkpoints{0}; //!< that have ended
    FleetTime toNext{0};    //!< until the next iteration ends, with its checkpoint; 0: one ends now
    FleetTime toCheckpoint{0}; //!< until the next checkpoint ends; 0: one ends now

    /**
     * @param elapsed time since the steady state began
     * @param times of an iteration and a checkpoint
     * @param interval iterations from a checkpoint to the next, 1 or more
     */
    static FleetProgress Count(FleetTime elapsed, const FleetIteration& times, uint32_t interval);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_PROGRESS_H */
