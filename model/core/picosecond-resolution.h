/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PICOSECOND_RESOLUTION_H
#define PHOTONIC_RAILS_PICOSECOND_RESOLUTION_H

#include "past-events.h"
#include "picoseconds.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sets ns-3's time resolution to one picosecond. The first line of every script.
 *
 * ns-3 counts nanoseconds by default. The resolution can be set only once, before the first
 * Simulator::Run(). A byte at 400 Gb/s lasts 20 ps, so every model of this module needs picoseconds
 * and checks for them when it is initialised.
 *
 * Does nothing if the resolution is a picosecond already. Aborts with the remedy if the
 * resolution can no longer be changed, or was set to something else.
 */
void UsePicoseconds();

/**
 * @ingroup photonic-rails
 * @brief Aborts, with the remedy, unless the time resolution is one picosecond.
 * @param model the type that needs the resolution, for the message
 */
void RequirePicoseconds(const std::string& model);

/** @return the simulation time, in picoseconds; while the past is simulated, the instant of it */
inline Picoseconds
NowPicoseconds()
{
    return PastEvents::AreOn() ? PastEvents::GetNow() : Simulator::Now().GetTimeStep();
}

/**
 * @param span a span or an instant
 * @return the same time as an ns-3 Time
 */
inline Time
ToTime(Picoseconds span)
{
    return TimeStep(span);
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_PICOSECOND_RESOLUTION_H */
