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
 * The aliases `static-split`, `static-split-by-traffic` and `static-split-by-root`.
 *
 * All pairs of a parallelism have the same number of links, at least one. The remaining ports go,
 * link by link, to the parallelism with the fewest links for each pair; with Division ByTraffic,
 * with the most bytes for each link, so that links are in proportion to bytes; with ByRoot, with
 * the most bytes for each square of links, so that they are in proportion to the square root of
 * bytes. If b bytes of each parallelism take b / l on l links, one parallelism after another, the
 * sum of the times is least with ByRoot (Lagrange), and the longest of them with ByTraffic. If the
 * ports do not suffice for one link for each pair, the job is refused: three rings need a degree of
 * 6, which is more than 4 ports.
 */
class StaticSplitPolicy : public StandingPolicy
{
  public:
    /** The rule by which ports are divided. */
    enum Division
    {
        EQUALLY,
        BY_TRAFFIC,
        BY_ROOT,
    };

    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;

  private:
    /**
     * @return the number of links that each pair of each parallelism gets; empty if the ports do
     * not suffice
     */
    std::vector<uint32_t> Divide(const JobDemand& demand) const;
    /** @return the reason why the ports do not suffice; empty if they do */
    std::string GetWhyNot(const JobDemand& demand) const;
    /** @return whether a parallelism is to get the next link before another, by their links */
    bool IsBefore(const ParallelismDemand& one,
                  uint32_t itsLinks,
                  const ParallelismDemand& other,
                  uint32_t otherLinks) const;
    /** @return whether all ranks have ports for these numbers of links of each parallelism */
    bool Suffices(const JobDemand& demand, const std::vector<uint32_t>& links) const;

    Division m_division{EQUALLY};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATIC_SPLIT_POLICY_H */
