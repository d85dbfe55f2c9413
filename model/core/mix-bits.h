/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MIX_BITS_H
#define PHOTONIC_RAILS_MIX_BITS_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
 * generators, OOPSLA 2014): a bijection of 64 bits that passes BigCrush on a counter.
 *
 * Random draws for single frames are pure functions of this one, so that any part of a run can be
 * computed in any order.
 *
 * @return its bits, mixed
 */
constexpr uint64_t
MixBits(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_MIX_BITS_H */
