/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-clock.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/byte-time.h"

namespace ns3
{

namespace
{

__extension__ using Wide = unsigned __int128;

} // namespace

FrameClock::FrameClock(uint64_t bitsPerSecond)
    : m_rate(bitsPerSecond)
{
    NS_ABORT_MSG_IF(bitsPerSecond == 0,
                    "FrameClock: a rate of 0 b/s sends nothing; give at least 1 b/s");
    const ByteTime byte = ByteTime::Of(bitsPerSecond);
    m_numerator = byte.numerator;
    m_denominator = byte.denominator;
}

uint64_t
FrameClock::GetRate() const
{
    return m_rate;
}

void
FrameClock::Start(Picoseconds anchor)
{
    m_anchor = anchor;
    m_bytes = 0;
}

FrameTimes
FrameClock::Append(uint64_t wireBytes)
{
    NS_ASSERT_MSG(wireBytes >= PREAMBLE + GAP, "a frame of " << wireBytes << " bytes on the wire");
    FrameTimes times;
    times.first = GetNext();
    m_bytes += wireBytes;
    times.last = m_anchor + Span(m_bytes - GAP);
    times.next = GetNext();
    return times;
}

Picoseconds
FrameClock::GetNext() const
{
    return m_anchor + Span(m_bytes);
}

Picoseconds
FrameClock::After(uint64_t bytes) const
{
    return m_anchor + Span(m_bytes + bytes);
}

Picoseconds
FrameClock::Span(uint64_t bytes) const
{
    const Wide product = static_cast<Wide>(bytes) * m_numerator;
    // the common rates divide a byte evenly, and a 64-bit division is several times cheaper
    if (m_denominator == 1)
    {
        return static_cast<Picoseconds>(product);
    }
    const Wide rounded = product + (m_denominator - 1);
    if (rounded >> 64 == 0)
    {
        return static_cast<Picoseconds>(static_cast<uint64_t>(rounded) / m_denominator);
    }
    return static_cast<Picoseconds>(rounded / m_denominator);
}

int64_t
FrameClock::BytesBy(Picoseconds instant) const
{
    if (instant < m_anchor)
    {
        return -1;
    }
    // ceil(bytes * n / d) <= t if and only if bytes <= floor(t * d / n)
    const Wide product = static_cast<Wide>(instant - m_anchor) * m_denominator;
    const uint64_t bytes = product >> 64 == 0 ? static_cast<uint64_t>(product) / m_numerator
                                              : static_cast<uint64_t>(product / m_numerator);
    return static_cast<int64_t>(bytes) - static_cast<int64_t>(m_bytes);
}

Picoseconds
FrameClock::GetAnchor() const
{
    return m_anchor;
}

uint64_t
FrameClock::GetBytes() const
{
    return m_bytes;
}

} // namespace ns3
