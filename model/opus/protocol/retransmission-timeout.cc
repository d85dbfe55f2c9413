/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "retransmission-timeout.h"

#include <algorithm>

namespace ns3
{

RetransmissionTimeout::RetransmissionTimeout(Picoseconds least)
    : m_least(least)
{
}

void
RetransmissionTimeout::Measure(Picoseconds roundTrip)
{
    if (m_smoothed == 0)
    {
        m_smoothed = roundTrip;
        m_variation = roundTrip / 2;
        return;
    }
    const Picoseconds apart =
        m_smoothed > roundTrip ? m_smoothed - roundTrip : roundTrip - m_smoothed;
    m_variation = (3 * m_variation + apart) / 4;
    m_smoothed = (7 * m_smoothed + roundTrip) / 8;
}

void
RetransmissionTimeout::Clear()
{
    m_smoothed = 0;
    m_variation = 0;
}

Picoseconds
RetransmissionTimeout::Get() const
{
    const Picoseconds measured = m_smoothed + std::max(m_least / 10, 4 * m_variation);
    return std::max(m_least, std::min(MOST, measured));
}

Picoseconds
RetransmissionTimeout::Double(Picoseconds expired) const
{
    return std::max(Get(), std::min(MOST, 2 * expired));
}

} // namespace ns3
