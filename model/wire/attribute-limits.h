/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H
#define PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H

#include "picoseconds.h"

#include "ns3/nstime.h"

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
 * @param attribute its name
 */
void RequireAtMost(Time value, Picoseconds limit, const std::string& attribute);

} // namespace ns3

#endif /* PHOTONIC_RAILS_ATTRIBUTE_LIMITS_H */
