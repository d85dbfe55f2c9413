/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ecn-marking.h"

#include "ns3/abort.h"
#include "ns3/mix-bits.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t KMIN_MICROSECONDS = 32;  // see "Defaults" in electrical-rail-switch.h
constexpr uint64_t KMAX_MICROSECONDS = 128; // see "Defaults" in electrical-rail-switch.h

/** @return the bytes that a wire carries in a time, rounded down */
uint64_t
BytesIn(uint64_t microseconds, uint64_t bitsPerSecond)
{
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>(static_cast<Wide>(bitsPerSecond) * microseconds / 8'000'000);
}

} // namespace

EcnMarking::EcnMarking(uint64_t kmin, uint64_t kmax, double pmax)
    : m_kmin(kmin),
      m_kmax(kmax)
{
    NS_ABORT_MSG_UNLESS(kmin <= kmax,
                        "EcnMarking: Kmin of " << kmin << " bytes is beyond Kmax of " << kmax
                                               << "; give at most that");
    NS_ABORT_MSG_UNLESS(kmax < uint64_t{1} << 32,
                        "EcnMarking: a Kmax of " << kmax
                                                 << " bytes; give less than 4 GiB, which no "
                                                    "switch's buffer holds");
    NS_ABORT_MSG_UNLESS(pmax >= 0 && pmax <= 1,
                        "EcnMarking: a Pmax of " << pmax << " is not between 0 and 1");
    m_pmax = static_cast<uint64_t>(std::llround(std::ldexp(pmax, 32)));
}

EcnMarking::Thresholds
EcnMarking::GetDefaults(uint64_t bitsPerSecond, uint32_t largestFrame)
{
    const uint64_t frame = largestFrame;
    return {std::max(BytesIn(KMIN_MICROSECONDS, bitsPerSecond), frame),
            std::max(BytesIn(KMAX_MICROSECONDS, bitsPerSecond), 4 * frame)};
}

bool
EcnMarking::IsMarked(uint64_t key, uint64_t ordinal, uint64_t bytes) const
{
    if (!IsDrawn(bytes))
    {
        return bytes > m_kmax;
    }
    // draw / 2^32 < Pmax (bytes - Kmin) / (Kmax - Kmin); both products are below 2^64
    const uint64_t draw = MixBits(key ^ MixBits(ordinal)) >> 32;
    return draw * (m_kmax - m_kmin) < m_pmax * (bytes - m_kmin);
}

uint64_t
EcnMarking::KeyOf(uint64_t seed, uint64_t queue)
{
    return MixBits(MixBits(seed) ^ queue);
}

} // namespace ns3
