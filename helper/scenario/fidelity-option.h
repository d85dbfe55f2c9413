/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIDELITY_OPTION_H
#define PHOTONIC_RAILS_FIDELITY_OPTION_H

#include "ns3/json-writer.h"
#include "ns3/rail-net-device.h"
#include "ns3/rail.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sets the simulation of frames on circuits, before Simulator::Run().
 * @param name `trains` or `events`; another aborts
 */
void SetFidelity(const std::string& name);

/** @return the simulation of frames on circuits: `trains` or `events` */
std::string GetFidelity();

/**
 * @ingroup photonic-rails
 * @brief Sums the counts of trains on a rail.
 * @return the sum over its NIC ports, without a reason
 */
RailNetDevice::Trains GetTrainsOf(const Rail& rail);

/** @return the same, of several rails */
RailNetDevice::Trains GetTrainsOf(const std::vector<Rail>& rails);

/**
 * @ingroup photonic-rails
 * @brief Writes the fidelity as a member "fidelity", and the counts of trains on a rail as an
 * object "trains".
 */
void WriteFidelity(JsonWriter& json, const Rail& rail);

/** The same, of several rails in sum. */
void WriteFidelity(JsonWriter& json, const RailNetDevice::Trains& trains);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIDELITY_OPTION_H */
