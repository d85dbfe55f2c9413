/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_PLOT_H
#define PHOTONIC_RAILS_FAULT_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the faults of a run over time, by component, and makes the tables of the faults of
 * all runs and of the frames that were lost.
 * @return a figure and tables of HTML; empty: there are neither faults nor losses
 */
std::string DrawFaults(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_PLOT_H */
