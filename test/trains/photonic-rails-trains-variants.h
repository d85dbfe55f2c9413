/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_VARIANTS_H
#define PHOTONIC_RAILS_TRAINS_VARIANTS_H

#include "photonic-rails-trains-scenario.h"

#include "ns3/picoseconds.h"

namespace ns3
{

/**
 * Adds actions that must change nothing: reads, traces that come and go, kicks.
 * @param scenario a scenario
 * @return the same with such actions at random instants
 */
TrainsScenario Disturbed(const TrainsScenario& scenario);

/**
 * @param scenario with an optical switch
 * @return the same with a random fabric in the switch, whose routes take up to microseconds
 */
TrainsScenario WithFabric(const TrainsScenario& scenario);

/**
 * @param scenario a scenario
 * @param by how much
 * @return the same, with later checks of an instant
 */
TrainsScenario LookedAtLater(const TrainsScenario& scenario, Picoseconds by);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_VARIANTS_H */
