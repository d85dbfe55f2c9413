/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job-demand.h"

#include "ns3/abort.h"
#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** A group's ring on the rail of one of its ranks. */
struct RailRing
{
    std::vector<RankId> ranks; //!< in order
    uint32_t place{0};         //!< of the rank on the ring
    uint32_t placeInGroup{0};  //!< of the rank
};

/** Adds up the traffic of ranks. */
class DemandCounter
{
  public:
    DemandCounter(JobId job, const std::vector<RankPart>& parts, const Cabling& cabling)
        : m_cabling(cabling)
    {
        m_demand.job = job;
        std::set<RankId> ranks;
        for (const RankPart& part : parts)
        {
            ranks.insert(part.rank);
            for (const auto& group : part.groups)
            {
                ranks.insert(group->GetRanks().begin(), group->GetRanks().end());
            }
        }
        AddRelays(ranks);
        m_demand.ranks.assign(ranks.begin(), ranks.end());
        m_demand.matrix = TrafficMatrix(ranks.size());
        for (uint32_t row = 0; row < m_demand.ranks.size(); ++row)
        {
            m_rows[m_demand.ranks[row]] = row;
        }
    }

    /** Adds the ranks of the same servers, which may forward. */
    void AddRelays(std::set<RankId>& ranks) const
    {
        std::vector<RankId> known;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(known), [this](RankId rank) {
            return m_cabling.IsKnown(rank);
        });
        std::map<RailId, RankId> onRails; // a rank of each rail
        for (const RankId rank : known)
        {
            onRails.emplace(m_cabling.GetRail(rank), rank);
        }
        for (const RankId here : known)
        {
            for (const auto& [rail, there] : onRails)
            {
                if (const std::optional<RankId> relay = m_cabling.FindRelay(here, there))
                {
                    ranks.insert(*relay);
                }
            }
        }
    }

    /** Adds the traffic of a rank's program. */
    void Count(const RankPart& part)
    {
        NS_ABORT_MSG_IF(part.program->GetGroups() > part.groups.size(),
                        "MakeJobDemand: the program of rank "
                            << part.rank << " names " << part.program->GetGroups()
                            << " groups, and it has " << part.groups.size() << "; give it all");
        m_part = &part;
        std::map<uint32_t, RailRing> rings;
        const auto [exchanges, isNewProgram] = m_exchanges.try_emplace(part.program.get());
        if (isNewProgram)
        {
            exchanges->second = ListExchanges(*part.program);
        }
        for (const auto& [like, times] : exchanges->second)
        {
            const RankOperation& operation = *like;
            const CommunicationGroup& group = *part.groups[operation.group];
            m_times = times;
            m_tally = &m_tallies[GetParallelism(group)];
            if (operation.kind == RankOperation::Kind::COLLECTIVE)
            {
                const auto [ring, isNew] = rings.try_emplace(operation.group);
                if (isNew)
                {
                    ring->second = FindRing(group);
                }
                if (m_seen.emplace(group.GetId(), ring->second.ranks.front()).second)
                {
                    for (const auto& [one, other] : MakeRingOf(ring->second.ranks))
                    {
                        AddPair(one, other, true);
                    }
                }
                CountCollective(operation, group, ring->second);
            }
            else if (operation.kind == RankOperation::Kind::SEND)
            {
                const RankId to = group.GetRanks().at(operation.place);
                AddPair(part.rank, to);
                AddBytes(to, operation.bytes);
            }
        }
    }

    /** @return the sum of all ranks */
    JobDemand Finish()
    {
        for (const auto& [name, tally] : m_tallies)
        {
            ParallelismDemand parallelism;
            parallelism.name = name;
            parallelism.pairs.assign(tally.pairs.begin(), tally.pairs.end());
            parallelism.rings.assign(tally.rings.begin(), tally.rings.end());
            for (const auto& [rank, bytes] : tally.sent)
            {
                parallelism.bytes = std::max(parallelism.bytes, bytes);
            }
            m_demand.parallelisms.push_back(parallelism);
        }
        return std::move(m_demand);
    }

  private:
    /** The demand of a parallelism. */
    struct Tally
    {
        std::set<JoinedRanks> pairs;
        std::set<JoinedRanks> rings; //!< of the pairs
        std::map<RankId, uint64_t> sent;
    };

    /** Exchanges with equal traffic: one of them, and how many there are. */
    using Exchanges = std::vector<std::pair<const RankOperation*, uint64_t>>;

    /** @return the exchanges of a program on rails; an iteration repeats most of them */
    static Exchanges ListExchanges(const RankProgram& program)
    {
        Exchanges exchanges;
        std::map<std::array<uint64_t, 5>, std::size_t> places;
        for (const RankOperation& operation : program.GetOperations())
        {
            if (!operation.IsExchange() || operation.isOverHosts)
            {
                continue;
            }
            const std::array<uint64_t, 5> like{static_cast<uint64_t>(operation.kind),
                                               static_cast<uint64_t>(operation.collective),
                                               operation.group,
                                               operation.place,
                                               operation.bytes};
            if (operation.demand)
            {
                exchanges.emplace_back(&operation, 1); // each is of its own
                continue;
            }
            const auto [place, isNew] = places.try_emplace(like, exchanges.size());
            if (isNew)
            {
                exchanges.emplace_back(&operation, 0);
            }
            ++exchanges[place->second].second;
        }
        return exchanges;
    }

    /** @return the parallelism of a group */
    static std::string GetParallelism(const CommunicationGroup& group)
    {
        const std::string& name = group.GetName();
        return name.empty() ? "group " + std::to_string(group.GetId().Get())
                            : name.substr(0, name.find(' '));
    }

    /** @return the ring of a rank: of all ranks, or of the equal local ranks of the servers */
    RailRing FindRing(const CommunicationGroup& group) const
    {
        const uint32_t place = group.GetPlace(m_part->rank);
        const uint32_t step = group.GetPerServer();
        RailRing ring;
        for (uint32_t i = place % step; i < group.GetRanks().size(); i += step)
        {
            ring.ranks.push_back(group.GetRanks()[i]);
        }
        ring.place = place / step;
        ring.placeInGroup = place;
        return ring;
    }

    /** @return the first route between two ranks, from one to the other; empty if none is needed */
    std::optional<JoinedRanks> FindRoute(RankId one, RankId other) const
    {
        if (one == other || !m_cabling.IsKnown(one) || !m_cabling.IsKnown(other))
        {
            return std::nullopt;
        }
        const auto [low, high] = std::minmax(one, other); // the same in both directions
        const std::vector<JoinedRanks> routes = GetRoutes({low, high}, m_cabling);
        if (routes.empty())
        {
            return std::nullopt;
        }
        const auto& [first, last] = routes.front();
        return one == low ? JoinedRanks(first, last) : JoinedRanks(last, first);
    }

    void AddPair(RankId one, RankId other, bool onRing = false)
    {
        if (const std::optional<JoinedRanks> route = FindRoute(one, other))
        {
            const JoinedRanks pair = std::minmax(route->first, route->second);
            m_tally->pairs.insert(pair);
            if (onRing)
            {
                m_tally->rings.insert(pair);
            }
        }
    }

    /** Adds bytes from the rank to another, for each exchange like the present one. */
    void AddBytes(RankId to, uint64_t each)
    {
        const uint64_t bytes = each * m_times;
        const std::optional<JoinedRanks> route = FindRoute(m_part->rank, to);
        if (bytes > 0 && route)
        {
            const uint32_t row = m_rows.at(route->first);
            const uint32_t column = m_rows.at(route->second);
            m_demand.matrix.Set(row, column, m_demand.matrix.Get(row, column) + bytes);
            m_tally->sent[route->first] += bytes;
        }
    }

    /** Adds a collective operation of the rank. */
    void CountCollective(const RankOperation& operation,
                         const CommunicationGroup& group,
                         const RailRing& ring)
    {
        const std::vector<RankId>& ranks = group.GetRanks();
        switch (operation.collective)
        {
        case CollectiveKind::ALL_TO_ALL:
            for (const RankId to : ranks)
            {
                AddBytes(to, operation.bytes / ranks.size());
            }
            break;
        case CollectiveKind::ALL_TO_ALL_V:
            for (uint32_t to = 0; operation.demand && to < ranks.size(); ++to)
            {
                AddBytes(ranks[to], operation.demand->Get(ring.placeInGroup, to));
            }
            break;
        case CollectiveKind::SEND_RECV:
            AddBytes(ranks[1], ring.placeInGroup == 0 ? operation.bytes : 0);
            break;
        default:
            CountOnRing(operation, group, ring);
        }
    }

    /** Adds the bytes from the rank to the next, by the schedule "ring". */
    void CountOnRing(const RankOperation& operation,
                     const CommunicationGroup& group,
                     const RailRing& ring)
    {
        if (ring.ranks.size() < 2)
        {
            return;
        }
        CollectiveParameters parameters;
        parameters.kind = operation.collective;
        parameters.ranks = ring.ranks.size();
        parameters.root = operation.place / group.GetPerServer();
        const CollectiveAlgorithm& algorithm =
            CollectiveAlgorithm::Get(operation.collective, "ring");
        AddBytes(
            ring.ranks[(ring.place + 1) % ring.ranks.size()],
            algorithm.bytesSent(parameters, ring.place, operation.bytes / group.GetPerServer()));
    }

    const Cabling& m_cabling;
    JobDemand m_demand;
    std::map<RankId, uint32_t> m_rows; //!< of the matrix
    std::map<const RankProgram*, Exchanges> m_exchanges;
    std::map<std::string, Tally> m_tallies;
    std::set<std::pair<GroupId, RankId>> m_seen; //!< rings, by their first rank
    const RankPart* m_part{nullptr};             //!< the present one
    uint64_t m_times{0};                         //!< exchanges like the present one
    Tally* m_tally{nullptr};                     //!< of the present operation
};

