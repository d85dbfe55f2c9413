/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-clock.h"

#include "ns3/abort.h"

#include <limits>
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint64_t PICOSECOND_BITS_A_BYTE = 8'000'000'000'000; // 8 bits, 10^12 ps a second

} // namespace

ScaleUpClock::ScaleUpClock(uint64_t bitsPerSecond)
    : m_rate(bitsPerSecond)
{
    NS_ABORT_MSG_IF(bitsPerSecond == 0,
                    "ScaleUpPorts: a rate of 0 b/s sends nothing; give at least 1 b/s");
    const uint64_t common = std::gcd(PICOSECOND_BITS_A_BYTE, bitsPerSecond);
    m_byte = PICOSECOND_BITS_A_BYTE / common;
    m_picosecond = bitsPerSecond / common;
}

Picoseconds
ScaleUpClock::Round(Fraction instant) const
{
    const Fraction sum = instant + m_picosecond - 1;
    if (sum >= 0 && sum <= std::numeric_limits<int64_t>::max())
    {
        // the common case: a division of 64 bits is many times as fast
        return static_cast<int64_t>(sum) / static_cast<int64_t>(m_picosecond);
    }
    const Fraction rounded = sum / m_picosecond;
    NS_ABORT_MSG_IF(rounded >= NEVER,
                    "ScaleUpPorts: at " << m_rate
                                        << " b/s a message would take longer than the 106 days "
                                           "that are counted; send less, or faster");
    return static_cast<Picoseconds>(rounded);
}

} // namespace ns3
