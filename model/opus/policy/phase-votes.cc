/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-votes.h"

#include "ns3/assert.h"

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
    constexpr uint32_t FEW = 64; // the number is that of a message, and may be wrong
    m_votes.Reserve(std::min(whole, FEW));
}

const PhaseVotes::Ballot&
PhaseVotes::At(RankId rank) const
{
    const Ballot* ballot = m_votes.Find(rank);
    NS_ASSERT_MSG(ballot, "rank " << rank << " takes no part");
    return *ballot;
}

bool
PhaseVotes::IsWanting(const Ballot& ballot)
{
    return ballot.vote == PhaseVote::SPECULATIVE || ballot.vote == PhaseVote::REQUESTED;
}

template <typename Condition>
std::vector<RankId>
PhaseVotes::Select(const Condition& condition) const
{
    std::vector<RankId> ranks;
    for (std::size_t i = 0; i < m_votes.size(); ++i)
    {
        if (condition(m_votes.GetValues()[i]))
        {
            ranks.push_back(m_votes.GetIds()[i]);
        }
    }
    return ranks;
}

bool
PhaseVotes::Add(RankId rank)
{
    const bool isNew = m_votes.Add(rank).second;
    m_counts[static_cast<std::size_t>(PhaseVote::NONE)] += isNew ? 1 : 0;
    return isNew;
}

bool
PhaseVotes::Has(RankId rank) const
{
    return m_votes.Find(rank) != nullptr;
}

PhaseVote
PhaseVotes::Get(RankId rank) const
{
    return At(rank).vote;
}

const PhaseRequest&
PhaseVotes::GetRequest(RankId rank) const
{
    return At(rank).request;
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
    Ballot* found = m_votes.Find(rank);
    if (!found || found->vote == PhaseVote::FINISHED || request.number < found->request.number)
    {
        return false;
    }
    Ballot& mine = *found;
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
    Ballot* found = m_votes.Find(rank);
    if (!found || request < found->request.number || found->vote == PhaseVote::FINISHED)
    {
        return false;
    }
    Ballot& mine = *found;
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
    Ballot* mine = m_votes.Find(rank);
    if (!mine || mine->vote == PhaseVote::FINISHED || mine->holds)
    {
        return false;
    }
    Set(*mine, PhaseVote::FINISHED);
    return true;
}

void
PhaseVotes::Hold(RankId rank, bool joins)
{
    Ballot& mine = *m_votes.Find(rank);
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
    return At(rank).holds;
}

bool
PhaseVotes::HasJoined(RankId rank) const
{
    return At(rank).joined;
}

std::vector<RankId>
PhaseVotes::GetHolding() const
{
    return Select([](const Ballot& ballot) { return ballot.holds; });
}

std::vector<RankId>
PhaseVotes::GetWanting() const
{
    return Select(IsWanting);
}

uint64_t
PhaseVotes::GetUntil() const
{
    uint64_t until = std::numeric_limits<uint64_t>::max();
    for (const Ballot& ballot : m_votes.GetValues())
    {
        until = IsWanting(ballot) ? std::min(until, ballot.request.until) : until;
    }
    return until;
}

uint32_t
PhaseVotes::GetLinks() const
{
    uint32_t links = 0;
    for (const Ballot& ballot : m_votes.GetValues())
    {
        const uint32_t mine = IsWanting(ballot) ? ballot.request.links : 0;
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
    return Select([vote](const Ballot& ballot) { return ballot.vote == vote; });
}

const std::vector<RankId>&
PhaseVotes::GetRanks() const&
{
    return m_votes.GetIds();
}

std::vector<RankId>
PhaseVotes::GetRanks() &&
{
    return m_votes.GetIds();
}

bool
PhaseVotes::SharesRankWith(const PhaseVotes& other) const
{
    const std::vector<RankId>& ranks = m_votes.GetIds();
    return std::any_of(ranks.begin(), ranks.end(), [&other](RankId rank) {
        return other.Has(rank);
    });
}

} // namespace ns3
