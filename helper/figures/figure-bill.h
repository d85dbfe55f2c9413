/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_BILL_H
#define PHOTONIC_RAILS_FIGURE_BILL_H

#include "figure-parts.h"

#include "ns3/network-inputs.h"

#include <cstdint>

namespace ns3
{

/**
 * Adds the cost and power of electrical rails against photonic rails.
 * @param inputs of the generation
 * @param servers of the cluster
 * @param dollars of a transceiver
 * @param published by column
 */
void AddBill(Figure& figure,
             const NetworkInputs& inputs,
             uint32_t servers,
             uint32_t dollars,
             const PublishedColumn& published = {});

/** Sets what figures of cost and power share. */
void SetBill(Figure& figure);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_BILL_H */
