/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_PLANNER_H
#define PHOTONIC_RAILS_CIRCUIT_PLANNER_H

#include "port-use.h"

#include "ns3/cabling.h"
#include "ns3/circuit-map.h"
#include "ns3/circuit-plan.h"
#include "ns3/giant-rings.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/pair-routes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/** The circuits that exist, rail by rail. */
using RailCircuits = std::vector<CircuitMap>;

/** The circuits that join pairs of ranks, and the changes that they need. */
struct CircuitTarget
{
    std::string refusal;  //!< reason why there will be none; empty if there are, or may be
    std::string waitsFor; //!< reason why there are none yet; empty if there are
    std::vector<RankCircuit> circuits; //!< that join the pairs, whether they exist already or not
    std::map<RailId, CircuitPlan> changes; //!< of the rails that change; empty: all circuits exist
    bool isOverRings{false}; //!< GPUs of the rails forward, around giant rings of these circuits
    RingGaps gaps;           //!< over rings: pairs of neighbours that are not joined

    /** @return whether there are circuits */
    bool IsPossible() const
    {
        return refusal.empty() && waitsFor.empty();
    }
};

/** The pairs to be joined, and the state that the answer depends on. */
struct CircuitQuestion
{
    const OpusPhase& phase; //!< that all its ranks have requested
    const std::vector<JoinedRanks>& pairs;
    uint32_t links; //!< of each pair, at most; 0: as many as the ports allow
    const RailCircuits& circuits;
    const PortUse& use;
};

/**
 * @param ranks in the order of the ring; two make one pair
 * @return the pairs of neighbours on the ring
 */
std::vector<JoinedRanks> MakeRingOf(const std::vector<RankId>& ranks);

/**
 * @param groups the pairs of each group
 * @return the ports that the busiest rank needs for the circuits of all groups at once: 6 for rings
 * of three parallelisms
 */
uint32_t GetDegree(const std::vector<std::vector<JoinedRanks>>& groups);

/** @return the switches of a cabling, without circuits */
RailCircuits MakeDarkRails(const Cabling& cabling);

/** @return the ends of a circuit at the switch */
std::pair<RailPort, RailPort> GetRailPorts(const RankCircuit& circuit, const Cabling& cabling);

/**
 * @return the circuits that join two ranks now, on any route between them (GetRoutes()), by the
 * ports of the first end of each
 */
std::vector<RankCircuit> FindCircuits(const JoinedRanks& pair,
                                      const RailCircuits& circuits,
                                      const Cabling& cabling);

/**
 * @ingroup photonic-rails
 * @brief Chooses ports for pairs of ranks that are to be joined. It is pure except for its cache.
 *
 * Each pair gets as many links as both ends allow: the ports that the job owns at a rank, divided
 * by the rank's partners, rounded down; the lesser number of both ends, and at most the links that
 * the ranks request. Circuits that fit stay, and only the necessary ports change: existing circuits
 * need no change. Ports without a circuit are taken first, and ports whose circuit was set up for a
 * guess last. Rings, chains and matchings are lists of pairs.
 *
 * Ranks of different rails are joined over a relay in one of their servers, if a fabric inside the
 * servers joins the GPUs and the job owns ports of the relay. The route whose circuit stands comes
 * first (ChooseRoutes()).
 *
 * A circuit with traffic of other phases is shared if it joins a pair, and not changed otherwise; a
 * reconfiguring port is not changed. If too few ports remain, or circuits of a pair are being set
 * up, the pairs have to wait: `waitsFor` has the reason.
 *
 * Where the fabric of a switch does not set all circuits together (FabricDescription), the circuits
 * of the answer can be set beside those that stay. If they can't, other ports are tried, and idle
 * circuits of the job that are not requested are taken down; if circuits in use are in the way, the
 * pairs have to wait.
 *
 * Jobs use the same few topologies repeatedly, so plans are cached by the pairs and by the state of
 * the ranks' ports.
 */
class CircuitPlanner
{
  public:
    /** @param cabling of the ports */
    explicit CircuitPlanner(std::shared_ptr<const Cabling> cabling);

    /**
     * @param job of the ranks
     * @param pairs to be joined at once
     * @return the reason why they can never be joined; empty if they can
     */
    std::string GetWhyNot(JobId job, const std::vector<JoinedRanks>& pairs) const;

    /** @return the circuits for the pairs, valid until the next call */
    const CircuitTarget& Plan(const CircuitQuestion& question);

    /** @return the number of plans from the cache */
    uint64_t GetCacheHits() const;
    /** @return the number of plans that were not in the cache */
    uint64_t GetCacheMisses() const;

  private:
    /** The numbers that identify a question. */
    using Key = std::vector<uint32_t>;

    /** Mixes the numbers of a key. */
    struct HashKey
    {
        std::size_t operator()(const Key& key) const;
    };

    /** @return the key of a question */
    Key MakeKey(const CircuitQuestion& question) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::unordered_map<Key, CircuitTarget, HashKey> m_plans;
    CircuitTarget m_waiting; //!< the last one that has to wait; waits are not cached
    uint64_t m_hits{0};
    uint64_t m_misses{0};
};

/**
 * Plans as CircuitPlanner does, without a cache.
 * @param cabling of the ports
 * @return the circuits for the pairs
 */
CircuitTarget PlanCircuits(const CircuitQuestion& question, const Cabling& cabling);

/**
 * @return the routes by which a job's pairs can be joined at once, whatever stands; empty if they
 * cannot
 */
std::vector<JoinedRanks> ChooseRoutes(JobId job,
                                      const std::vector<JoinedRanks>& pairs,
                                      const Cabling& cabling);

/**
 * @param plan for the switch of a rail
 * @param circuits of the rail that exist
 * @return the reason why the fabric of its switch cannot set the circuits that are there after the
 * plan, all together; empty if it can, or nothing is to be set
 */
std::string FindFabricRefusal(RailId rail,
                              const CircuitPlan& plan,
                              const CircuitMap& circuits,
                              const Cabling& cabling);

/**
 * @param wanted circuits, of which no two have a port in common
 * @param circuits that exist
 * @param cabling of the ports
 * @return the wanted circuits, and the changes by rail that lead to them; or the reason why a
 * fabric cannot set them beside those that stay
 */
CircuitTarget PlanTowards(const std::vector<RankCircuit>& wanted,
                          const RailCircuits& circuits,
                          const Cabling& cabling);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLANNER_H */
