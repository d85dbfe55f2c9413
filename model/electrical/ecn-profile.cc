/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ecn-profile.h"

namespace ns3
{

void
EcnProfile::SetCommon(uint8_t classes, uint64_t kmin, uint64_t kmax, double pmax)
{
    m_classes = classes;
    m_kmin = kmin;
    m_kmax = kmax;
    m_pmax = pmax;
}

void
EcnProfile::SetOwn(uint32_t trafficClass, uint64_t kmin, uint64_t kmax, double pmax)
{
    m_own[trafficClass] = EcnMarking(kmin, kmax, pmax);
}

std::array<EcnMarking, EcnProfile::CLASSES>
EcnProfile::GetMarking(uint64_t bitsPerSecond, uint32_t largestFrame) const
{
    const EcnMarking::Thresholds defaults = EcnMarking::GetDefaults(bitsPerSecond, largestFrame);
    std::array<EcnMarking, CLASSES> marking;
    for (uint32_t c = 0; c < CLASSES; ++c)
    {
        const auto own = m_own.find(c);
        if (own != m_own.end())
        {
            marking[c] = own->second;
        }
        else if ((m_classes >> c & 1U) != 0)
        {
            marking[c] = EcnMarking(m_kmin != 0 ? m_kmin : defaults.kmin,
                                    m_kmax != 0 ? m_kmax : defaults.kmax,
                                    m_pmax);
        }
    }
    return marking;
}

} // namespace ns3
