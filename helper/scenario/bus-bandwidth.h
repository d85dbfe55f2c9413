/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BUS_BANDWIDTH_H
#define PHOTONIC_RAILS_BUS_BANDWIDTH_H

#include "ns3/collective-kind.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The bus bandwidth of nccl-tests in relation to the algorithm bandwidth (size / time): the
 * bytes that a rank sends at least, for each byte of the buffer.
 *
 * So the bus bandwidth compares with the rate of a GPU's ports, whatever the number of ranks.
 * @param ranks of the group
 * @return such as 2 (n - 1) / n, for an all-reduce of n ranks
 */
double GetBusFactor(CollectiveKind kind, uint32_t ranks);

} // namespace ns3

#endif /* PHOTONIC_RAILS_BUS_BANDWIDTH_H */
