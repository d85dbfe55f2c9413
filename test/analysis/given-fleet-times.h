/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GIVEN_FLEET_TIMES_H
#define GIVEN_FLEET_TIMES_H

#include "ns3/fleet-times.h"

#include <map>

namespace ns3
{

/** Times of a fleet that a test gives. */
class GivenFleetTimes : public FleetTimes
{
  public:
    FleetIteration GetIteration(const FleetForm& form) override
    {
        const auto found = iterations.find(form);
        return found == iterations.end() ? iteration : found->second;
    }

    FleetTransition GetTransition(const FleetTransitionCase& transition) override
    {
        const auto found = transitions.find(transition.step);
        return found == transitions.end() ? this->transition : found->second;
    }

    FleetIteration iteration{};                         //!< of the forms that are not below
    std::map<FleetForm, FleetIteration> iterations{};   //!< by form
    FleetTransition transition{};                       //!< of the steps that are not below
    std::map<FleetStep, FleetTransition> transitions{}; //!< by step
};

} // namespace ns3

#endif /* GIVEN_FLEET_TIMES_H */
