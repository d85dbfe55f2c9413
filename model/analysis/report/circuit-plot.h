/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_PLOT_H
#define PHOTONIC_RAILS_CIRCUIT_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the circuits of rail 0 over the last iteration of a run: for each port of the switch
 * its circuits, white where it is dark, and above them the communication phases of the rail.
 * @return a figure of HTML; empty: no run has circuits
 */
std::string DrawCircuitPlot(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLOT_H */
