/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EVENT_ORDER_H
#define PHOTONIC_RAILS_EVENT_ORDER_H

#include <cstdint>

namespace ns3
{

/**
 * Chooses the order of the events of an instant, for simulations that begin after this.
 * @param salt of ShuffledSimulatorImpl; 0: the order in which they are scheduled
 */
void SetEventOrder(uint64_t salt);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EVENT_ORDER_H */
