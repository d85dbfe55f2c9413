/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-verifier.h"

#include "contributions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

using Action = CollectiveTransfer::Action;
using Wires = CollectiveTransfer::Wires;

/** Executes a schedule. */
class Execution
{
  public:
    explicit Execution(const CollectiveSchedule& schedule)
        : m_schedule(schedule),
          m_all(schedule.GetParameters()),
          m_everyRank(m_all.ranks)
    {
        for (uint32_t rank = 0; rank < m_all.ranks; ++rank)
        {
            m_everyRank.Add(rank);
        }
    }

    /** @return the mistake; empty if there is none */
    std::string Run()
    {
        std::string mistake = CheckChunks();
        const auto& transfers = m_schedule.GetTransfers();
        for (std::size_t t = 0; t < transfers.size() && mistake.empty(); ++t)
        {
            mistake = Execute(transfers[t]);
            if (!mistake.empty())
            {
                const CollectiveTransfer& it = transfers[t];
                std::ostringstream where;
                where << "transfer " << t << " (round " << it.round << ", channel " << it.channel
                      << ", chunk " << it.chunk << ", rank " << it.from << " to rank " << it.to
                      << ") " << mistake;
                mistake = where.str();
            }
        }
        return mistake.empty() ? CheckEnd() : mistake;
    }

  private:
    /** The state of a chunk at a rank, after each arrival. */
    struct Slot
    {
        std::vector<Contributions> versions; //!< the first one: the initial state
        std::vector<uint32_t> rounds;        //!< of the arrivals: the latest round up to each
    };

    bool IsAllToAll() const
    {
        return m_all.kind == CollectiveKind::ALL_TO_ALL ||
               m_all.kind == CollectiveKind::ALL_TO_ALL_V;
    }

    /** @return the contributions of a chunk that the rank need not have */
    Contributions Nothing() const
    {
        return Contributions(m_all.ranks);
    }

    Contributions Only(uint32_t rank) const
    {
        Contributions one(m_all.ranks);
        one.Add(rank);
        return one;
    }

    Contributions Before(uint32_t rank, const CollectiveChunk& chunk) const
    {
        switch (m_all.kind)
        {
        case CollectiveKind::ALL_REDUCE:
        case CollectiveKind::REDUCE_SCATTER:
        case CollectiveKind::REDUCE:
        case CollectiveKind::BARRIER:
            return Only(rank);
        default:
            return chunk.home == rank ? Only(rank) : Nothing();
        }
    }

    /** @return the contributions that it must have at the end, at least */
    Contributions After(uint32_t rank, const CollectiveChunk& chunk) const
    {
        switch (m_all.kind)
        {
        case CollectiveKind::ALL_REDUCE:
        case CollectiveKind::BARRIER:
            return m_everyRank;
        case CollectiveKind::REDUCE_SCATTER:
        case CollectiveKind::REDUCE:
            return chunk.home == rank ? m_everyRank : Nothing();
        case CollectiveKind::ALL_GATHER:
        case CollectiveKind::BROADCAST:
            return Only(chunk.home);
        case CollectiveKind::SEND_RECV:
            return rank == 1 ? Only(0) : Nothing();
        default:
            return chunk.to == rank ? Only(chunk.home) : Nothing();
        }
    }

    Slot& At(uint32_t rank, uint32_t chunk)
    {
        Slot& slot = m_slots[uint64_t{chunk} * m_all.ranks + rank];
        if (slot.versions.empty())
        {
            slot.versions.push_back(Before(rank, m_schedule.GetChunks()[chunk]));
        }
        return slot;
    }

    /** Executes a transfer. @return the mistake; empty if there is none */
    std::string Execute(const CollectiveTransfer& it)
    {
        const Slot& source = At(it.from, it.chunk);
        std::string mistake = CheckSource(it, source);
        if (!mistake.empty())
        {
            return mistake;
        }
        const Contributions sent = source.versions[it.needs];
        Slot& target = At(it.to, it.chunk);
        Contributions there = target.versions.back();
        mistake = it.action == Action::REDUCE ? Add(sent, there) : Replace(sent, there);
        if (!mistake.empty())
        {
            return mistake;
        }
        target.rounds.push_back(
            std::max(it.round, target.rounds.empty() ? 0 : target.rounds.back()));
        target.versions.push_back(there);
        return "";
    }

