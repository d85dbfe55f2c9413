/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_KINDS_H
#define PHOTONIC_RAILS_CIRCUIT_KINDS_H

#include "result-query.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The parallelisms that the circuits of a run are for, by the ranks at their ends: two ranks
 * whose places differ along one parallelism are joined for it.
 */
class CircuitKinds
{
  public:
    /** @param run of the database */
    CircuitKinds(ResultDatabase& database, const std::string& run);

    /** @return the server at a port of the switch of a rail; negative: it is not known */
    int64_t GetServer(int64_t rail, int64_t port) const;
    /** @return the ports of the switch of a rail that have servers */
    std::vector<int64_t> ListPorts(int64_t rail) const;
    /** @return the parallelism of a circuit between two ports; empty: it is not known */
    std::string Find(int64_t rail, int64_t one, int64_t other) const;

  private:
    /** The servers, by rail and port. */
    std::map<std::pair<int64_t, int64_t>, int64_t> m_servers;
    /** The places of ranks along cp, ep, shards, replicas and pp, by rail and server. */
    std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> m_places;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_KINDS_H */
