/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_POLICY_H
#define PHOTONIC_RAILS_CIRCUIT_POLICY_H

#include "cabling.h"
#include "circuit-planner.h"
#include "opus-message.h"

#include "ns3/demand-matrix.h"
#include "ns3/identifier.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** What one parallelism of a job wants joined, all its groups together. */
struct DimensionDemand
{
    std::string name;               //!< "dp"
    std::vector<JoinedRanks> pairs; //!< the rings of its groups, or its chains
    uint64_t bytes{0};              //!< that the busiest rank sends in an iteration
};

/** What is known of a job before it starts, for policies that want to know. */
struct JobDemand
{
    JobId job;
    std::vector<DimensionDemand> dimensions;
    std::vector<RankId> ranks; //!< by row of the matrix
    DemandMatrix matrix{0};    //!< what ranks have for each other in an iteration
};

/**
 * @ingroup photonic-rails
 * @brief Decides which circuits a phase gets, and which a job starts with.
 *
 * A controller has one, by name. A policy sees the circuits that stand and answers those that are
 * to stand; when they may be changed is not its business. Two controllers that are asked the same
 * questions in the same order must give the same answers, so it draws nothing at random and looks
 * at no clock. A user adds one in a file of their own:
 * @code
 * class Everywhere : public CircuitPolicy
 * {
 *   public:
 *     using CircuitPolicy::CircuitPolicy;
 *     CircuitTarget GetTarget(const OpusPhase& phase,
 *                             const std::vector<JoinedRanks>& pairs,
 *                             const RailCircuits& circuits) override;
 * };
 * CircuitPolicy::Register("everywhere", &CircuitPolicy::Make<Everywhere>);
 * @endcode
 */
class CircuitPolicy
{
  public:
    /** Makes a policy for a cabling. */
    using Factory =
        std::function<std::unique_ptr<CircuitPolicy>(std::shared_ptr<const Cabling> cabling)>;

    /** @param cabling where the ports lead to */
    explicit CircuitPolicy(std::shared_ptr<const Cabling> cabling);
    virtual ~CircuitPolicy() = default;

    /**
     * @param phase of which all ranks have asked
     * @param pairs that it wants joined, which the job's ports can do
     * @param circuits that stand
     * @return the circuits that it is to have, or why it gets none
     */
    virtual CircuitTarget GetTarget(const OpusPhase& phase,
                                    const std::vector<JoinedRanks>& pairs,
                                    const RailCircuits& circuits) = 0;

    /**
     * @param demand of a job that is about to start
     * @param circuits that stand
     * @return the circuits that it starts with, none by default; or why it cannot run
     */
    virtual CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits);

    /** @return answers that were remembered */
    virtual uint64_t GetCacheHits() const;

    /** Adds a policy, or aborts. @param name that there is not yet @param factory makes it */
    static void Register(const std::string& name, Factory factory);
    /** @return the names, in order */
    static std::vector<std::string> GetNames();
    /** @return a policy; aborts and lists those there are @param name of it @param cabling for it
     */
    static std::unique_ptr<CircuitPolicy> Create(const std::string& name,
                                                 std::shared_ptr<const Cabling> cabling);

    /** A factory of a class that is made from a cabling alone. @param cabling for it */
    template <typename Policy>
    static std::unique_ptr<CircuitPolicy> Make(std::shared_ptr<const Cabling> cabling)
    {
        return std::make_unique<Policy>(std::move(cabling));
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
    CircuitTarget GetTarget(const OpusPhase& phase,
                            const std::vector<JoinedRanks>& pairs,
                            const RailCircuits& circuits) override;
    uint64_t GetCacheHits() const override;

  private:
    CircuitPlanner m_planner;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_POLICY_H */