    /** @return the mistake in the sending of a transfer; empty if there is none */
    std::string CheckSource(const CollectiveTransfer& it, const Slot& source) const
    {
        const std::size_t come = source.versions.size() - 1;
        if (it.needs > come)
        {
            return "sends what is there after " + std::to_string(it.needs) +
                   " arrivals, and only " + std::to_string(come) + " come before it";
        }
        if (it.needs > 0 && source.rounds[it.needs - 1] >= it.round)
        {
            return "needs what comes in round " + std::to_string(source.rounds[it.needs - 1]);
        }
        if (it.wires == Wires::SCALE_UP && it.from / m_all.perServer != it.to / m_all.perServer)
        {
            return "takes the wires inside a server, and these are two servers";
        }
        if (it.channel >= m_all.channels)
        {
            return "is of a channel beyond the " + std::to_string(m_all.channels) + " there are";
        }
        return source.versions[it.needs].IsEmpty() ? "sends what the rank does not have" : "";
    }

    /** Adds contributions to those at a rank. @return the mistake; empty if there is none */
    std::string Add(const Contributions& sent, Contributions& there) const
    {
        if (there.IsEmpty())
        {
            return "adds to nothing";
        }
        // the same arrival may be reported twice
        const bool barrier = m_all.kind == CollectiveKind::BARRIER;
        if (!barrier && there.Overlaps(sent))
        {
            return "adds a contribution that is there already";
        }
        if (there.Contains(sent))
        {
            return "brings what is there already";
        }
        there.Add(sent);
        return "";
    }

    /** Replaces contributions at a rank. @return the mistake; empty if there is none */
    static std::string Replace(const Contributions& sent, Contributions& there)
    {
        if (!sent.Contains(there))
        {
            return "takes the place of contributions that it does not have";
        }
        if (sent == there)
        {
            return "brings what is there already";
        }
        there = sent;
        return "";
    }

    std::string CheckEnd()
    {
        const auto& chunks = m_schedule.GetChunks();
        for (uint32_t c = 0; c < chunks.size(); ++c)
        {
            for (uint32_t rank = 0; rank < m_all.ranks; ++rank)
            {
                const Contributions due = After(rank, chunks[c]);
                if (!due.IsEmpty() && !At(rank, c).versions.back().Contains(due))
                {
                    std::ostringstream why;
                    why << "in the end rank " << rank << " lacks contributions to chunk " << c;
                    return why.str();
                }
            }
        }
        return "";
    }

    /** Checks that the chunks cover the buffer once, and that all ranks' shares of it are equal. */
    std::string CheckChunks() const
    {
        // by whole: for all-to-all each pair's; the ends of a part as a fraction of 2^64 would be
        // rounded, so parts are counted in units of a common multiple
        std::map<RankPair, std::vector<const CollectiveChunk*>> wholes;
        for (const CollectiveChunk& chunk : m_schedule.GetChunks())
        {
            if (chunk.span == 0 || chunk.place >= chunk.parts ||
                chunk.span > chunk.parts - chunk.place || chunk.home >= m_all.ranks ||
                chunk.to >= m_all.ranks)
            {
                return "a chunk is no part of the buffer, or of no rank";
            }
            const bool own = m_all.kind == CollectiveKind::ALL_TO_ALL_V;
            if (!own && !chunk.ofBuffer)
            {
                return "a chunk is not of the buffer";
            }
            wholes[IsAllToAll() ? RankPair(chunk.home, own ? chunk.to : 0) : RankPair(0, 0)]
                .push_back(&chunk);
        }
        if (m_all.kind == CollectiveKind::ALL_TO_ALL_V)
        {
            const std::string mistake = CheckDemand(wholes);
            if (!mistake.empty())
            {
                return mistake;
            }
        }
        for (uint32_t whose = 0; whose < m_all.ranks; ++whose)
        {
            // without a chunk there is a whole too
            if (m_all.kind == CollectiveKind::ALL_TO_ALL ||
                (whose == 0 && m_all.kind != CollectiveKind::ALL_TO_ALL_V))
            {
                wholes[{whose, 0}];
            }
        }
        for (const auto& [whose, chunks] : wholes)
        {
            uint64_t unit = m_all.ranks;
            for (const CollectiveChunk* chunk : chunks)
            {
                unit = std::lcm(unit, chunk->parts);
            }
            const std::string mistake = CheckParts(whose, chunks, unit);
            if (!mistake.empty())
            {
                return mistake;
            }
        }
        return "";
    }

