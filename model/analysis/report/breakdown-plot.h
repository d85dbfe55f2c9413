/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BREAKDOWN_PLOT_H
#define PHOTONIC_RAILS_BREAKDOWN_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws what a steady iteration of each run consists of: computing, waits for circuits, and
 * other waits (communication, pipeline); and the reconfigurations that are hidden in it.
 * @return a figure of HTML; empty: there is no complete run
 */
std::string DrawBreakdownPlot(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_BREAKDOWN_PLOT_H */
