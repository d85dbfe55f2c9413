/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-verifier.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

using Action = CollectiveTransfer::Action;
using Wires = CollectiveTransfer::Wires;

/** Ranks whose contributions are in a chunk. */
class Contributions
{
  public:
    explicit Contributions(uint32_t ranks)
        : m_words((ranks + 63) / 64)
    {
    }

    void Add(uint32_t rank)
    {
        m_words[rank / 64] |= uint64_t{1} << rank % 64;
    }

    void Add(const Contributions& other)
    {
        for (std::size_t w = 0; w < m_words.size(); ++w)
        {
            m_words[w] |= other.m_words[w];
        }
    }

    bool IsEmpty() const
    {
        return std::all_of(m_words.begin(), m_words.end(), [](uint64_t w) { return w == 0; });
    }

    bool Overlaps(const Contributions& other) const
    {
        for (std::size_t w = 0; w < m_words.size(); ++w)
        {
            if ((m_words[w] & other.m_words[w]) != 0)
            {
                return true;
            }
        }
        return false;
    }

    bool Contains(const Contributions& other) const
    {
        for (std::size_t w = 0; w < m_words.size(); ++w)
        {
            if ((other.m_words[w] & ~m_words[w]) != 0)
            {
                return false;
            }
        }
        return true;
    }

    bool operator==(const Contributions& other) const
    {
        return m_words == other.m_words;
    }

  private:
    std::vector<uint64_t> m_words;
};

/** Executes a schedule. */
class Execution
{
  public:
    explicit Execution(const CollectiveSchedule& schedule)
        : m_schedule(schedule),
          m_all(schedule.GetParameters()),
          m_everybody(m_all.ranks)
    {
        for (uint32_t rank = 0; rank < m_all.ranks; ++rank)
        {
            m_everybody.Add(rank);
        }
    }

    /** @return what is wrong, or nothing */
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
                where << "transfer " << t << " (round " << it.round << ", lane " << it.lane
                      << ", chunk " << it.chunk << ", rank " << it.from << " to rank " << it.to
                      << ") " << mistake;
                mistake = where.str();
            }
        }
        return mistake.empty() ? CheckEnd() : mistake;
    }

  private:
    /** What a rank has of a chunk, after each arrival. */
    struct Slot
    {
        std::vector<Contributions> versions; //!< the first: in the beginning
        std::vector<uint32_t> rounds;        //!< of the arrivals: the latest up to each
    };

    bool IsAllToAll() const
    {
        return m_all.kind == CollectiveKind::ALL_TO_ALL ||
               m_all.kind == CollectiveKind::ALL_TO_ALL_V;
    }

    /** @return what a rank has of a chunk before, or is to have afterwards: nothing in particular
     */
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

    /** @return what it is to have at least */
    Contributions After(uint32_t rank, const CollectiveChunk& chunk) const
    {
        switch (m_all.kind)
        {
        case CollectiveKind::ALL_REDUCE:
        case CollectiveKind::BARRIER:
            return m_everybody;
        case CollectiveKind::REDUCE_SCATTER:
        case CollectiveKind::REDUCE:
            return chunk.home == rank ? m_everybody : Nothing();
        case CollectiveKind::ALL_GATHER:
        case CollectiveKind::BROADCAST:
            return Only(chunk.home);
        default:
            return chunk.to == rank ? Only(chunk.home) : Nothing();
        }
    }

    Slot& At(uint32_t rank, uint32_t chunk)
    {
        Slot& slot = m_slots[{rank, chunk}];
        if (slot.versions.empty())
        {
            slot.versions.push_back(Before(rank, m_schedule.GetChunks()[chunk]));
        }
        return slot;
    }

    std::string Execute(const CollectiveTransfer& it)
    {
        std::ostringstream why;
        const Slot& source = At(it.from, it.chunk);
        const std::size_t come = source.versions.size() - 1;
        if (it.needs > come)
        {
            why << "sends what is there after " << it.needs << " arrivals, and only " << come
                << " come before it";
            return why.str();
        }
        if (it.needs > 0 && source.rounds[it.needs - 1] >= it.round)
        {
            why << "needs what comes in round " << source.rounds[it.needs - 1];
            return why.str();
        }
        if (it.wires == Wires::SCALE_UP && it.from / m_all.perServer != it.to / m_all.perServer)
        {
            return "takes the wires inside a server, and these are two servers";
        }
        if (it.lane >= m_all.lanes)
        {
            why << "is of a lane beyond the " << m_all.lanes << " there are";
            return why.str();
        }
        const Contributions sent = source.versions[it.needs];
        if (sent.IsEmpty())
        {
            return "sends what the rank does not have";
        }
        Slot& target = At(it.to, it.chunk);
        Contributions there = target.versions.back();
        const bool barrier = m_all.kind == CollectiveKind::BARRIER;
        if (it.action == Action::REDUCE)
        {
            if (there.IsEmpty())
            {
                return "adds to nothing";
            }
            if (!barrier && there.Overlaps(sent))
            {
                return "adds a contribution that is there already";
            }
            there.Add(sent);
        }
        else
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
        }
        target.rounds.push_back(
            std::max(it.round, target.rounds.empty() ? 0 : target.rounds.back()));
        target.versions.push_back(there);
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

    /** The chunks are the buffer, once, and everybody's share of it is equal. */
    std::string CheckChunks() const
    {
        // by whole: for all-to-all each pair's; the ends of a part as a fraction of 2^64 would be
        // rounded, so parts are counted in units of a common multiple
        std::map<RankPair, std::vector<const CollectiveChunk*>> wholes;
        for (const CollectiveChunk& chunk : m_schedule.GetChunks())
        {
            if (chunk.parts == 0 || chunk.place >= chunk.parts || chunk.home >= m_all.ranks ||
                chunk.to >= m_all.ranks)
            {
                return "a chunk is no part of the buffer, or of no rank";
            }
            const bool own = m_all.kind == CollectiveKind::ALL_TO_ALL_V;
            wholes[IsAllToAll() ? RankPair(chunk.home, own ? chunk.to : 0) : RankPair(0, 0)]
                .push_back(&chunk);
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

    std::string CheckParts(const RankPair& whose,
                           const std::vector<const CollectiveChunk*>& chunks,
                           uint64_t unit) const
    {
        std::vector<std::pair<uint64_t, uint64_t>> spans;
        std::map<uint32_t, uint64_t> shares;
        for (const CollectiveChunk* chunk : chunks)
        {
            const uint64_t size = unit / chunk->parts;
            spans.emplace_back(chunk->place * size, (chunk->place + 1) * size);
            shares[IsAllToAll() ? chunk->to : chunk->home] += size;
        }
        if (m_all.kind == CollectiveKind::ALL_TO_ALL)
        {
            // what a rank has for itself does not move
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
        }
        return "";
    }

    const CollectiveSchedule& m_schedule;
    const CollectiveParameters& m_all;
    Contributions m_everybody;
    std::map<std::pair<uint32_t, uint32_t>, Slot> m_slots; //!< by rank and chunk
};

} // namespace

