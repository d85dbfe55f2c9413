/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TIME_UNITS_H
#define PHOTONIC_RAILS_TIME_UNITS_H

#include "ns3/picoseconds.h"

namespace ns3
{

constexpr Picoseconds US = 1'000'000;
constexpr Picoseconds MS = 1'000 * US;
constexpr Picoseconds S = 1'000 * MS;

} // namespace ns3

#endif /* PHOTONIC_RAILS_TIME_UNITS_H */
