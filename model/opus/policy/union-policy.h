/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_UNION_POLICY_H
#define PHOTONIC_RAILS_UNION_POLICY_H

#include "standing-policy.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** A pair of ranks, and its number of links. */
struct LinkedPair
{
    JoinedRanks pair;
    uint32_t links{0};
};

/**
 * @param demand of a job
 * @param nicPorts the ports of a NIC
 * @return the links of all pairs at once, see UnionPolicy
 */
std::vector<LinkedPair> ListUnionLinks(const JobDemand& demand, uint32_t nicPorts);

/** @return the most ports that a rank needs for these links */
uint32_t CountPortsFor(const std::vector<LinkedPair>& links);

/**
 * @ingroup photonic-rails
 * @brief All circuits that a job would ever have with one NIC, standing at once: each rank has the
 * links of all its parallelisms, each at the rate that it has alone.
 *
 * This is the electrical network of the simulations of Opus (arXiv 2602.12521): the union of the
 * links of all parallelisms at full rate. It is more than a NIC has, so it is a bound, not a
 * network to build; the policy `electrical` is a network of one NIC a GPU.
 *
 * A NIC with n ports gives the two neighbours of a rank on the ring of a group n / 2 links each,
 * rounded down, and at least one; the one neighbour in a group of two, and each partner of sends,
 * n. A pair of two parallelisms has the links of both. A rank needs ports for the sum
 * of its links, of which NicPorts are those of its NIC. TrainingJobHelper gives them for its policy
 * `electrical-union`. Pairs of an all-to-all beside the ring of its group have no links.
 */
class UnionPolicy : public StandingPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;

  private:
    uint32_t m_nicPorts{2};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_UNION_POLICY_H */
