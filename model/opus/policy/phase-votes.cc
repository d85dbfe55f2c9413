/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-votes.h"

#include <algorithm>
#include <limits>

namespace ns3
{

PhaseVotes::PhaseVotes(const std::vector<JoinedRanks>& pairs)
{
    for (const auto& [one, other] : pairs)
    {
        Add(one);
        Add(other);
    }
    m_whole = m_votes.size();
}

PhaseVotes::PhaseVotes(uint32_t whole)
    : m_whole(whole)
{
}

bool
PhaseVotes::Add(RankId rank)
{
    const bool isNew = m_votes.emplace(rank, Ballot()).second;
    m_counts[static_cast<std::size_t>(PhaseVote::NONE)] += isNew ? 1 : 0;
    return isNew;
}

bool
PhaseVotes::Has(RankId rank) const
{
    return m_votes.count(rank) != 0;
}

PhaseVote
PhaseVotes::Get(RankId rank) const
{
    return m_votes.at(rank).vote;
}

const PhaseRequest&
PhaseVotes::GetRequest(RankId rank) const
{
    return m_votes.at(rank).request;
}

void
PhaseVotes::Set(Ballot& ballot, PhaseVote vote)
{
    --m_counts[static_cast<std::size_t>(ballot.vote)];
    ++m_counts[static_cast<std::size_t>(vote)];
    ballot.vote = vote;
}

bool
PhaseVotes::Request(RankId rank, const PhaseRequest& request)
{
    const auto found = m_votes.find(rank);
    if (found == m_votes.end() || found->second.vote == PhaseVote::FINISHED ||
        request.number < found->second.request.number)
    {
        return false;
    }
    Ballot& mine = found->second;
    const bool isBetter = mine.vote == PhaseVote::NONE || (mine.vote == PhaseVote::SPECULATIVE &&
                                                           request.vote == PhaseVote::REQUESTED);
    if (request.number == mine.request.number && !isBetter)
    {
        return false;
    }
    SetHolding(mine, mine.holds && request.number == mine.request.number);
    mine.request = request;
    Set(mine, request.vote);
    return true;
}

bool
PhaseVotes::Release(RankId rank, bool unused, uint64_t request)
{
    const auto found = m_votes.find(rank);
    if (found == m_votes.end() || request < found->second.request.number ||
        found->second.vote == PhaseVote::FINISHED)
    {
        return false;
    }
    Ballot& mine = found->second;
    if (unused)
    {
        // a rank that has called an operation does not withdraw the call, unless it was granted
        const bool isBound = mine.vote == PhaseVote::REQUESTED && !mine.holds;
        const bool counts = mine.vote != PhaseVote::NONE && !isBound;
        if (!isBound)
        {
            mine.request = {};
            mine.request.number = request + 1;
            SetHolding(mine, false);
            Set(mine, PhaseVote::NONE);
        }
        return counts;
    }
    const bool counts = mine.vote != PhaseVote::NONE;
    SetHolding(mine, false);
    Set(mine, counts ? PhaseVote::FINISHED : PhaseVote::NONE);
    return counts;
}

bool
PhaseVotes::Finish(RankId rank)
{
    const auto found = m_votes.find(rank);
    if (found == m_votes.end() || found->second.vote == PhaseVote::FINISHED || found->second.holds)
    {
        return false;
    }
    Set(found->second, PhaseVote::FINISHED);
    return true;
}

void
PhaseVotes::Hold(RankId rank, bool joins)
{
    Ballot& mine = m_votes.at(rank);
    mine.joined = mine.holds ? mine.joined : joins;
    SetHolding(mine, true);
}

void
PhaseVotes::SetHolding(Ballot& ballot, bool holds)
{
    m_holding += holds ? 1 : 0;
    m_holding -= ballot.holds ? 1 : 0;
    ballot.holds = holds;
}

uint32_t
PhaseVotes::CountHolding() const
{
    return m_holding;
}

bool
PhaseVotes::IsHolding(RankId rank) const
{
    return m_votes.at(rank).holds;
}

bool
PhaseVotes::HasJoined(RankId rank) const
{
    return m_votes.at(rank).joined;
}

std::vector<RankId>
PhaseVotes::GetHolding() const
{
    std::vector<RankId> ranks;
    for (const auto& [rank, ballot] : m_votes)
    {
        if (ballot.holds)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::vector<RankId>
PhaseVotes::GetWanting() const
{
    std::vector<RankId> ranks;
    for (const auto& [rank, ballot] : m_votes)
    {
        if (ballot.vote == PhaseVote::SPECULATIVE || ballot.vote == PhaseVote::REQUESTED)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

uint64_t
PhaseVotes::GetUntil() const
{
    uint64_t until = std::numeric_limits<uint64_t>::max();
    for (const RankId rank : GetWanting())
    {
        until = std::min(until, m_votes.at(rank).request.until);
    }
    return until;
}

uint32_t
PhaseVotes::GetLinks() const
{
    uint32_t links = 0;
    for (const RankId rank : GetWanting())
    {
        const uint32_t mine = m_votes.at(rank).request.links;
        links = links == 0 || (mine != 0 && mine < links) ? mine : links;
    }
    return links;
}

uint32_t
PhaseVotes::Count(PhaseVote vote) const
{
    return m_counts[static_cast<std::size_t>(vote)];
}

uint32_t
PhaseVotes::CountKnown() const
{
    return m_votes.size();
}

uint32_t
PhaseVotes::CountWhole() const
{
    return m_whole;
}

bool
PhaseVotes::IsComplete() const
{
    return Count(PhaseVote::NONE) == 0 && CountKnown() >= m_whole && !IsOver();
}

bool
PhaseVotes::IsOver() const
{
    return Count(PhaseVote::FINISHED) == m_votes.size() && CountKnown() >= m_whole;
}

bool
PhaseVotes::IsGuess() const
{
    return Count(PhaseVote::REQUESTED) + Count(PhaseVote::FINISHED) == 0;
}

std::vector<RankId>
PhaseVotes::GetRanks(PhaseVote vote) const
{
    std::vector<RankId> ranks;
    for (const auto& [rank, ballot] : m_votes)
    {
        if (ballot.vote == vote)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

std::vector<RankId>
PhaseVotes::GetRanks() const
{
    std::vector<RankId> ranks;
    for (const auto& [rank, ballot] : m_votes)
    {
        ranks.push_back(rank);
    }
    return ranks;
}

bool
PhaseVotes::SharesRankWith(const PhaseVotes& other) const
{
    return std::any_of(m_votes.begin(), m_votes.end(), [&other](const auto& vote) {
        return other.Has(vote.first);
    });
}

} // namespace ns3