    /**
     * Checks that a rank with bytes for another one has chunks for it, of as many bytes as in the
     * matrix.
     */
    std::string CheckDemand(
        const std::map<RankPair, std::vector<const CollectiveChunk*>>& wholes) const
    {
        if (!m_all.demand || m_all.demand->GetRanks() != m_all.ranks)
        {
            return "there is no demand matrix for so many ranks";
        }
        for (uint32_t from = 0; from < m_all.ranks; ++from)
        {
            for (uint32_t to = 0; to < m_all.ranks; ++to)
            {
                const uint64_t demand = m_all.demand->Get(from, to);
                const auto found = wholes.find({from, to});
                const auto describe = [=](const std::string& what) {
                    std::ostringstream why;
                    why << "what rank " << from << " has for rank " << to << " is " << demand
                        << " bytes, and " << what;
                    return why.str();
                };
                if (found == wholes.end())
                {
                    if (demand > 0 && from != to)
                    {
                        return describe("no chunk");
                    }
                    continue;
                }
                for (const CollectiveChunk* chunk : found->second)
                {
                    if (chunk->ofBuffer || chunk->whole != demand)
                    {
                        return describe("a chunk is of another whole");
                    }
                }
            }
        }
        return "";
    }

    std::string CheckParts(const RankPair& whose,
                           const std::vector<const CollectiveChunk*>& chunks,
                           uint64_t unit) const
    {
        std::vector<std::pair<uint64_t, uint64_t>> spans;
        std::map<uint32_t, uint64_t> shares;
        for (const CollectiveChunk* chunk : chunks)
        {
            const uint64_t size = unit / chunk->parts;
            spans.emplace_back(chunk->place * size, (chunk->place + chunk->span) * size);
            shares[IsAllToAll() ? chunk->to : chunk->home] += chunk->span * size;
        }
        if (m_all.kind == CollectiveKind::ALL_TO_ALL)
        {
            // a rank's data for itself does not move
            spans.emplace_back(unit / m_all.ranks * whose.first,
                               unit / m_all.ranks * (whose.first + 1));
        }
        std::sort(spans.begin(), spans.end());
        uint64_t end = 0;
        for (const auto& [from, to] : spans)
        {
            if (from != end)
            {
                return "the chunks are not the buffer, each byte of it once";
            }
            end = to;
        }
        if (end != unit)
        {
            return "the chunks are not the whole buffer";
        }
        const bool shared = m_all.kind == CollectiveKind::ALL_GATHER ||
                            m_all.kind == CollectiveKind::REDUCE_SCATTER ||
                            m_all.kind == CollectiveKind::ALL_TO_ALL;
        for (const auto& [rank, size] : shares)
        {
            if (shared && size != unit / m_all.ranks)
            {
                std::ostringstream why;
                why << "the share of rank " << rank << " is not an equal one";
                return why.str();
            }
            if ((m_all.kind == CollectiveKind::BROADCAST || m_all.kind == CollectiveKind::REDUCE) &&
                rank != m_all.root)
            {
                return "a chunk is not the root's";
            }
            if (m_all.kind == CollectiveKind::SEND_RECV && rank != 0)
            {
                return "a chunk is not of rank 0, which sends";
            }
        }
        return "";
    }

    const CollectiveSchedule& m_schedule;
    const CollectiveParameters& m_all;
    Contributions m_everyRank;
    std::unordered_map<uint64_t, Slot> m_slots; //!< by chunk and rank
};

} // namespace

std::string
GetMistakeOf(const CollectiveSchedule& schedule)
{
    return Execution(schedule).Run();
}

} // namespace ns3
