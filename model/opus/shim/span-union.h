/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SPAN_UNION_H
#define PHOTONIC_RAILS_SPAN_UNION_H

#include "ns3/picoseconds.h"

#include <cstddef>
#include <map>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The length of the union of spans of time, in picoseconds: spans that overlap count once.
 *
 * Spans come in any order. Spans that touch are kept as one.
 */
class SpanUnion
{
  public:
    /** Adds a span. @param begin of the span @param end of the span, not before its begin */
    void Add(Picoseconds begin, Picoseconds end);

    /** No span that is added from now on begins before an instant. */
    void BeginAfter(Picoseconds instant);

    /** @return the number of spans that are kept apart */
    std::size_t CountSpans() const;

    /** @return the length of the union */
    Picoseconds GetLength() const;

  private:
    std::map<Picoseconds, Picoseconds> m_spans; //!< disjoint: their ends by their begins
    Picoseconds m_length{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SPAN_UNION_H */
