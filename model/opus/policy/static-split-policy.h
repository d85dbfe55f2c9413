/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STATIC_SPLIT_POLICY_H
#define PHOTONIC_RAILS_STATIC_SPLIT_POLICY_H

#include "standing-policy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ports of each rank are divided among the job's parallelisms for as long as it runs.
 * The aliases `static-split` and `static-split-by-traffic`.
 *
 * Each pair of a parallelism has the same number of links everywhere, at least one. What ports are
 * left then go to the parallelism with the fewest links a pair (or, with Division ByTraffic, with
 * the most bytes for each link), link by link. If the ports do not even suffice for one link a
 * pair, the job is refused: it needs a degree of 6 for three rings, and 6 > 4.
 */
class StaticSplitPolicy : public StandingPolicy
{
  public:
    /** How ports are divided. */
    enum Division
    {
        EQUALLY,
        BY_TRAFFIC,
    };

    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;

  private:
    /** @return links that each pair of each parallelism gets; none if ports do not suffice */
    std::vector<uint32_t> Divide(const JobDemand& demand) const;
    /** @return why the ports do not suffice, or nothing */
    std::string GetWhyNot(const JobDemand& demand) const;
    /** @return whether all ranks have ports for so many links of each parallelism */
    bool Suffices(const JobDemand& demand, const std::vector<uint32_t>& links) const;

    Division m_division{EQUALLY};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATIC_SPLIT_POLICY_H */
