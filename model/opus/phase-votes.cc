/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "phase-votes.h"

#include <algorithm>

namespace ns3
{

PhaseVotes::PhaseVotes(const std::vector<JoinedRanks>& pairs)
{
    for (const auto& [one, other] : pairs)
    {
        m_votes.emplace(one, Ballot());
        m_votes.emplace(other, Ballot());
    }
    m_counts[static_cast<std::size_t>(PhaseVote::NONE)] = m_votes.size();
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

uint64_t
PhaseVotes::GetAsk(RankId rank) const
{
    return m_votes.at(rank).ask;
}

void
PhaseVotes::Set(Ballot& ballot, PhaseVote vote)
{
    --m_counts[static_cast<std::size_t>(ballot.vote)];
    ++m_counts[static_cast<std::size_t>(vote)];
    ballot.vote = vote;
}

bool
PhaseVotes::Ask(RankId rank, PhaseVote vote, uint64_t ask)
{
    const auto found = m_votes.find(rank);
    if (found == m_votes.end() || found->second.vote == PhaseVote::FINISHED ||
        ask < found->second.ask)
    {
        return false;
    }
    Ballot& mine = found->second;
    const bool isBetter = mine.vote == PhaseVote::NONE ||
                          (mine.vote == PhaseVote::SPECULATIVE && vote == PhaseVote::ASKED);
    if (ask == mine.ask && !isBetter)
    {
        return false;
    }
    mine.ask = ask;
    Set(mine, vote);
    return true;
}

bool
PhaseVotes::Release(RankId rank, bool unused, uint64_t ask)
{
    const auto found = m_votes.find(rank);
    if (found == m_votes.end() || ask < found->second.ask ||
        found->second.vote == PhaseVote::FINISHED)
    {
        return false;
    }
    Ballot& mine = found->second;
    if (unused)
    {
        // a rank that has called an operation does not take that back
        const bool counts = mine.vote == PhaseVote::SPECULATIVE;
        if (mine.vote != PhaseVote::ASKED)
        {
            mine.ask = ask + 1;
            Set(mine, PhaseVote::NONE);
        }
        return counts;
    }
    const bool counts = mine.vote != PhaseVote::NONE;
    Set(mine, counts ? PhaseVote::FINISHED : PhaseVote::NONE);
    return counts;
}

uint32_t
PhaseVotes::Count(PhaseVote vote) const
{
    return m_counts[static_cast<std::size_t>(vote)];
}

bool
PhaseVotes::IsComplete() const
{
    return Count(PhaseVote::NONE) == 0 && !IsOver();
}

bool
PhaseVotes::IsOver() const
{
    return Count(PhaseVote::FINISHED) == m_votes.size();
}

bool
PhaseVotes::IsGuess() const
{
    return Count(PhaseVote::ASKED) + Count(PhaseVote::FINISHED) == 0;
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
