/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_POLICY_H
#define PHOTONIC_RAILS_CIRCUIT_POLICY_H

#include "circuit-planner.h"

#include "ns3/cabling.h"
#include "ns3/demand-matrix.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <functional>
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

/** When the shims of a job ask for circuits. */
enum class ShimMode : uint8_t
{
    ON_DEMAND,    //!< when an operation is called
    PROVISIONED,  //!< in advance too, as they have learned what comes next
    CO_SCHEDULED, //!< when the ranks' programs say so
};

/**
 * @ingroup photonic-rails
 * @brief Decides which circuits a phase gets, and which a job starts with.
 *
 * A controller has one, by name. A policy sees the circuits that stand and what they are in use
 * for, and answers those that are to stand, or that the phase has to wait; whatever it answers, the
 * controller changes no port that is in use. A policy with a rotation changes all circuits
 * slot by slot, whatever phases want; those that are joined go. Two controllers that are asked the
 * same questions in the same order must give the same answers, so it draws nothing at random and
 * looks at no clock. A user adds one in a file of their own:
 * @code
 * class Everywhere : public CircuitPolicy
 * {
 *   public:
 *     using CircuitPolicy::CircuitPolicy;
 *     CircuitTarget GetTarget(const CircuitQuestion& question) override;
 * };
 * CircuitPolicy::Register("everywhere", &CircuitPolicy::Make<Everywhere>);
 * @endcode
 * A policy may take an argument, which follows a colon after its name: "rotor:100us". It is then
 * made from a cabling and that text (which is empty if there is no colon), and registered with
 * MakeWithArgument.
 */
class CircuitPolicy
{
  public:
    /** Makes a policy for a cabling. */
    using Factory =
        std::function<std::unique_ptr<CircuitPolicy>(std::shared_ptr<const Cabling> cabling)>;
    /** Makes a policy for a cabling, as an argument says. */
    using FactoryWithArgument =
        std::function<std::unique_ptr<CircuitPolicy>(std::shared_ptr<const Cabling> cabling,
                                                     const std::string& argument)>;

    /** @param cabling where the ports lead to */
    explicit CircuitPolicy(std::shared_ptr<const Cabling> cabling);
    virtual ~CircuitPolicy() = default;

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
    /** @return when shims ask; ON_DEMAND by default */
    virtual ShimMode GetShimMode() const;
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

    /** Adds a policy, or aborts. @param name that there is not yet, with no colon in it
     * @param factory makes it */
    static void Register(const std::string& name, Factory factory);
    /** Adds a policy that takes an argument, or aborts. @param name as above @param factory makes
     * it */
    static void Register(const std::string& name, FactoryWithArgument factory);
    /** @return the names, in order */
    static std::vector<std::string> GetNames();
    /**
     * @return the name as it is registered, with the argument that was given; aborts with those
     * that there are if none is meant
     * @param name however it is written (FindKnownName()); after a colon, an argument
     */
    static std::string GetKnownName(const std::string& name);
    /**
     * @param name of a policy; after a colon, its argument
     * @param cabling for it
     * @return the policy; aborts and lists those there are if there is none of that name, and if
     * one is given an argument that takes none
     */
    static std::unique_ptr<CircuitPolicy> Create(const std::string& name,
                                                 std::shared_ptr<const Cabling> cabling);

    /** A factory of a class that is made from a cabling alone. @param cabling for it */
    template <typename Policy>
    static std::unique_ptr<CircuitPolicy> Make(std::shared_ptr<const Cabling> cabling)
    {
        return std::make_unique<Policy>(std::move(cabling));
    }

    /** A factory of a class that is made from a cabling and an argument. @param cabling for it
     * @param argument what follows the colon */
    template <typename Policy>
    static std::unique_ptr<CircuitPolicy> MakeWithArgument(std::shared_ptr<const Cabling> cabling,
                                                           const std::string& argument)
    {
        return std::make_unique<Policy>(std::move(cabling), argument);
    }

  protected:
    /** @return where the ports lead to */
    const Cabling& GetCabling() const;

  private:
    std::shared_ptr<const Cabling> m_cabling;
};

/**
 * @ingroup photonic-rails
 * @brief The policy `on-demand`: all ports of the ranks go to the phase that asks.
 */
class OnDemandPolicy : public CircuitPolicy
{
  public:
    /** @param cabling where the ports lead to */
    explicit OnDemandPolicy(std::shared_ptr<const Cabling> cabling);

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    uint64_t GetCacheHits() const override;

  private:
    CircuitPlanner m_planner;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_POLICY_H */
