/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_POLICY_H
#define PHOTONIC_RAILS_CIRCUIT_POLICY_H

#include "circuit-planner.h"
#include "traffic-matrix.h"

#include "ns3/cabling.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** The pairs that the groups of one parallelism of a job need joined, all together. */
struct ParallelismDemand
{
    std::string name;                 //!< "dp"
    std::vector<JoinedRanks> pairs;   //!< the rings of its groups, or its chains
    uint64_t bytes{0};                //!< that the busiest rank sends in an iteration
    std::vector<JoinedRanks> rings{}; //!< of the pairs, the neighbours on rings of collectives
};

/** The traffic of a job, for policies that use it before the job starts. */
struct JobDemand
{
    JobId job;
    std::vector<ParallelismDemand> parallelisms;
    std::vector<RankId> ranks; //!< by row of the matrix
    TrafficMatrix matrix{0};   //!< bytes between ranks in an iteration
};

/**
 * @ingroup photonic-rails
 * @brief Decides which circuits a phase gets, and which a job starts with.
 *
 * A policy gets the circuits that stand and their use, and answers with the circuits that are to
 * stand, or with a reason to wait. The controller never changes a port that is in use, whatever the
 * answer. A policy with a rotation changes all circuits slot by slot, independent of requests;
 * phases whose pairs are joined go. Equal questions in equal order must have equal answers at two
 * controllers, so a policy uses no random numbers and no clock.
 *
 * Each controller makes its policy from its attribute Policy. A user writes one in any file, as an
 * Object with a TypeId that derives from this one, and attributes for its settings:
 * @code
 * class OneLinkPolicy : public CircuitPolicy
 * {
 *   public:
 *     static TypeId GetTypeId(); // "ns3::OneLinkPolicy", with SetParent<CircuitPolicy>()
 *     CircuitTarget GetTarget(const CircuitQuestion& question) override;
 * };
 * NS_OBJECT_ENSURE_REGISTERED(OneLinkPolicy);
 *
 * opus.SetPolicy("ns3::OneLinkPolicy");
 * @endcode
 */
class CircuitPolicy : public Object
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    CircuitPolicy();
    ~CircuitPolicy() override;

    /**
     * @param factory that makes the policy
     * @param cabling of the ports
     * @return a new policy, ready for use
     */
    static Ptr<CircuitPolicy> Create(const ObjectFactory& factory,
                                     std::shared_ptr<const Cabling> cabling);

    /** @param cabling of the ports; set once, before any question */
    void SetCabling(std::shared_ptr<const Cabling> cabling);

    /**
     * @param question about a phase that all its ranks have requested, with pairs that the job's
     * ports can join
     * @return the circuits of the phase, or the reason of its wait or refusal
     */
    virtual CircuitTarget GetTarget(const CircuitQuestion& question) = 0;

    /**
     * @param demand of a job that is about to start
     * @param circuits that stand
     * @return the circuits that the job starts with, none by default; or the reason why it cannot
     * run
     */
    virtual CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits);

    /**
     * @param pairs of ranks that ports could join at once
     * @return the reason why it never joins them at once, whatever stands; empty, the default, if
     * it may. Ranks then choose another algorithm
     */
    virtual std::string GetWhyNever(const std::vector<JoinedRanks>& pairs) const;

    /** @return whether granted circuits stay as long as the job runs; false by default */
    virtual bool IsForGood() const;
    /**
     * @return whether GPUs forward messages around giant rings, so that it joins ranks without a
     * circuit of their own; false by default
     */
    virtual bool IsMultiHop() const;
    /**
     * @return whether it chooses circuits for any pairs and ports that a phase has, so that those
     * of other rails can replace the ports of a dead NIC (OtherRails); false by default
     */
    virtual bool AllowsDetours() const;
    /** @return whether it needs a controller; true by default */
    virtual bool NeedsControlPlane() const;

    /** @return the duration of each slot of its rotation; 0, the default: no rotation */
    virtual Time GetSlot() const;
    /**
     * @param slot of the rotation, from 0, without an upper limit
     * @param circuits that stand
     * @return the circuits of the slot, on all rails; none by default
     */
    virtual CircuitTarget GetRotation(uint64_t slot, const RailCircuits& circuits);

    /** @return the number of answers from a cache */
    virtual uint64_t GetCacheHits() const;

  protected:
    /** Called when the cabling is set, for work that a policy does once. */
    virtual void NotifyCabling();
    /** @return the cabling of the ports */
    const std::shared_ptr<const Cabling>& ShareCabling() const;
    /** @return the cabling of the ports */
    const Cabling& GetCabling() const;

  private:
    std::shared_ptr<const Cabling> m_cabling;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_POLICY_H */
