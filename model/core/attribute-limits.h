/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H
#define PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H

#include "picoseconds.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Aborts, with value and limit, unless an attribute is at least as long as it has to be.
 *
 * A checker cannot do that: it is made when the type is registered, before UsePicoseconds(), when
 * ns-3 counts nanoseconds and PicoSeconds(1) is 0. So the code that reads the attribute checks it
 * first.
 *
 * @param value of the attribute
 * @param limit the least value
 * @param attribute its name, such as "OpusShimApp::HostLatency"
 */
void RequireAtLeast(Time value, Picoseconds limit, const std::string& attribute);

/**
 * @ingroup photonic-rails
 * @brief Aborts, with value and limit, if an attribute is longer than a limit: ns-3 code doubles
 * such a value, or adds it to times, without a range check.
 *
 * @param value of the attribute
 * @param limit the largest value
 */
void RequireAtMost(Time value, Picoseconds limit, const std::string& attribute);

/** Rates of ports and links, bit/s. A rate outside these limits has a wrong unit. */
constexpr uint64_t LEAST_RATE = 1'000'000;
constexpr uint64_t MOST_RATE = 1'000'000'000'000'000;

/** The largest time of an option or an attribute: 11 days. A simulation lasts at most 106 days. */
constexpr Picoseconds LONGEST_TIME = 1'000'000'000'000'000'000;

/**
 * @ingroup photonic-rails
 * @brief Aborts, with value and limits, unless a rate is from LEAST_RATE to MOST_RATE.
 *
 * @param attribute its name, such as "RailNetDevice::DataRate"
 */
void RequireRate(const DataRate& rate, const std::string& attribute);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H */