/** @return the fewest and the most ports of the job's that ranks with circuits have */
std::pair<std::size_t, std::size_t>
FindPorts(const JobDemand& demand, const Cabling& cabling)
{
    std::set<std::size_t> ports;
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        for (const auto& [one, other] : parallelism.pairs)
        {
            ports.insert(cabling.GetOwnedPorts(demand.job, one).size());
            ports.insert(cabling.GetOwnedPorts(demand.job, other).size());
        }
    }
    return ports.empty() ? std::make_pair(std::size_t{0}, std::size_t{0})
                         : std::make_pair(*ports.begin(), *ports.rbegin());
}

} // namespace

JobDemand
MakeJobDemand(JobId job, const std::vector<RankPart>& parts, const Cabling& cabling)
{
    DemandCounter counter(job, parts, cabling);
    for (const RankPart& part : parts)
    {
        counter.Count(part);
    }
    return counter.Finish();
}

std::string
GetDemandReport(const JobDemand& demand, const Cabling& cabling)
{
    std::vector<std::vector<JoinedRanks>> all;
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        all.push_back(parallelism.pairs);
    }
    const uint32_t degree = GetDegree(all);
    const auto [fewest, most] = FindPorts(demand, cabling);
    std::ostringstream words;
    words << "job " << demand.job << " needs a degree of " << degree
          << " to have the circuits of all parallelisms at once; its ranks have " << fewest;
    if (most != fewest)
    {
        words << " to " << most;
    }
    words << " ports: " << degree << (degree > fewest ? " > " : " <= ") << fewest << "\n"
          << "  parallelism    pairs           bytes  partners  links\n";
    for (const ParallelismDemand& parallelism : demand.parallelisms)
    {
        const uint32_t partners = GetDegree({parallelism.pairs});
        words << "  " << std::left << std::setw(12) << parallelism.name << std::right
              << std::setw(8) << NormalizePairs(parallelism.pairs).size() << std::setw(16)
              << parallelism.bytes << std::setw(10) << partners << std::setw(7)
              << (partners == 0 ? 0 : fewest / partners) << "\n";
    }
    words << "  (bytes: that the busiest rank sends; links: of each pair at least, while the "
             "parallelism has all ports)\n";
    return words.str();
}

} // namespace ns3
