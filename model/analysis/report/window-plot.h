/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WINDOW_PLOT_H
#define PHOTONIC_RAILS_WINDOW_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the distribution of the windows between phases of ranks, in the last iteration: of
 * each policy, at its shortest reconfiguration time.
 * @return a figure of HTML; empty: there are no windows
 */
std::string DrawWindowPlot(ResultDatabase& database);

/**
 * Draws the distribution of the windows of a run by the traffic after them.
 * @return a figure of HTML; empty: there are no windows
 */
std::string DrawWindowVolumePlot(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_WINDOW_PLOT_H */
