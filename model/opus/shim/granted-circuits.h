/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANTED_CIRCUITS_H
#define PHOTONIC_RAILS_GRANTED_CIRCUITS_H

#include "ns3/cabling.h"
#include "ns3/circuit-broker.h"
#include "ns3/giant-rings.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/pair-routes.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of a GRANT, which join ranks both ways: directly, or over a relay in the
 * server of one of them (GetRoutes()), or over relays in both (ListDetours()); or, over rings,
 * around the giant ring of a rail (GiantRings).
 */
class GrantedCircuits : public Connectivity
{
  public:
    /**
     * @param circuits in any order
     * @param cabling of the ranks; null: there are no relays
     */
    explicit GrantedCircuits(const std::vector<RankCircuit>& circuits,
                             std::shared_ptr<const Cabling> cabling = nullptr);

    /**
     * @param rings that join ranks without a circuit
     * @param gaps in them
     */
    void SetRings(std::shared_ptr<const GiantRings> rings, RingGaps gaps);
    /** @return whether rings join ranks without a circuit */
    bool IsOverRings() const;

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;
    Relays GetRelays(RankId from, RankId to) const override;
    std::vector<SharedRailPath> GetPaths(RankId from, RankId to) const override;
    bool AreIntraNode(RankId one, RankId other) const override;

    /** @return all circuits, each once */
    std::vector<RankCircuit> GetAll() const;

    /** @return the ports of a rank that are in use, in order @param rank any */
    std::vector<uint32_t> GetPorts(RankId rank) const;

    /**
     * @param rank any
     * @param pairs of ranks that the circuits join
     * @return the circuits that join the rank to its partners, on all routes; over rings, all
     */
    std::vector<RankCircuit> GetCircuits(RankId rank, const std::vector<JoinedRanks>& pairs) const;

  private:
    /**
     * @return the routes between two ranks that have circuits; if none has, and they are not over
     * rings, the detours that have
     */
    std::vector<JoinedRanks> ListRoutes(RankId from, RankId to) const;
    /** @return the first route between two ranks that has circuits, if there is one */
    std::optional<JoinedRanks> FindRoute(RankId from, RankId to) const;
    /** @return the ends of the way around a ring, if there is one */
    std::optional<JoinedRanks> FindRingEnds(RankId from, RankId to) const;
    /** @return the way around a ring of ranks without circuits; none if there is none */
    RingRoute FindRingRoute(RankId from, RankId to) const;

    std::shared_ptr<const GiantRings> m_rings; //!< null: not over rings
    RingGaps m_gaps;
    std::shared_ptr<const Cabling> m_cabling;
    std::map<JoinedRanks, std::vector<RailLink>> m_links; //!< by sender and receiver of each NIC
};

/**
 * @ingroup photonic-rails
 * @brief Circuits as assumed without a grant: each port leads to the same port of the other rank,
 * or of the first route to it.
 */
class EqualPorts : public Connectivity
{
  public:
    /**
     * @param ports of each NIC
     * @param cabling of the ranks; null: there are no relays
     */
    explicit EqualPorts(uint32_t ports, std::shared_ptr<const Cabling> cabling = nullptr);

    /** @return the ports of each NIC */
    uint32_t GetPorts() const
    {
        return m_ports;
    }

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;
    Relays GetRelays(RankId from, RankId to) const override;
    bool AreIntraNode(RankId one, RankId other) const override;

  private:
    uint32_t m_ports;
    std::shared_ptr<const Cabling> m_cabling;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANTED_CIRCUITS_H */
