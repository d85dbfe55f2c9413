/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-loss.h"

#include "ns3/abort.h"

#include <cmath>

namespace ns3
{

namespace
{

// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, OOPSLA 2014): a bijection of 64 bits that passes BigCrush on a counter.
uint64_t
Mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

FrameLoss::FrameLoss(uint64_t seed, uint64_t wire, double rate)
    : m_key(Mix(Mix(seed) ^ wire)),
      m_threshold(0),
      m_all(rate >= 1)
{
    NS_ABORT_MSG_UNLESS(rate >= 0 && rate <= 1,
                        "FrameLoss: a loss rate of " << rate << " is not between 0 and 1");
    if (!m_all)
    {
        m_threshold = static_cast<uint64_t>(std::ldexp(rate, 64));
    }
}

bool
FrameLoss::IsLost(uint64_t ordinal) const
{
    return m_all || Mix(m_key ^ Mix(ordinal)) < m_threshold;
}

} // namespace ns3
