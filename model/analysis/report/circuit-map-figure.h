/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_MAP_FIGURE_H
#define PHOTONIC_RAILS_CIRCUIT_MAP_FIGURE_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the circuit map of each rail of a run, at each instant at which it changed
 * (CircuitMapPicture). The page has a list of rails and a slider of instants; the printed page has
 * the map that is shown, by default the one with the most circuits in the last iteration.
 * @return a figure of HTML; empty: no run has circuits
 */
std::string DrawCircuitMaps(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_MAP_FIGURE_H */
