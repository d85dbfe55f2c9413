/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_PLOT_H
#define PHOTONIC_RAILS_PORT_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the shares of a run in which the NIC ports of rail 0 were busy and dark.
 * @return a figure of HTML; empty: there is no complete run
 */
std::string DrawPortPlot(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_PLOT_H */
