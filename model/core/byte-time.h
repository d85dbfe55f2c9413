/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_BYTE_TIME_H
#define PHOTONIC_RAILS_BYTE_TIME_H

#include <cstdint>
#include <numeric>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The time of a byte at a rate, in picoseconds, as a fraction in lowest terms: 8 10^12 /
 * rate.
 */
struct ByteTime
{
    uint64_t numerator{8'000'000'000'000}; //!< 8 bits, 10^12 ps a second
    uint64_t denominator{1};

    /** @param bitsPerSecond 1 or more */
    static ByteTime Of(uint64_t bitsPerSecond)
    {
        ByteTime time;
        const uint64_t common = std::gcd(time.numerator, bitsPerSecond);
        time.numerator /= common;
        time.denominator = bitsPerSecond / common;
        return time;
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_BYTE_TIME_H */
