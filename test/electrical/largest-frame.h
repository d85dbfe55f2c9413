/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LARGEST_FRAME_H
#define PHOTONIC_RAILS_LARGEST_FRAME_H

#include <cstdint>

namespace ns3
{

/** Bytes of the largest frame: payload, header, check. */
constexpr uint32_t LARGEST = 9000 + 14 + 4;

} // namespace ns3

#endif /* PHOTONIC_RAILS_LARGEST_FRAME_H */
