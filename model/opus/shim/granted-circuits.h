/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANTED_CIRCUITS_H
#define PHOTONIC_RAILS_GRANTED_CIRCUITS_H

#include "ns3/circuit-broker.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The circuits of a GRANT, which join ranks both ways.
 */
class GrantedCircuits : public Connectivity
{
  public:
    /** @param circuits in any order */
    explicit GrantedCircuits(const std::vector<RankCircuit>& circuits);

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;

    /** @return the ports of a rank that are in use, in order @param rank any */
    std::vector<uint32_t> GetPorts(RankId rank) const;

    /** @return the circuits at a rank @param rank any */
    std::vector<RankCircuit> GetCircuits(RankId rank) const;

  private:
    std::map<std::pair<RankId, RankId>, std::vector<RailLink>> m_links;
};

/**
 * @ingroup photonic-rails
 * @brief Circuits as assumed without a grant: each port leads to the same port of the other rank.
 */
class EqualPorts : public Connectivity
{
  public:
    /** @param ports of each NIC */
    explicit EqualPorts(uint32_t ports);

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override;

  private:
    uint32_t m_ports;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANTED_CIRCUITS_H */
