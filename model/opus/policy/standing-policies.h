/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STANDING_POLICIES_H
#define PHOTONIC_RAILS_STANDING_POLICIES_H

#include "circuit-policy.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What policies have in common whose circuits stay: a phase whose pairs they join has them,
 * another gets none and is told so, so that it goes another way or not at all. While ports of a
 * pair are reconfiguring, its phase waits.
 */
class StandingPolicy : public CircuitPolicy
{
  public:
    using CircuitPolicy::CircuitPolicy;

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    bool IsForGood() const override;

  private:
    /** @return circuits of a pair that stand and do not turn */
    std::vector<RankCircuit> FindStanding(const JoinedRanks& pair,
                                          const CircuitQuestion& question) const;
    /** @return which port of a pair is reconfiguring, and may come to join it; or nothing */
    std::string FindReconfiguring(const JoinedRanks& pair, const CircuitQuestion& question) const;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `demand`: a job starts with circuits for its demand matrix, and keeps them.
 *
 * Greedily by weight: first a link for each pair, in order of bytes, both ways together; then the
 * next link goes to the pair that has the most bytes for each link that it would have. As long as
 * both ranks have a port left.
 */
class DemandPolicy : public StandingPolicy
{
  public:
    using StandingPolicy::StandingPolicy;

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `one-shot`: one topology, for good. With a demand matrix it is the one that
 * `demand` makes; without, the first phases get circuits on ports that nobody has had yet.
 */
class OneShotPolicy : public DemandPolicy
{
  public:
    using DemandPolicy::DemandPolicy;

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `static-split`: the ports of each rank are divided among the job's parallelisms
 * for as long as it runs.
 *
 * Each pair of a parallelism has the same number of links everywhere, at least one. What ports are
 * left then go to the parallelism with the fewest links a pair (or, as `static-split-by-traffic`,
 * with the most bytes for each link), link by link. If the ports do not even suffice for one link a
 * pair, the job is refused: it needs a degree of 6 for three rings, and 6 > 4.
 */
class StaticSplitPolicy : public StandingPolicy
{
  public:
    /** How ports are divided. */
    enum class Division
    {
        EQUALLY,
        BY_TRAFFIC,
    };

    /**
     * @param cabling where the ports lead to
     * @param division how ports are divided
     */
    explicit StaticSplitPolicy(std::shared_ptr<const Cabling> cabling,
                               Division division = Division::EQUALLY);

    // CircuitPolicy
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;

  private:
    /** @return links that each pair of each parallelism gets; none if ports do not suffice */
    std::vector<uint32_t> Divide(const JobDemand& demand) const;
    /** @return why the ports do not suffice, or nothing */
    std::string GetWhyNot(const JobDemand& demand) const;
    /** @return whether all ranks have ports for so many links of each parallelism */
    bool Suffices(const JobDemand& demand, const std::vector<uint32_t>& links) const;

    Division m_division;
};

/** @return a static split by traffic @param cabling where the ports lead to */
std::unique_ptr<CircuitPolicy> MakeStaticSplitByTraffic(std::shared_ptr<const Cabling> cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STANDING_POLICIES_H */
