/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "named-pairs.h"

#include "ns3/pair-routes.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** @return bits that depend on all bits of a number (Steele, Lea and Flood, SplitMix64, 2014) */
uint64_t
Mix(uint64_t number)
{
    number += 0x9e3779b97f4a7c15;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
    number = (number ^ number >> 27) * 0x94d049bb133111eb;
    return number ^ number >> 31;
}

/** @return a pair's part of the digest. Parts are added, so that the order has no effect */
uint64_t
Mix(const JoinedRanks& normalized)
{
    return Mix(Mix(normalized.first.Get()) + normalized.second.Get());
}

} // namespace

uint64_t
GetDigest(const std::vector<JoinedRanks>& pairs)
{
    uint64_t digest = 0;
    for (const JoinedRanks& pair : NormalizePairs(pairs))
    {
        digest += Mix(pair);
    }
    return digest;
}

uint64_t
GetDigest(const std::vector<RankId>& ranks)
{
    uint64_t digest = 0;
    for (const RankId rank : ranks)
    {
        digest = Mix(digest + rank.Get());
    }
    return digest;
}

std::string
DigestToWords(uint64_t digest)
{
    std::ostringstream words;
    words << "digest " << std::hex << digest;
    return words.str();
}

WholePairs::WholePairs(std::shared_ptr<const std::vector<JoinedRanks>> pairs)
    : m_pairs(std::move(pairs)),
      m_digest(GetDigest(*m_pairs))
{
    std::vector<RankId> ranks;
    for (const auto& [one, other] : *m_pairs)
    {
        ranks.insert(ranks.end(), {one, other});
    }
    std::sort(ranks.begin(), ranks.end());
    m_whole = std::unique(ranks.begin(), ranks.end()) - ranks.begin();
}

WholePairs::WholePairs(const std::vector<JoinedRanks>& pairs)
    : WholePairs(std::make_shared<const std::vector<JoinedRanks>>(pairs))
{
}

const std::vector<JoinedRanks>&
WholePairs::PairsOf(RankId rank)
{
    const auto [found, isNew] = m_named.try_emplace(rank);
    for (std::size_t i = 0; isNew && i < m_pairs->size(); ++i)
    {
        const JoinedRanks& pair = (*m_pairs)[i];
        if (pair.first == rank || pair.second == rank)
        {
            found->second.push_back(pair);
        }
    }
    return found->second;
}

void
WholePairs::Name(OpusRequest& request)
{
    std::vector<JoinedRanks> pairs;
    for (const RankId rank : request.ranks)
    {
        const std::vector<JoinedRanks>& mine = PairsOf(rank);
        pairs.insert(pairs.end(), mine.begin(), mine.end());
    }
    request.pairs = NormalizePairs(pairs);
    request.whole = m_whole;
    request.digest = m_digest;
}

void
WholePairs::NameAll(OpusRequest& request) const
{
    request.pairs = NormalizePairs(*m_pairs);
    request.whole = m_whole;
    request.digest = m_digest;
}

NamedPairs::NamedPairs(uint32_t ranks, uint64_t digest)
    : m_ranks(ranks),
      m_digest(digest)
{
}

uint32_t
NamedPairs::GetRanks() const
{
    return m_ranks;
}

uint64_t
NamedPairs::GetDigest() const
{
    return m_digest;
}

bool
NamedPairs::IsFor(uint32_t ranks, uint64_t digest) const
{
    return ranks == m_ranks && digest == m_digest;
}

void
NamedPairs::Add(const std::vector<RankId>& ranks, const std::vector<JoinedRanks>& pairs)
{
    m_by.insert(ranks.begin(), ranks.end());
    for (const JoinedRanks& pair : pairs)
    {
        const JoinedRanks normalized = NormalizePair(pair);
        m_named += m_pairs.insert(normalized).second ? Mix(normalized) : 0;
    }
}

bool
NamedPairs::IsWhole() const
{
    return m_named == m_digest;
}

bool
NamedPairs::IsWrong() const
{
    return m_by.size() >= m_ranks && !IsWhole();
}

bool
NamedPairs::Has(const std::vector<JoinedRanks>& pairs) const
{
    return std::all_of(pairs.begin(), pairs.end(), [this](const JoinedRanks& pair) {
        return m_pairs.count(NormalizePair(pair)) != 0;
    });
}

std::vector<JoinedRanks>
NamedPairs::Get() const
{
    return {m_pairs.begin(), m_pairs.end()};
}

uint64_t
NamedPairs::GetNamedDigest() const
{
    return m_named;
}

} // namespace ns3
