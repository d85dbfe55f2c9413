/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SPAN_TEXT_H
#define PHOTONIC_RAILS_SPAN_TEXT_H

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @return a span in milliseconds, with three digits behind the point: "79.535"; from 1000 ms on in
 *         seconds: "4.080 s"
 */
std::string ToMillisecondsOrSeconds(double picoseconds);

/** @return the same always with its unit: "79.535 ms" */
std::string ToSpanText(double picoseconds);

/** @return a span with all its digits, in the largest unit that it has one of: "858.408807us" */
std::string ToExactSpanText(int64_t picoseconds);

} // namespace ns3

#endif /* PHOTONIC_RAILS_SPAN_TEXT_H */
