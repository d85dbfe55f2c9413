/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SWITCH_PICTURE_H
#define PHOTONIC_RAILS_SWITCH_PICTURE_H

#include "circuit-map-picture.h"

#include "ns3/optical-circuit-switch.h"
#include "ns3/rail.h"

#include <ostream>
#include <string>

namespace ns3
{

/**
 * @return the circuits of a switch as they are now, with a title that has the instant
 */
CircuitMapPicture MakeCircuitMap(const OpticalCircuitSwitch& middle);

/**
 * @param rail with an optical switch
 * @param hosts the name of a host without its number: "server"
 * @return the same, with the hosts of the rail
 */
CircuitMapPicture MakeCircuitMap(const Rail& rail, const std::string& hosts = "host");

/**
 * @ingroup photonic-rails
 * @brief Writes a picture of the circuits of a switch as they are now, as a file of SVG.
 * @code
 * std::ofstream file("circuits.svg");
 * WriteCircuitMap(file, *rail.GetOpticalSwitch());
 * @endcode
 */
void WriteCircuitMap(std::ostream& os, const OpticalCircuitSwitch& middle);

/** The same, with the hosts of the rail. */
void WriteCircuitMap(std::ostream& os, const Rail& rail, const std::string& hosts = "host");

} // namespace ns3

#endif /* PHOTONIC_RAILS_SWITCH_PICTURE_H */
