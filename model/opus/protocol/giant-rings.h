/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GIANT_RINGS_H
#define PHOTONIC_RAILS_GIANT_RINGS_H

#include "cabling.h"
#include "opus-contents.h"

#include "ns3/collective-transport.h"
#include "ns3/identifier.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** Pairs of ranks that are neighbours on a ring, and not joined; the lower rank first. */
using RingGaps = std::set<std::pair<RankId, RankId>>;

/** The shortest way of messages to another NIC. */
struct RingRoute
{
    std::vector<RailLink> links;       //!< first links, in the order of ports; empty: no way
    std::vector<SharedRailPath> paths; //!< by link; null: the link leads to the other NIC
    std::size_t hops{0};               //!< number of links of each path

    /** @return the route over some paths of equal length; a path of one link is no path */
    static RingRoute Of(const std::vector<RailPath>& paths);
};

/**
 * @ingroup photonic-rails
 * @brief The giant rings of a job: on each rail, circuits that join all its GPUs in a circle, by
 * ascending rank.
 *
 * A NIC with 2k ports is on k rings: ring j joins port 2j of each GPU to port 2j + 1 of the next
 * one. A last port without a partner is on none. With one port at each GPU there is no ring, unless
 * a rail has only two GPUs: then their equal ports are joined. All GPUs have as many rings as the
 * one with the fewest ports.
 *
 * Any GPU of a rail reaches any other around the ring: the GPUs between forward its messages
 * (MultiHopTransport). A message goes the shorter way; where both are equal, it may go either. A
 * gap is a pair of neighbours that are not joined by all their circuits: nothing goes over it.
 *
 * Everyone who has the cabling finds the same rings. Plain C++: no simulator.
 * @code
 * const GiantRings rings(JobId(0), cabling);
 * const RingRoute route = rings.FindRoute(RankId(0), RankId(16), {}); // rails of 8
 * @endcode
 */
class GiantRings
{
  public:
    /** @param job whose ports the rings take */
    GiantRings(JobId job, std::shared_ptr<const Cabling> cabling);

    /** @return the reason why a rail cannot have a ring; empty if all can */
    std::string GetWhyNot() const;
    /** @return the number of rings of each rail */
    uint32_t CountRings() const;
    /** @return the circuits of all rings of a rail */
    std::vector<RankCircuit> GetCircuits(RailId rail) const;
    /** @return the pairs of neighbours on a rail, each once */
    RingGaps GetNeighbours(RailId rail) const;

    /**
     * @param from, to ranks of the job on one rail
     * @return the shortest paths from one to the other
     */
    std::vector<RailPath> FindPaths(RankId from, RankId to, const RingGaps& gaps) const;

    /**
     * @param from, to ranks of the job on any rails
     * @return the NICs between which a message goes around a ring, of which GetRoutes() has all:
     * those with the fewest links between them, and of equal ones the first; nothing if no way
     * leads there
     */
    std::optional<std::pair<RankId, RankId>> FindEnds(RankId from,
                                                      RankId to,
                                                      const RingGaps& gaps) const;

    /** @return the job's cabling */
    const Cabling& GetCabling() const;

  private:
    /** @return the number of links from a rank to another, one way round; SIZE_MAX across a gap */
    std::size_t CountLinks(RankId from, RankId to, bool isForward, const RingGaps& gaps) const;
    /** @return the path of a ring, one way round */
    RailPath MakePath(RankId from, std::size_t links, bool isForward, uint32_t ring) const;
    /** @return the link between a rank and the next one on a ring, by the ports of the two */
    RailLink GetLink(uint32_t ring) const;
    /** @return the ranks of a rail, in the order of its rings */
    const std::vector<RankId>& GetRanks(RailId rail) const;

    JobId m_job;
    std::shared_ptr<const Cabling> m_cabling;
    std::vector<std::vector<RankId>> m_ranks; //!< by rail, in order
    std::map<RankId, std::size_t> m_places;   //!< in m_ranks of its rail
    uint32_t m_ports{0};                      //!< of the GPU with the fewest
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GIANT_RINGS_H */
