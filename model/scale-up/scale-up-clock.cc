/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scale-up-clock.h"

#include "ns3/abort.h"
#include "ns3/byte-time.h"

#include <limits>

namespace ns3
{

ScaleUpClock::ScaleUpClock(uint64_t bitsPerSecond)
    : m_rate(bitsPerSecond)
{
    NS_ABORT_MSG_IF(bitsPerSecond == 0,
                    "ScaleUpPorts: a rate of 0 b/s sends nothing; give at least 1 b/s");
    const ByteTime byte = ByteTime::Of(bitsPerSecond);
    m_byte = byte.numerator;
    m_picosecond = byte.denominator;
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
