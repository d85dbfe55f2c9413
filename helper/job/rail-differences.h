/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_DIFFERENCES_H
#define PHOTONIC_RAILS_RAIL_DIFFERENCES_H

#include "ns3/application-container.h"
#include "ns3/rail.h"

#include <string>
#include <vector>

namespace ns3
{

struct OpusControlPlane;

/**
 * @ingroup photonic-rails
 * @brief Finds what makes the rails of a job differ, beside the programs of its ranks: attributes,
 * randomness, losses, observers.
 * @param rails of the job, one of each local rank
 * @param ranks applications of the ranks, by rank
 * @param plane the control plane
 * @return the first difference, in words; empty: none
 */
std::string FindRailDifference(const std::vector<Rail>& rails,
                               const ApplicationContainer& ranks,
                               const OpusControlPlane& plane);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_DIFFERENCES_H */
