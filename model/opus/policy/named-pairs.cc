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
      m_whole(0),
      m_digest(GetDigest(*m_pairs))
{
    m_ends.reserve(2 * m_pairs->size());
    for (uint32_t i = 0; i < m_pairs->size(); ++i)
    {
        const auto& [one, other] = (*m_pairs)[i];
        m_ends.emplace_back(one, i);
        if (one != other)
        {
            m_ends.emplace_back(other, i);
        }
    }
    std::sort(m_ends.begin(), m_ends.end());
    for (std::size_t i = 0; i < m_ends.size(); ++i)
    {
        m_whole += i == 0 || m_ends[i - 1].first != m_ends[i].first ? 1 : 0;
    }
}

WholePairs::WholePairs(const std::vector<JoinedRanks>& pairs)
    : WholePairs(std::make_shared<const std::vector<JoinedRanks>>(pairs))
{
}

void
WholePairs::Name(OpusRequest& request) const
{
    std::vector<JoinedRanks> pairs;
    for (const RankId rank : request.ranks)
    {
        auto end = std::lower_bound(m_ends.begin(), m_ends.end(), End(rank, 0));
        for (; end != m_ends.end() && end->first == rank; ++end)
        {
            pairs.push_back((*m_pairs)[end->second]);
        }
    }
    request.pairs = NormalizePairs(std::move(pairs));
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
    for (const RankId rank : ranks)
    {
        m_by.Add(rank);
    }
    for (const JoinedRanks& pair : pairs)
    {
        const JoinedRanks normalized = NormalizePair(pair);
        const auto place = m_pairs.empty() || m_pairs.back() < normalized
                               ? m_pairs.end()
                               : std::lower_bound(m_pairs.begin(), m_pairs.end(), normalized);
        if (place == m_pairs.end() || *place != normalized)
        {
            m_pairs.insert(place, normalized);
            m_named += Mix(normalized);
        }
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
        return std::binary_search(m_pairs.begin(), m_pairs.end(), NormalizePair(pair));
    });
}

const std::vector<JoinedRanks>&
NamedPairs::Get() const
{
    return m_pairs;
}

uint64_t
NamedPairs::GetNamedDigest() const
{
    return m_named;
}

} // namespace ns3
