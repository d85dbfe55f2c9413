/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-schedule.h"

#include "schedule-dependence.h"

#include "ns3/assert.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{

std::string
CollectiveParameters::GetKey() const
{
    std::ostringstream key;
    key << ToString(kind) << ' ' << ranks << ' ' << channels
        << (bidirectional ? " bidirectional " : " one-way ") << root << ' ' << straggler << ' '
        << perServer << ' ' << ports;
    if (demand)
    {
        key << ' ' << demand->GetKey();
    }
    return key.str();
}

bool
CollectiveParameters::operator==(const CollectiveParameters& other) const
{
    const auto list = [](const CollectiveParameters& its) {
        return std::tie(its.kind,
                        its.ranks,
                        its.channels,
                        its.bidirectional,
                        its.root,
                        its.straggler,
                        its.perServer,
                        its.ports);
    };
    return list(*this) == list(other) &&
           (demand == other.demand ||
            (demand && other.demand && demand->GetKey() == other.demand->GetKey()));
}

uint64_t
GetShare(uint64_t whole, uint64_t place, uint64_t parts, uint64_t span)
{
    __extension__ using Wide = unsigned __int128;
    const Wide end = Wide{whole} * (place + span) / parts;
    const Wide begin = Wide{whole} * place / parts;
    return static_cast<uint64_t>(end - begin);
}

CollectiveSchedule::CollectiveSchedule(const CollectiveParameters& parameters)
    : m_parameters(parameters)
{
}

uint32_t
CollectiveSchedule::Add(const CollectiveChunk& chunk)
{
    m_chunks.push_back(chunk);
    return m_chunks.size() - 1;
}

void
CollectiveSchedule::Add(const CollectiveTransfer& transfer)
{
    NS_ASSERT_MSG(transfer.from < m_parameters.ranks && transfer.to < m_parameters.ranks &&
                      transfer.from != transfer.to && transfer.chunk < m_chunks.size(),
                  "a transfer from rank " << transfer.from << " to " << transfer.to << " of chunk "
                                          << transfer.chunk);
    m_transfers.push_back(transfer);
    m_rounds = std::max(m_rounds, transfer.round + 1);
    m_dependsOnAll.reset();
    m_stages.clear();
    m_firstsOf.clear();
    m_parts.clear();
}

void
CollectiveSchedule::KeepRounds()
{
    m_keepsRounds = true;
}

void
CollectiveSchedule::JoinStages()
{
    m_joined = true;
    m_stages.clear();
}

const CollectiveParameters&
CollectiveSchedule::GetParameters() const
{
    return m_parameters;
}

const std::vector<CollectiveChunk>&
CollectiveSchedule::GetChunks() const
{
    return m_chunks;
}

const std::vector<CollectiveTransfer>&
CollectiveSchedule::GetTransfers() const
{
    return m_transfers;
}

uint32_t
CollectiveSchedule::GetRounds() const
{
    return m_rounds;
}

bool
CollectiveSchedule::EndsDependOnAll() const
{
    if (!m_dependsOnAll)
    {
        m_dependsOnAll = DependsOnAll(m_transfers, m_parameters.ranks);
    }
    return *m_dependsOnAll;
}

CollectiveSchedule::Places
CollectiveSchedule::GetTransfersOf(uint32_t rank) const
{
    if (m_firstsOf.empty())
    {
        m_firstsOf.assign(m_parameters.ranks + 1, 0);
        for (const CollectiveTransfer& transfer : m_transfers)
        {
            ++m_firstsOf[transfer.from + 1];
            ++m_firstsOf[transfer.to + 1];
        }
        std::partial_sum(m_firstsOf.begin(), m_firstsOf.end(), m_firstsOf.begin());
        m_placesOf.resize(m_firstsOf.back());
        std::vector<std::size_t> next(m_firstsOf.begin(), m_firstsOf.end() - 1);
        for (uint32_t place = 0; place < m_transfers.size(); ++place)
        {
            m_placesOf[next[m_transfers[place].from]++] = place;
            m_placesOf[next[m_transfers[place].to]++] = place;
        }
    }
    const uint32_t* places = m_placesOf.data();
    return {places + m_firstsOf[rank], places + m_firstsOf[rank + 1]};
}

uint64_t
CollectiveSchedule::GetBytes(uint32_t chunk, uint64_t buffer) const
{
    const CollectiveChunk& one = m_chunks[chunk];
    return GetShare(one.ofBuffer ? buffer : one.whole, one.place, one.parts, one.span);
}

uint64_t
CollectiveSchedule::GetBytesSent(uint32_t rank, uint64_t buffer) const
{
    uint64_t bytes = 0;
    for (const uint32_t place : GetTransfersOf(rank))
    {
        const CollectiveTransfer& transfer = m_transfers[place];
        bytes += transfer.from == rank ? GetBytes(transfer.chunk, buffer) : 0;
    }
    return bytes;
}

const std::vector<CollectiveSchedule::Stage>&
CollectiveSchedule::GetStages() const
{
    if (m_stages.empty() && m_rounds > 0)
    {
        std::vector<std::set<RankPair>> pairs(m_rounds);
        for (const CollectiveTransfer& transfer : m_transfers)
        {
            if (transfer.wires == CollectiveTransfer::Wires::RAIL)
            {
                pairs[m_joined ? 0 : transfer.round].insert(
                    std::minmax(transfer.from, transfer.to));
            }
        }
        for (uint32_t r = 0; r < m_rounds; ++r)
        {
            const std::vector<RankPair> list(pairs[r].begin(), pairs[r].end());
            // a round without transfers on the rail needs no circuits of its own
            if (m_stages.empty() ||
                (!list.empty() && list != m_stages.back().pairs && !m_stages.back().pairs.empty()))
            {
                m_stages.push_back({r, r, list});
                continue;
            }
            m_stages.back().lastRound = r;
            if (m_stages.back().pairs.empty())
            {
                m_stages.back().pairs = list;
            }
        }
        m_stageOf.resize(m_rounds);
        for (uint32_t s = 0; s < m_stages.size(); ++s)
        {
            std::fill(m_stageOf.begin() + m_stages[s].firstRound,
                      m_stageOf.begin() + m_stages[s].lastRound + 1,
                      s);
        }
    }
    return m_stages;
}

uint32_t
CollectiveSchedule::GetStageOf(uint32_t round) const
{
    GetStages();
    return m_stageOf[round];
}

} // namespace ns3
