/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CURVE_PLOT_ROWS_H
#define PHOTONIC_RAILS_CURVE_PLOT_ROWS_H

#include "curve-plot.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{

class ResultDatabase;

/**
 * Writes the plots of a program to its database of results, in place of those that are there: the
 * tables `plots` and `points`.
 * @param database a file of ResultDatabase
 */
void WriteCurvePlots(const std::string& database, const std::deque<CurvePlot>& plots);

/** @return the plots that a program has written */
std::vector<CurvePlot> ReadCurvePlots(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CURVE_PLOT_ROWS_H */
