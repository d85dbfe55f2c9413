/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "retransmission-timeout.h"

#include "ns3/saturating-sum.h"

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
    m_backedOff = 0;
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
RetransmissionTimeout::Expire(Picoseconds waited)
{
    m_backedOff = std::max(m_backedOff, MultiplySaturating(waited, 2));
}

void
RetransmissionTimeout::Clear()
{
    m_smoothed = 0;
    m_variation = 0;
    m_backedOff = 0;
}

Picoseconds
RetransmissionTimeout::Get() const
{
    const Picoseconds most = std::max(MOST, m_least);
    return std::min(most, std::max(m_backedOff, GetMeasured()));
}

Picoseconds
RetransmissionTimeout::GetMeasured() const
{
    return std::max(m_least, m_smoothed + 4 * m_variation);
}

} // namespace ns3
