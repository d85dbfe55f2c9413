/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ADDRESSES_H
#define PHOTONIC_RAILS_ADDRESSES_H

namespace ns3
{

/** @return whether each run has the same addresses; ns-3.35 goes on counting */
bool AddressesBeginAnew();

} // namespace ns3

#endif /* PHOTONIC_RAILS_ADDRESSES_H */
