/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_POLICY_H
#define PHOTONIC_RAILS_CIRCUIT_POLICY_H

#include "circuit-planner.h"

#include "ns3/cabling.h"
#include "ns3/demand-matrix.h"
#include "ns3/identifier.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** What one parallelism of a job wants joined, all its groups together. */
struct ParallelismDemand
{
    std::string name;               //!< "dp"
    std::vector<JoinedRanks> pairs; //!< the rings of its groups, or its chains
    uint64_t bytes{0};              //!< that the busiest rank sends in an iteration
};

/** What is known of a job before it starts, for policies that want to know. */
struct JobDemand
{
    JobId job;
    std::vector<ParallelismDemand> parallelisms;
    std::vector<RankId> ranks; //!< by row of the matrix
    DemandMatrix matrix{0};    //!< what ranks have for each other in an iteration
};

/**
 * @ingroup photonic-rails
 * @brief Decides which circuits a phase gets, and which a job starts with.
 *
 * A policy sees the circuits that stand and what they are in use for, and answers those that are to
 * stand, or that the phase has to wait; whatever it answers, the controller changes no port that is
 * in use. A policy with a rotation changes all circuits slot by slot, whatever phases want; those
 * that are joined go. Two controllers that are asked the same questions in the same order must give
 * the same answers, so it draws nothing at random and looks at no clock.
 *
 * A controller makes a policy of its own from its attribute Policy. A user writes one in any file,
 * as an Object with a TypeId that derives from this one, and attributes for what can be set:
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
     * @param factory makes the policy
     * @param cabling where the ports lead to
     * @return a new policy, ready to answer
     */
    static Ptr<CircuitPolicy> Create(const ObjectFactory& factory,
                                     std::shared_ptr<const Cabling> cabling);

    /** @param cabling where the ports lead to; given once, before anything is asked */
    void SetCabling(std::shared_ptr<const Cabling> cabling);

    /**
     * @param question a phase of which all ranks have asked, and pairs which the job's ports can
     * join
     * @return the circuits that it is to have, what it waits for, or why it gets none
     */
    virtual CircuitTarget GetTarget(const CircuitQuestion& question) = 0;

    /**
     * @param demand of a job that is about to start
     * @param circuits that stand
     * @return the circuits that it starts with, none by default; or why it cannot run
     */
    virtual CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits);

    /** @return whether circuits that are granted stay as long as the job runs; not by default */
    virtual bool IsForGood() const;
    /** @return whether there is anything to ask a controller for; so by default */
    virtual bool NeedsControlPlane() const;

    /** @return how long each slot of its rotation takes; 0, the default, if it has none */
    virtual Picoseconds GetSlot() const;
    /**
     * @param slot of the rotation, from 0, without end
     * @param circuits that stand
     * @return the circuits of the slot, on all rails; none by default
     */
    virtual CircuitTarget GetRotation(uint64_t slot, const RailCircuits& circuits);

    /** @return answers that were remembered */
    virtual uint64_t GetCacheHits() const;

  protected:
    /** The cabling is known: a policy works out here what it works out once. */
    virtual void NotifyCabling();
    /** @return where the ports lead to */
    const std::shared_ptr<const Cabling>& ShareCabling() const;
    /** @return where the ports lead to */
    const Cabling& GetCabling() const;

  private:
    std::shared_ptr<const Cabling> m_cabling;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_POLICY_H */
