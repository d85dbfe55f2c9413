/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pair-ports.h"

#include <algorithm>

namespace ns3
{

PairPorts::PairPorts(const std::vector<Pair>& pairs, const PortsOf& portsOf, uint32_t mostLinks)
    : m_pairs(pairs)
{
    const std::map<RankId, uint32_t> partners = CountPartners(pairs);
    for (const auto& [rank, count] : partners)
    {
        m_free.emplace(rank, portsOf(rank));
    }
    for (const auto& [one, other] : pairs)
    {
        const std::size_t links = std::min(m_free.at(one).size() / partners.at(one),
                                           m_free.at(other).size() / partners.at(other));
        m_due.push_back(mostLinks == 0 ? links : std::min<std::size_t>(links, mostLinks));
    }
}

std::map<RankId, uint32_t>
PairPorts::CountPartners(const std::vector<Pair>& pairs)
{
    std::map<RankId, uint32_t> partners;
    for (const auto& [one, other] : pairs)
    {
        ++partners[one];
        ++partners[other];
    }
    return partners;
}

std::size_t
PairPorts::CountDue(std::size_t pair) const
{
    return m_due.at(pair);
}

bool
PairPorts::IsFree(RankId rank, uint32_t port) const
{
    const std::vector<uint32_t>& free = m_free.at(rank);
    return std::find(free.begin(), free.end(), port) != free.end();
}

void
PairPorts::Take(RankId rank, uint32_t port)
{
    std::vector<uint32_t>& free = m_free.at(rank);
    free.erase(std::find(free.begin(), free.end(), port));
}

bool
PairPorts::Keep(std::size_t pair, const RailLink& link)
{
    const auto& [one, other] = m_pairs.at(pair);
    if (m_due[pair] == 0 || !IsFree(one, link.here) || !IsFree(other, link.there))
    {
        return false;
    }
    Take(one, link.here);
    Take(other, link.there);
    --m_due[pair];
    return true;
}

std::optional<uint32_t>
PairPorts::TakeBest(RankId rank, const PortLoss& loss)
{
    std::optional<uint32_t> best;
    uint32_t least = 0;
    for (const uint32_t port : m_free.at(rank))
    {
        const std::optional<uint32_t> here = loss(rank, port);
        if (here && (!best || *here < least))
        {
            best = port;
            least = *here;
        }
    }
    if (best)
    {
        Take(rank, *best);
    }
    return best;
}

std::optional<RailLink>
PairPorts::Join(std::size_t pair, const PortLoss& loss)
{
    const std::optional<uint32_t> here = TakeBest(m_pairs.at(pair).first, loss);
    const std::optional<uint32_t> there =
        here ? TakeBest(m_pairs[pair].second, loss) : std::nullopt;
    if (!there)
    {
        return std::nullopt;
    }
    --m_due[pair];
    return RailLink{*here, *there};
}

} // namespace ns3
