/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "request-votes.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return a rank of a request that is in none of its pairs; null if there is none */
const RankId*
FindUnnamed(const OpusMessage& message)
{
    for (const RankId& rank : message.ranks)
    {
        const auto isIn = [&rank](const auto& pair) {
            return pair.first == rank || pair.second == rank;
        };
        if (std::none_of(message.pairs.begin(), message.pairs.end(), isIn))
        {
            return &rank;
        }
    }
    return nullptr;
}

} // namespace

RequestVotes::RequestVotes(std::shared_ptr<const Cabling> cabling,
                           RequestAdmission& admission,
                           OpenPhases& phases,
                           PhaseVoting& voting,
                           PhaseEndings& endings,
                           PhaseGrants& grants,
                           ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_admission(admission),
      m_phases(phases),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_record(record)
{
}

void
RequestVotes::TakeRequest(const OpusMessage& message)
{
    if (!m_admission.IsAdmitted(message))
    {
        return;
    }
    ControllerPhase* phase = FindOrOpen(message);
    if (!phase || !IsConsistent(*phase))
    {
        return;
    }
    if (!Vote(*phase, message))
    {
        ++m_record.counters.duplicates;
        return;
    }
    ++m_record.counters.requests;
    m_voting.Update(*phase);
}

ControllerPhase*
RequestVotes::FindOrOpen(const OpusMessage& message)
{
    const auto [phase, isNew] = m_phases.Open(message.phase, message.whole, message.digest);
    if (isNew)
    {
        phase.parallelism = m_admission.GetGroups().GetParallelism(message.phase);
    }
    if (!phase.named.IsFor(message))
    {
        return Disagree(phase, message) ? FindOrOpen(message) : nullptr;
    }
    const std::string whyNot = AddNamed(phase, message);
    if (!whyNot.empty())
    {
        m_admission.RefuseSender(message, whyNot, true);
        if (isNew)
        {
            m_endings.Forget(message.phase);
        }
        return nullptr;
    }
    return &phase;
}

std::string
RequestVotes::AddNamed(ControllerPhase& phase, const OpusMessage& message)
{
    if (const RankId* unnamed = FindUnnamed(message))
    {
        return "rank " + std::to_string(unnamed->Get()) + " takes no part in " +
               ToWords(message.phase);
    }
    if (phase.named.IsWhole() || phase.IsUnderWay())
    {
        return phase.named.Has(message.pairs)
                   ? ""
                   : ToWords(message.phase) + ": server " + std::to_string(message.server.Get()) +
                         " names pairs that are not in the list of " +
                         DigestToWords(phase.named.GetDigest());
    }
    AddRanks(phase, message);
    return "";
}

void
RequestVotes::AddRanks(ControllerPhase& phase, const OpusMessage& message)
{
    std::vector<RankId> joining;
    if (phase.votes.CountKnown() < message.whole)
    {
        joining = m_admission.GetGroups().FindAll(message.phase, message.whole);
    }
    for (const auto& [one, other] : message.pairs)
    {
        joining.insert(joining.end(), {one, other});
        phase.rails.insert(m_cabling->GetRail(one));
    }
    phase.named.Add(message);
    std::vector<RankId> added;
    for (const RankId rank : joining)
    {
        if (phase.votes.Add(rank))
        {
            added.push_back(rank);
        }
    }
    m_voting.CountFurther(phase, added);
}

bool
RequestVotes::IsConsistent(ControllerPhase& phase)
{
    std::ostringstream why;
    if (phase.votes.CountKnown() > phase.votes.CountWhole())
    {
        why << ToWords(phase.phase) << ": its pairs name " << phase.votes.CountKnown()
            << " ranks, and " << phase.votes.CountWhole() << " are to take part";
    }
    else if (phase.named.IsWrong())
    {
        why << ToWords(phase.phase) << ": all pairs that its ranks name have "
            << DigestToWords(phase.named.GetNamedDigest()) << ", and they say "
            << DigestToWords(phase.named.GetDigest());
    }
    if (!why.str().empty() && !phase.IsUnderWay())
    {
        m_endings.Refuse(phase, why.str(), true);
        return false;
    }
    return true;
}

bool
RequestVotes::Vote(ControllerPhase& phase, const OpusMessage& message)
{
    const Picoseconds now = m_record.GetTime();
    PhaseAsk ask;
    ask.vote = message.speculative ? PhaseVote::SPECULATIVE : PhaseVote::ASKED;
    ask.number = message.plan;
    ask.until = std::max(message.until, message.phase.operation);
    ask.links = message.links;
    ask.when = now;
    bool isNews = false;
    for (const RankId rank : message.ranks)
    {
        const uint32_t guesses = phase.votes.Count(PhaseVote::SPECULATIVE);
        const uint32_t asked = phase.votes.Count(PhaseVote::ASKED);
        if (phase.votes.Ask(rank, ask))
        {
            isNews = true;
            phase.firstVote = guesses + asked == 0 ? now : phase.firstVote;
            phase.firstAsked = asked == 0 ? now : phase.firstAsked;
        }
    }
    m_grants.Join(phase, message.ranks);
    return isNews;
}

std::string
RequestVotes::DescribeDisagreement(const ControllerPhase& phase, const OpusMessage& message) const
{
    const auto inWords = [](uint32_t ranks, uint64_t digest) {
        return "those of " + std::to_string(ranks) + " ranks with " + DigestToWords(digest);
    };
    std::ostringstream words;
    words << ToWords(message.phase) << ": server " << message.server << " ("
          << ToWords(message.ranks) << ") wants other pairs joined than those who asked before: "
          << inWords(message.whole, message.digest);
    for (const RankId rank : phase.votes.GetRanks())
    {
        if (phase.votes.Get(rank) != PhaseVote::NONE)
        {
            words << ", and server " << m_cabling->GetServer(rank) << " (rank " << rank << ") "
                  << inWords(phase.named.GetRanks(), phase.named.GetDigest());
            break; // all other ranks named the same
        }
    }
    return words.str();
}

bool
RequestVotes::Disagree(ControllerPhase& phase, const OpusMessage& message)
{
    const std::string words = DescribeDisagreement(phase, message);
    const bool isUnderWay = phase.IsUnderWay();
    const bool isGuess = phase.votes.Count(PhaseVote::ASKED) == 0;
    if (message.speculative)
    {
        m_admission.RefuseSender(message, words, false);
        return false;
    }
    if (isGuess && !isUnderWay)
    {
        m_endings.Refuse(phase, words, false); // the ranks that have not called it guessed wrong
        return true;
    }
    if (isGuess)
    {
        if (phase.state == ControllerPhase::State::GRANTED)
        {
            m_grants.CallBack(phase, words);
        }
        // it requests again until the guess is gone
        m_admission.RefuseSender(message, words, false);
        return false;
    }
    m_admission.RefuseSender(message, words, true);
    if (!isUnderWay)
    {
        m_endings.Refuse(phase, words, true);
    }
    return false;
}

} // namespace ns3
