/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-loss.h"

#include "ns3/abort.h"
#include "ns3/mix-bits.h"

#include <cmath>

namespace ns3
{

FrameLoss::FrameLoss(uint64_t seed, uint64_t wire, double rate)
    : m_key(MixBits(MixBits(seed) ^ wire)),
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
    return m_all || MixBits(m_key ^ MixBits(ordinal)) < m_threshold;
}

} // namespace ns3
