/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "demand-matrix.h"

#include "ns3/mix-bits.h"

namespace ns3
{

std::string
DemandMatrix::GetKey() const
{
    uint64_t digest = m_ranks;
    for (const uint64_t bytes : m_bytes)
    {
        digest = MixBits(digest ^ bytes);
    }
    return std::to_string(m_ranks) + "x" + std::to_string(digest);
}

} // namespace ns3
