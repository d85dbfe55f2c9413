/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CIRCUIT_PLANNER_H
#define PHOTONIC_RAILS_CIRCUIT_PLANNER_H

#include "port-use.h"

#include "ns3/cabling.h"
#include "ns3/circuit-map.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/opus-message.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** Two ranks that are to be joined; the order does not matter. */
using JoinedRanks = std::pair<RankId, RankId>;

/** What circuits there are, rail by rail. */
using RailCircuits = std::vector<CircuitMap>;

/** The circuits that join pairs of ranks, and what has to change for them. */
struct CircuitTarget
{
    std::string refusal;  //!< why there will be none; empty if there are, or may be
    std::string waitsFor; //!< why there are none now, though there may be later; empty if there are
    std::vector<RankCircuit> circuits;     //!< that join the pairs, there already or not
    std::map<RailId, CircuitPlan> changes; //!< of the rails that change; empty: all is there

    /** @return whether there are circuits */
    bool IsPossible() const
    {
        return refusal.empty() && waitsFor.empty();
    }
};

/** What is to be joined, and under which circumstances. */
struct CircuitQuestion
{
    const OpusPhase& phase; //!< of which all ranks have asked
    const std::vector<JoinedRanks>& pairs;
    uint32_t links; //!< of each pair, at most; 0: as many as there are ports
    const RailCircuits& circuits;
    const PortUse& use;
};

/** @return the pairs of neighbours on a ring @param ranks in its order; two make one pair */
std::vector<JoinedRanks> MakeRingOf(const std::vector<RankId>& ranks);

/**
 * @param groups by group, the pairs that it wants joined
 * @return ports that the busiest rank needs if the circuits of all groups stood at once: 6 for
 * rings of three parallelisms
 */
uint32_t GetDegree(const std::vector<std::vector<JoinedRanks>>& groups);

/** @return no circuits yet, on the switches of a cabling @param cabling it */
RailCircuits MakeDarkRails(const Cabling& cabling);

/** @return the ends of a circuit at the switch @param circuit it @param cabling where it is */
std::pair<RailPort, RailPort> GetRailPorts(const RankCircuit& circuit, const Cabling& cabling);

/** @return the circuits that join two ranks now, by the first one's ports */
std::vector<RankCircuit> FindCircuits(const JoinedRanks& pair,
                                      const RailCircuits& circuits,
                                      const Cabling& cabling);

/**
 * @ingroup photonic-rails
 * @brief Chooses ports for pairs of ranks that are to be joined: pure but for its memory.
 *
 * Each pair gets as many links as both ends can give it: the ports that the job owns at a rank,
 * divided by the rank's partners, rounded down; of both ends the lesser number, and not more than
 * the ranks want. Circuits that are right stay, and only ports that have to change do: what is
 * there already is planned as no change at all. Ports without a circuit are taken first, and those
 * whose circuit was set up for a guess last. Rings, pairs of neighbours and matchings are all pairs
 * to it.
 *
 * A circuit that others have traffic on is shared if it joins a pair, and else left alone; a
 * port that is reconfiguring is left alone. If that leaves too few ports, or circuits of the pair
 * are on their way, the pairs have to wait: `waitsFor` says for what.
 *
 * Jobs come to the same few topologies again and again, so plans are remembered by the pairs and
 * by what is at the ranks' ports.
 */
class CircuitPlanner
{
  public:
    /** @param cabling where the ports lead to */
    explicit CircuitPlanner(std::shared_ptr<const Cabling> cabling);

    /**
     * @param job whose ranks they are
     * @param pairs to be joined at once
     * @return why they can never be; empty if they can
     */
    std::string GetWhyNot(JobId job, const std::vector<JoinedRanks>& pairs) const;

    /** @return what joins the pairs, until the next call @param question what is to be joined */
    const CircuitTarget& Plan(const CircuitQuestion& question);

    /** @return plans that were remembered */
    uint64_t GetCacheHits() const;
    /** @return plans that were not */
    uint64_t GetCacheMisses() const;

  private:
    /** Numbers that tell one question from another. */
    using Key = std::vector<uint32_t>;

    /** @return the key of a question */
    Key MakeKey(const CircuitQuestion& question) const;

    std::shared_ptr<const Cabling> m_cabling;
    std::map<Key, CircuitTarget> m_plans;
    CircuitTarget m_waiting; //!< the last one that has to wait: what for is not remembered
    uint64_t m_hits{0};
    uint64_t m_misses{0};
};

/**
 * What a planner does without its memory.
 * @param question what is to be joined
 * @param cabling where the ports lead to
 * @return what joins the pairs
 */
CircuitTarget PlanCircuits(const CircuitQuestion& question, const Cabling& cabling);

/**
 * @param wanted circuits, of which no two have a port in common
 * @param circuits that there are
 * @param cabling where the ports lead to
 * @return the wanted circuits, and by rail what leads to them
 */
CircuitTarget PlanTowards(const std::vector<RankCircuit>& wanted,
                          const RailCircuits& circuits,
                          const Cabling& cabling);

/** @return the same pairs, the lower rank first, each once, in order @param pairs any */
std::vector<JoinedRanks> NormalizePairs(const std::vector<JoinedRanks>& pairs);

} // namespace ns3

#endif /* PHOTONIC_RAILS_CIRCUIT_PLANNER_H */
