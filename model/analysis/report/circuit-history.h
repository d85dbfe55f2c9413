/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_HISTORY_H
#define PHOTONIC_RAILS_CIRCUIT_HISTORY_H

#include "result-query.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ns3
{

/** The circuits of a switch at an instant, by their ports, the lower one first: whether each has
 * light. One without light is being set up. */
using CircuitState = std::map<std::pair<int64_t, int64_t>, bool>;

/** The circuits of the switch of a rail over time. */
struct CircuitHistory
{
    std::set<int64_t> ports;                //!< that have ever had a circuit
    std::map<int64_t, CircuitState> states; //!< from an instant on, in ps
};

/**
 * @param run of the database
 * @param mostInstants of a rail: later ones are left out
 * @return the circuits of all optical switches, by rail: those that were up, and those that
 * switches were setting up
 */
std::map<int64_t, CircuitHistory> ReadCircuitHistories(ResultDatabase& database,
                                                       const std::string& run,
                                                       std::size_t mostInstants);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_HISTORY_H */
