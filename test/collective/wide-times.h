/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_WIDE_TIMES_H
#define PHOTONIC_RAILS_WIDE_TIMES_H

#include "ns3/exact-span.h"

namespace ns3
{

/** An integer of 128 bits. */
using Wide = ExactSpan::Wide;

/** In picoseconds. */
constexpr Wide SECOND = 1'000'000'000'000;

} // namespace ns3

#endif /* PHOTONIC_RAILS_WIDE_TIMES_H */
