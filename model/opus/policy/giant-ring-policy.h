/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GIANT_RING_POLICY_H
#define PHOTONIC_RAILS_GIANT_RING_POLICY_H

#include "circuit-policy.h"

#include "ns3/giant-rings.h"

#include <map>
#include <memory>
#include <set>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One ring over all GPUs of each rail, for as long as the job runs (GiantRings). The alias
 * `giant-ring`.
 *
 * Any phase is granted: neighbours use their circuit, and GPUs between others forward their
 * messages (multi-hop). A job whose NICs have one port is refused, unless a rail has two GPUs only.
 * Where circuits of a ring fail, messages go the other way round; a phase whose pair no way joins
 * is refused.
 */
class GiantRingPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;
    bool IsForGood() const override;
    bool IsMultiHop() const override;

  private:
    /** @return the rings of a job */
    const GiantRings& GetRings(JobId job);

    std::map<JobId, std::unique_ptr<GiantRings>> m_rings;
};

/**
 * @param pairs of ranks of the job
 * @return the rails whose rings messages of the pairs may take
 */
std::set<RailId> FindRingRails(const std::vector<JoinedRanks>& pairs, const Cabling& cabling);

/**
 * @param rails with their circuits
 * @return the pairs of neighbours on some rails' rings that are not joined by all their circuits
 */
RingGaps FindRingGaps(const GiantRings& rings,
                      const std::set<RailId>& rails,
                      const RailCircuits& circuits);

/**
 * @return the circuits of a phase on rings that stand: the rings of all its rails, without what is
 * missing; a wait while ports are reconfiguring; or a refusal if no way joins a pair
 */
CircuitTarget GetRingTarget(const GiantRings& rings, const CircuitQuestion& question);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GIANT_RING_POLICY_H */
