/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "span-union.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

void
SpanUnion::Add(Picoseconds begin, Picoseconds end)
{
    auto span = m_spans.upper_bound(begin);
    if (span != m_spans.begin() && std::prev(span)->second >= begin)
    {
        --span;
    }
    while (span != m_spans.end() && span->first <= end)
    {
        m_length -= span->second - span->first;
        begin = std::min(begin, span->first);
        end = std::max(end, span->second);
        span = m_spans.erase(span);
    }
    m_spans.emplace(begin, end);
    m_length += end - begin;
}

void
SpanUnion::BeginAfter(Picoseconds instant)
{
    while (!m_spans.empty() && m_spans.begin()->second < instant)
    {
        m_spans.erase(m_spans.begin());
    }
}

std::size_t
SpanUnion::CountSpans() const
{
    return m_spans.size();
}

Picoseconds
SpanUnion::GetLength() const
{
    return m_length;
}

} // namespace ns3
