/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COLLECTIVE_PLOT_H
#define PHOTONIC_RAILS_COLLECTIVE_PLOT_H

#include <string>

namespace ns3
{

class ResultDatabase;

/**
 * @ingroup photonic-rails
 * @brief Draws the bus bandwidth of collectives on rails over their size, by policy, and makes the
 * table of them.
 *
 * The bandwidth is that of nccl-tests without waits for circuits: the column
 * `granted_bus_bandwidth_gb_s` of the view `collectives`, its mean over operations. The table has
 * the one with waits too.
 * @return a figure and a table of HTML; empty: there are no collectives
 */
std::string DrawCollectives(ResultDatabase& database);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COLLECTIVE_PLOT_H */
