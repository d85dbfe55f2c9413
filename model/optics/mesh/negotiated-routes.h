/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NEGOTIATED_ROUTES_H
#define PHOTONIC_RAILS_NEGOTIATED_ROUTES_H

#include "mesh-answer.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Finds short routes by negotiation: all demands take their cheapest route, and cells become
 * dearer round by round where routes disagree.
 *
 * The method is that of routers of programmable gate arrays (McMurchie and Ebeling, "PathFinder",
 * 1995). What routes compete for is a cell: it has one state, and two places in that state. There
 * are no random numbers, so equal questions have equal answers. A demand that has no way at all
 * beside the routes that are kept is impossible; nothing else is proved. At the end each route is
 * shortened where the others leave room.
 * @param rounds the largest number of rounds
 */
MeshAnswer NegotiateRoutes(const MeshGraph& mesh,
                           const std::vector<MeshRoute>& kept,
                           const std::vector<MeshDemand>& demands,
                           uint32_t rounds);

} // namespace ns3

#endif /* PHOTONIC_RAILS_NEGOTIATED_ROUTES_H */
