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
 * ns-3 counts nanoseconds and PicoSeconds(1) is 0. So whoever reads the attribute first checks it.
 *
 * @param value of the attribute
 * @param limit that it must not be below
 * @param attribute its name, such as "OpusShimApp::HostLatency"
 */
void RequireAtLeast(Time value, Picoseconds limit, const std::string& attribute);

/**
 * @ingroup photonic-rails
 * @brief Aborts, with value and limit, if an attribute is longer than it may be: where something
 * that is not of this module doubles it, or adds it to times, without a look at their range.
 *
 * @param value of the attribute
 * @param limit that it must not exceed
 */
void RequireAtMost(Time value, Picoseconds limit, const std::string& attribute);

/** Rates of ports and links, bit/s: slower ones and faster ones are a forgotten unit. */
constexpr uint64_t LEAST_RATE = 1'000'000;
constexpr uint64_t MOST_RATE = 1'000'000'000'000'000;

/** Times that are typed or set, at most: 11 days, in a simulation of 106. */
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