std::string
GetMistakeOf(const CollectiveSchedule& schedule)
{
    return Execution(schedule).Run();
}

std::string
GetMistakeOf(const CollectiveAlgorithm& algorithm, const CollectiveParameters& parameters)
{
    const CollectiveSchedule schedule = algorithm.Make(parameters);
    const std::string mistake = GetMistakeOf(schedule);
    if (!mistake.empty())
    {
        return mistake;
    }
    uint64_t buffer = parameters.kind == CollectiveKind::BARRIER ? 0 : 1;
    for (const CollectiveChunk& chunk : schedule.GetChunks())
    {
        buffer = std::lcm(buffer, chunk.ofBuffer ? chunk.parts : 1);
    }
    for (uint32_t rank = 0; rank < parameters.ranks; ++rank)
    {
        const uint64_t sent = schedule.GetBytesSent(rank, buffer);
        const uint64_t due = algorithm.bytesSent(parameters, rank, buffer);
        if (sent != due)
        {
            std::ostringstream why;
            why << "of " << buffer << " bytes rank " << rank << " sends " << sent
                << ", and the closed form says " << due;
            return why.str();
        }
    }
    return "";
}

std::vector<CollectiveParameters>
MakeSamples(CollectiveKind kind, uint32_t ranks)
{
    const bool rooted = kind == CollectiveKind::BROADCAST || kind == CollectiveKind::REDUCE;
    std::vector<CollectiveParameters> samples;
    for (const bool twoWay : {false, true})
    {
        for (const uint32_t root : std::set<uint32_t>{0, rooted ? ranks - 1 : 0})
        {
            CollectiveParameters sample;
            sample.kind = kind;
            sample.ranks = ranks;
            sample.lanes = twoWay ? 4 : 1;
            sample.twoWay = twoWay;
            sample.root = root;
            sample.straggler = twoWay ? ranks / 2 : ranks - 1;
            if (kind == CollectiveKind::ALL_TO_ALL_V)
            {
                auto demand = std::make_shared<DemandMatrix>(ranks);
                for (uint32_t from = 0; from < ranks; ++from)
                {
                    for (uint32_t to = 0; to < ranks; ++to)
                    {
                        // some have nothing for some
                        const uint64_t units = (from * 5 + to * 3 + root) % 7;
                        demand->Set(from, to, from == to ? 0 : units * sample.lanes * 60);
                    }
                }
                sample.demand = demand;
            }
            samples.push_back(sample);
        }
    }
    // servers of as many ranks as divide the group
    for (uint32_t perServer = 2; perServer <= ranks; ++perServer)
    {
        if (ranks % perServer == 0)
        {
            CollectiveParameters sample = samples.front();
            sample.perServer = perServer;
            samples.push_back(sample);
        }
    }
    return samples;
}

} // namespace ns3
