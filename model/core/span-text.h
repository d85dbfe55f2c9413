/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SPAN_TEXT_H
#define PHOTONIC_RAILS_SPAN_TEXT_H

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

} // namespace ns3

#endif /* PHOTONIC_RAILS_SPAN_TEXT_H */
