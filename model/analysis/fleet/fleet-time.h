/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_TIME_H
#define PHOTONIC_RAILS_FLEET_TIME_H

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief An instant or a span of a fleet's year, in picoseconds; or server-time, in picoseconds of
 * one server. 64 bits hold 106 days, so it has 128.
 */
__extension__ typedef __int128 FleetTime;

/** A day. */
constexpr FleetTime FLEET_DAY = FleetTime(86400) * 1000000000000;

/** After every event. */
constexpr FleetTime FLEET_NEVER = FLEET_DAY * 1000000000;

/** @return in hours */
constexpr double
ToHours(FleetTime time)
{
    return static_cast<double>(time) / 3600e12;
}

/** @return in days */
constexpr double
ToDays(FleetTime time)
{
    return ToHours(time) / 24;
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_TIME_H */
