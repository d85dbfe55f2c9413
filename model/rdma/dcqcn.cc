/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dcqcn.h"

#include "ns3/saturating-sum.h"

#include <algorithm>

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

constexpr uint64_t ONE = uint64_t{1} << 32; // alpha's unit

} // namespace

Dcqcn::Dcqcn(const DcqcnSettings& settings)
    : m_settings(settings),
      m_rate(settings.lineRate),
      m_target(settings.lineRate),
      m_alpha(ONE),
      m_clock(settings.lineRate)
{
}

uint64_t
Dcqcn::GetRate() const
{
    return m_rate;
}

uint64_t
Dcqcn::GetTarget() const
{
    return m_target;
}

uint64_t
Dcqcn::GetAlpha() const
{
    return m_alpha;
}

bool
Dcqcn::IsPaced() const
{
    return true;
}

void
Dcqcn::OnCongestion(Picoseconds now)
{
    m_notifications.push_back(now);
}

void
Dcqcn::Advance(Picoseconds instant)
{
    while (true)
    {
        const Picoseconds notified = m_notifications.empty() ? NEVER : m_notifications.front();
        const Picoseconds due = std::min({notified, m_alphaDue, m_rateDue});
        if (due >= instant)
        {
            return;
        }
        // at one instant, alpha falls before the rate rises, and a notification comes last
        if (m_alphaDue == due)
        {
            const uint64_t less = m_alpha >> m_settings.gainShift;
            m_alpha -= less;
            m_alphaDue = less == 0 ? NEVER : AddSaturating(m_alphaDue, m_settings.alphaTimer);
        }
        else if (m_rateDue == due)
        {
            m_rateDue = AddSaturating(m_rateDue, m_settings.rateTimer);
            ++m_timeRounds;
            Increase();
        }
        else
        {
            m_notifications.pop_front();
            Decrease(due);
        }
    }
}

void
Dcqcn::Decrease(Picoseconds now)
{
    m_target = m_rate;
    // rate * (1 - alpha / 2); a rate has 41 bits at most, alpha 33
    const auto less = static_cast<uint64_t>(static_cast<Wide>(m_rate) * m_alpha >> 33);
    m_rate = std::max(m_rate - less, std::min(m_settings.minimumRate, m_rate));
    m_alpha = m_alpha - (m_alpha >> m_settings.gainShift) + (ONE >> m_settings.gainShift);
    m_timeRounds = 0;
    m_byteRounds = 0;
    m_bytes = 0;
    m_alphaDue = AddSaturating(now, m_settings.alphaTimer);
    m_rateDue = AddSaturating(now, m_settings.rateTimer);
}

Picoseconds
Dcqcn::OnSent(Picoseconds first, uint64_t wireBytes)
{
    Advance(first);
    if (m_rate >= m_settings.lineRate)
    {
        return ALWAYS_BEFORE; // the wire itself is the limit
    }
    m_bytes += wireBytes;
    while (m_bytes >= m_settings.byteCounter)
    {
        m_bytes -= m_settings.byteCounter;
        ++m_byteRounds;
        Increase();
    }
    if (m_clock.GetRate() != m_rate || first > m_clock.GetNext())
    {
        m_clock = FrameClock(m_rate);
        m_clock.Start(first);
    }
    return m_clock.Append(wireBytes).next;
}

void
Dcqcn::Increase()
{
    const uint32_t most = std::max(m_timeRounds, m_byteRounds);
    const uint32_t least = std::min(m_timeRounds, m_byteRounds);
    if (least > m_settings.fastRecovery)
    {
        m_target += (least - m_settings.fastRecovery) * m_settings.hyperStep;
    }
    else if (most > m_settings.fastRecovery)
    {
        m_target += m_settings.additiveStep;
    }
    m_target = std::min(m_target, m_settings.lineRate);
    m_rate = m_rate + (m_target - m_rate + 1) / 2; // rounded up, so that it reaches the target
    if (m_rate >= m_settings.lineRate)
    {
        m_rateDue = NEVER;
    }
}

} // namespace ns3
