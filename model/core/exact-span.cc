/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exact-span.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

using Wide = ExactSpan::Wide;

constexpr Wide LONGEST = Wide{1} << 120; // picoseconds
constexpr Wide SECOND = 1'000'000'000'000;

/**
 * Products of these numbers overflow, so the comparison follows Euclid's algorithm: wholes first,
 * then the inverted remainders.
 * @return whether a / b < c / d
 */
bool
IsLess(Wide a, Wide b, Wide c, Wide d)
{
    while (a / b == c / d)
    {
        a %= b;
        c %= d;
        if (a == 0 || c == 0)
        {
            return c != 0; // if both are zero, they are equal
        }
        // a / b < c / d means d / c < b / a
        std::swap(a, d);
        std::swap(b, c);
    }
    return a / b < c / d;
}

} // namespace

ExactSpan::ExactSpan(Wide picoseconds)
    : m_whole(std::min(picoseconds, LONGEST))
{
}

ExactSpan
ExactSpan::Of(Wide bytes, Wide bytesPerSecond)
{
    NS_ASSERT_MSG(bytesPerSecond > 0 && bytesPerSecond <= Wide{1} << 88, "the rate");
    const Wide seconds = std::min(bytes / bytesPerSecond, LONGEST / SECOND);
    const Wide rest = bytes % bytesPerSecond * SECOND;
    ExactSpan span(seconds * SECOND + rest / bytesPerSecond);
    span.m_part = rest % bytesPerSecond;
    span.m_parts = bytesPerSecond;
    return span;
}

ExactSpan
ExactSpan::Plus(Wide picoseconds) const
{
    ExactSpan sum(*this);
    sum.m_whole = std::min(m_whole + std::min(picoseconds, LONGEST), LONGEST);
    return sum;
}

Picoseconds
ExactSpan::RoundUp() const
{
    const Wide whole = m_whole + (m_part > 0 ? 1 : 0);
    return static_cast<Picoseconds>(std::min(whole, static_cast<Wide>(NEVER - 1)));
}

bool
ExactSpan::operator<(const ExactSpan& other) const
{
    return m_whole != other.m_whole ? m_whole < other.m_whole
                                    : IsLess(m_part, m_parts, other.m_part, other.m_parts);
}

} // namespace ns3
