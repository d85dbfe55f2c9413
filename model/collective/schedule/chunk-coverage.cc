/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chunk-coverage.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** Checks the chunks of a schedule. */
class ChunkCoverage
{
  public:
    explicit ChunkCoverage(const CollectiveSchedule& schedule)
        : m_schedule(schedule),
          m_all(schedule.GetParameters())
    {
    }

    /** @return the mistake; empty if there is none */
    std::string Run() const
    {
        // by whole: for all-to-all each pair's; the ends of a part as a fraction of 2^64 would be
        // rounded, so parts are counted in units of a common multiple
        std::map<RankPair, std::vector<const CollectiveChunk*>> wholes;
        const auto& all = m_schedule.GetChunks();
        for (std::size_t c = 0; c < all.size(); ++c)
        {
            const CollectiveChunk& chunk = all[c];
            if (chunk.span == 0 || chunk.place >= chunk.parts ||
                chunk.span > chunk.parts - chunk.place || chunk.home >= m_all.ranks ||
                chunk.to >= m_all.ranks)
            {
                return "chunk " + std::to_string(c) + " is no part of the buffer, or of no rank";
            }
            const bool own = m_all.kind == CollectiveKind::ALL_TO_ALL_V;
            if (!own && !chunk.ofBuffer)
            {
                return "chunk " + std::to_string(c) + " is not of the buffer";
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

  private:
    bool IsAllToAll() const
    {
        return m_all.kind == CollectiveKind::ALL_TO_ALL ||
               m_all.kind == CollectiveKind::ALL_TO_ALL_V;
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
        const std::string ofWhom =
            IsAllToAll() ? " of rank " + std::to_string(whose.first) : std::string();
        for (const auto& [from, to] : spans)
        {
            if (from != end)
            {
                return "the chunks are not the buffer" + ofWhom + ", each byte of it once";
            }
            end = to;
        }
        if (end != unit)
        {
            return "the chunks are not the whole buffer" + ofWhom;
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
                return "a chunk is of rank " + std::to_string(rank) + ", and the root is rank " +
                       std::to_string(m_all.root);
            }
            if (m_all.kind == CollectiveKind::SEND_RECV && rank != 0)
            {
                return "a chunk is of rank " + std::to_string(rank) +
                       ", and rank 0 is the one that sends";
            }
        }
        return "";
    }

    const CollectiveSchedule& m_schedule;
    const CollectiveParameters& m_all;
};

} // namespace

std::string
GetMistakeOfChunks(const CollectiveSchedule& schedule)
{
    return ChunkCoverage(schedule).Run();
}

} // namespace ns3
