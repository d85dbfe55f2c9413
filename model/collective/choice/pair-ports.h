/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PAIR_PORTS_H
#define PHOTONIC_RAILS_PAIR_PORTS_H

#include "ns3/collective-transport.h"
#include "ns3/identifier.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The division of the NIC ports of ranks over the pairs that are to be joined at once.
 *
 * Each pair gets as many links as both ends allow: the ports of a rank, divided by its partners,
 * rounded down; the lesser number of both ends. Links that exist are kept first, of all pairs; then
 * each pair takes new ports. Of several free ports it takes the one with the least loss, and of
 * equal ones the lowest. No port is in two links.
 * @code
 * PairPorts ports(pairs, portsOf);
 * for each pair: for each link that exists: ports.Keep(pair, link);
 * for each pair: while (ports.CountDue(pair) > 0) link = ports.Join(pair, loss);
 * @endcode
 */
class PairPorts
{
  public:
    /** A pair of ranks. */
    using Pair = std::pair<RankId, RankId>;
    /** @return the NIC ports of a rank that links may use, lowest first */
    using PortsOf = std::function<std::vector<uint32_t>(RankId rank)>;
    /** @return the loss of a change of a rank's port; empty: it cannot change now */
    using PortLoss = std::function<std::optional<uint32_t>(RankId rank, uint32_t port)>;

    /**
     * @param pairs of two ranks each, and each pair once
     * @param mostLinks of each pair; 0: as many as the ports allow
     */
    PairPorts(const std::vector<Pair>& pairs, const PortsOf& portsOf, uint32_t mostLinks = 0);

    /** @return the number of partners of each rank in some pairs */
    static std::map<RankId, uint32_t> CountPartners(const std::vector<Pair>& pairs);

    /** @return the number of links that a pair does not have yet */
    std::size_t CountDue(std::size_t pair) const;
    /**
     * Keeps a link of a pair, from its first rank to its second one.
     * @return whether it is kept: the pair needs it, and its ports are free
     */
    bool Keep(std::size_t pair, const RailLink& link);
    /**
     * Takes a free port at each end of a pair.
     * @return the link; empty if no port at one of the ends can change now
     */
    std::optional<RailLink> Join(std::size_t pair, const PortLoss& loss);

  private:
    bool IsFree(RankId rank, uint32_t port) const;
    /** Takes a port that is free. */
    void Take(RankId rank, uint32_t port);
    /** Takes the port with the least loss. @return it; empty if none can change now */
    std::optional<uint32_t> TakeBest(RankId rank, const PortLoss& loss);

    std::vector<Pair> m_pairs;
    std::map<RankId, std::vector<uint32_t>> m_free;
    std::vector<std::size_t> m_due; //!< links, by pair
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PAIR_PORTS_H */
