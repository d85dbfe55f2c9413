/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-verifier.h"

#include "chunk-coverage.h"
#include "contributions.h"

#include <algorithm>
#include <functional>
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
        std::string mistake = GetMistakeOfChunks(m_schedule);
        const auto& transfers = m_schedule.GetTransfers();
        for (std::size_t t = 0; t < transfers.size() && mistake.empty(); ++t)
        {
            mistake = Execute(transfers[t]);
            if (!mistake.empty())
            {
                const CollectiveTransfer& it = transfers[t];
                std::ostringstream where;
                where << "in round " << it.round << " rank " << it.from << " sends "
                      << DescribeChunk(it.chunk) << " to rank " << it.to
                      << (it.action == Action::REDUCE ? ", to be added" : "") << " (transfer " << t
                      << ", channel " << it.channel << "): " << mistake;
                mistake = where.str();
            }
        }
        return mistake.empty() ? CheckEnd() : mistake;
    }

  private:
    /** @return the chunk in words: whose it is, and for which rank */
    std::string DescribeChunk(uint32_t chunk) const
    {
        const CollectiveChunk& it = m_schedule.GetChunks()[chunk];
        std::ostringstream words;
        words << "chunk " << chunk;
        if (IsAllToAll())
        {
            words << " (from rank " << it.home << " for rank " << it.to << ")";
        }
        else if (m_all.kind != CollectiveKind::BARRIER)
        {
            words << " (of rank " << it.home << ")";
        }
        return words.str();
    }

    /** @return the last round in words */
    std::string DescribeLast() const
    {
        const uint32_t rounds = m_schedule.GetRounds();
        return rounds == 0 ? "no round" : "round " + std::to_string(rounds - 1);
    }

    /** @return some ranks in words: rank 1; or ranks 1, 4 and 5 */
    std::string DescribeRanks(const std::function<bool(uint32_t)>& has) const
    {
        std::vector<uint32_t> ranks;
        for (uint32_t rank = 0; rank < m_all.ranks; ++rank)
        {
            if (has(rank))
            {
                ranks.push_back(rank);
            }
        }
        std::ostringstream words;
        words << (ranks.size() == 1 ? "rank" : "ranks");
        for (std::size_t r = 0; r < ranks.size(); ++r)
        {
            words << (r == 0 ? " " : r + 1 == ranks.size() ? " and " : ", ") << ranks[r];
        }
        return words.str();
    }

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
            return "rank " + std::to_string(it.from) + " sends it as it is after " +
                   std::to_string(it.needs) + " arrivals, and only " + std::to_string(come) +
                   " come before";
        }
        if (it.needs > 0 && source.rounds[it.needs - 1] >= it.round)
        {
            return "rank " + std::to_string(it.from) + " needs what comes in round " +
                   std::to_string(source.rounds[it.needs - 1]);
        }
        if (it.wires == Wires::SCALE_UP && it.from / m_all.perServer != it.to / m_all.perServer)
        {
            return "it takes the wires inside a server, and the ranks are on servers " +
                   std::to_string(it.from / m_all.perServer) + " and " +
                   std::to_string(it.to / m_all.perServer);
        }
        if (it.channel >= m_all.channels)
        {
            return "there are " + std::to_string(m_all.channels) + " channels, counted from 0";
        }
        return source.versions[it.needs].IsEmpty()
                   ? "rank " + std::to_string(it.from) + " does not have it"
                   : "";
    }

    /** Adds contributions to those at a rank. @return the mistake; empty if there is none */
    std::string Add(const Contributions& sent, Contributions& there) const
    {
        if (there.IsEmpty())
        {
            return "the receiver has nothing to add it to";
        }
        // the same arrival may be reported twice
        const bool barrier = m_all.kind == CollectiveKind::BARRIER;
        if (!barrier && there.Overlaps(sent))
        {
            return "it adds the contribution of " +
                   DescribeRanks([&](uint32_t rank) { return sent.Has(rank) && there.Has(rank); }) +
                   " again";
        }
        if (there.Contains(sent))
        {
            return "the receiver has all of it already";
        }
        there.Add(sent);
        return "";
    }

    /** Replaces contributions at a rank. @return the mistake; empty if there is none */
    std::string Replace(const Contributions& sent, Contributions& there) const
    {
        if (!sent.Contains(there))
        {
            return "the receiver loses the contribution of " +
                   DescribeRanks([&](uint32_t rank) { return there.Has(rank) && !sent.Has(rank); });
        }
        if (sent == there)
        {
            return "the receiver has all of it already";
        }
        there = sent;
        return "";
    }

    /** @return the lack of a contribution in the end; empty if there is none */
    std::string CheckEnd()
    {
        const auto& chunks = m_schedule.GetChunks();
        for (uint32_t c = 0; c < chunks.size(); ++c)
        {
            for (uint32_t rank = 0; rank < m_all.ranks; ++rank)
            {
                const Contributions due = After(rank, chunks[c]);
                const Contributions& there = At(rank, c).versions.back();
                if (!due.IsEmpty() && !there.Contains(due))
                {
                    std::ostringstream why;
                    why << "in the end, after " << DescribeLast() << ", rank " << rank
                        << " lacks of " << DescribeChunk(c) << " the contribution of "
                        << DescribeRanks(
                               [&](uint32_t one) { return due.Has(one) && !there.Has(one); });
                    return why.str();
                }
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
