/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COST_PLOT_H
#define PHOTONIC_RAILS_COST_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws what the fabrics of runs cost and draw, a GPU, electrical beside photonic ones, and
 * makes the table of them (the table `costs`).
 * @return two figures and a table of HTML; empty: there are no costs
 */
std::string DrawCosts(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COST_PLOT_H */
