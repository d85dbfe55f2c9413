/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COST_ROWS_H
#define PHOTONIC_RAILS_COST_ROWS_H

#include "ns3/rail.h"

#include <vector>

namespace ns3
{

class ResultWriter;

/**
 * @ingroup photonic-rails
 * @brief Writes what the fabric of a run costs and draws, beside other fabrics that join the same
 * GPUs (FabricBill): the table `costs`.
 *
 * There is a row for each fabric and each generation of prices (NetworkInputs). Photonic rails have
 * as many ports of a switch for each GPU as the rails of the run, and the price and power of their
 * technology. A cluster that has no bill (GetFabricMistake()) has no row.
 * @param rails of the run, all of its kind
 */
void WriteCostRows(ResultWriter& writer, const std::vector<Rail>& rails);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COST_ROWS_H */
