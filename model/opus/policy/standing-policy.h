/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STANDING_POLICY_H
#define PHOTONIC_RAILS_STANDING_POLICY_H

#include "circuit-policy.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The common part of policies whose circuits stay. A phase whose pairs they join is granted,
 * another is refused, so that it takes another path or fails. While ports of a pair are
 * reconfiguring, its phase waits.
 */
class StandingPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    bool IsForGood() const override;

  private:
    /** @return circuits of a pair that stand and are not reconfiguring */
    std::vector<RankCircuit> FindStanding(const JoinedRanks& pair,
                                          const CircuitQuestion& question) const;
    /**
     * @return the port of a pair that is reconfiguring and may come to join it, in words; empty if
     * there is none
     */
    std::string FindReconfiguring(const JoinedRanks& pair, const CircuitQuestion& question) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STANDING_POLICY_H */
