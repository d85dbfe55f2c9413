/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_RUNNER_H
#define PHOTONIC_RAILS_TRAINS_RUNNER_H

#include "photonic-rails-trains-outcome.h"

#include <cstdint>
#include <string>

namespace ns3
{

struct TrainsScenario;

/** How a scenario is run. */
struct TrainsRunOptions
{
    std::string fidelity{"PacketEvents"};                 //!< or PacketTrains
    std::string scheduler{"ns3::PriorityQueueScheduler"}; //!< or another
    uint64_t salt{0};        //!< not 0: events of an instant in an order that this chooses
    uint64_t mostRows{0};    //!< frames of which more than the hash is kept, by port and direction
    bool sinks{true};        //!< every port has one
    bool watchTies{false};   //!< whether to report a check at the instant of a frame
    bool captures{true};     //!< whether a scenario that is captured is
    bool foldBlinks{false};  //!< leaves out carrier that comes and goes at one instant
    std::string folder{"."}; //!< for captures, which are removed again
};

/**
 * Builds a scenario in ns-3, runs it and returns all observations of it.
 * @param scenario what happens
 * @param options how it is run
 * @return the outcome
 */
TrainsOutcome RunTrains(const TrainsScenario& scenario, const TrainsRunOptions& options);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_RUNNER_H */
