/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ITERATION_PLOT_H
#define PHOTONIC_RAILS_ITERATION_PLOT_H

#include "curve-plot.h"

#include <string>

namespace ns3
{

class ResultDatabase;

/** @return the plot of iteration times in s over reconfiguration times in s, without points */
CurvePlot MakeIterationPlot();

/**
 * @ingroup photonic-rails
 * @brief Draws the iteration time over the reconfiguration time, by policy, as the papers plot it.
 * @return a figure of HTML; empty: there are no two complete runs, or some differ in other things
 */
std::string DrawIterationPlot(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ITERATION_PLOT_H */
