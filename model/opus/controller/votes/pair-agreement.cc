/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pair-agreement.h"

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
FindUnnamed(const OpusRequest& request)
{
    for (const RankId& rank : request.ranks)
    {
        const auto isIn = [&rank](const auto& pair) {
            return pair.first == rank || pair.second == rank;
        };
        if (std::none_of(request.pairs.begin(), request.pairs.end(), isIn))
        {
            return &rank;
        }
    }
    return nullptr;
}

} // namespace

PairAgreement::PairAgreement(std::shared_ptr<const Cabling> cabling,
                             PhaseRanks& ranks,
                             PhaseVoting& voting,
                             PhaseEndings& endings,
                             GrantRecalls& recalls,
                             PhaseOutcomes& outcomes)
    : m_cabling(std::move(cabling)),
      m_ranks(ranks),
      m_voting(voting),
      m_endings(endings),
      m_recalls(recalls),
      m_outcomes(outcomes)
{
}

ControllerPhase*
PairAgreement::Join(ServerId server, const OpusRequest& request)
{
    ControllerPhase* phase = FindOrOpen(server, request);
    return phase && IsConsistent(*phase) ? phase : nullptr;
}

ControllerPhase*
PairAgreement::FindOrOpen(ServerId server, const OpusRequest& request)
{
    const auto [phase, isNew] = m_ranks.Open(request.phase, request.whole, request.digest);
    if (!phase.named.IsFor(request.whole, request.digest))
    {
        return Disagree(phase, server, request) ? FindOrOpen(server, request) : nullptr;
    }
    const std::string whyNot = AddNamed(phase, server, request);
    if (!whyNot.empty())
    {
        RefuseSender(server, request, whyNot, true);
        if (isNew)
        {
            m_endings.Forget(request.phase);
        }
        return nullptr;
    }
    return &phase;
}

std::string
PairAgreement::AddNamed(ControllerPhase& phase, ServerId server, const OpusRequest& request)
{
    if (const RankId* unnamed = FindUnnamed(request))
    {
        return "rank " + std::to_string(unnamed->Get()) + " takes no part in " +
               ToWords(request.phase);
    }
    if (phase.named.IsWhole() || phase.IsUnderWay())
    {
        return phase.named.Has(request.pairs)
                   ? ""
                   : ToWords(request.phase) + ": server " + std::to_string(server.Get()) +
                         " names pairs that are not in the list of " +
                         DigestToWords(phase.named.GetDigest());
    }
    AddRanks(phase, request);
    return "";
}

void
PairAgreement::AddRanks(ControllerPhase& phase, const OpusRequest& request)
{
    std::vector<RankId> added = m_ranks.AddGroup(phase);
    const std::vector<RankId> named = m_ranks.Name(phase, request.ranks, request.pairs);
    added.insert(added.end(), named.begin(), named.end());
    m_voting.CountFurther(phase, added);
}

bool
PairAgreement::IsConsistent(ControllerPhase& phase)
{
    const bool areTooMany = phase.votes.CountKnown() > phase.votes.CountWhole();
    if ((!areTooMany && !phase.named.IsWrong()) || phase.IsUnderWay())
    {
        return true;
    }
    std::ostringstream why;
    why << ToWords(phase.phase);
    if (areTooMany)
    {
        why << ": its pairs name " << phase.votes.CountKnown() << " ranks, and "
            << phase.votes.CountWhole() << " are to take part";
    }
    else
    {
        why << ": all pairs that its ranks name have "
            << DigestToWords(phase.named.GetNamedDigest()) << ", and they say "
            << DigestToWords(phase.named.GetDigest());
    }
    m_endings.Refuse(phase, why.str(), true);
    return false;
}

std::string
PairAgreement::DescribeDisagreement(const ControllerPhase& phase,
                                    ServerId server,
                                    const OpusRequest& request) const
{
    const auto inWords = [](uint32_t ranks, uint64_t digest) {
        return "those of " + std::to_string(ranks) + " ranks with " + DigestToWords(digest);
    };
    std::ostringstream words;
    words << ToWords(request.phase) << ": server " << server << " (" << ToWords(request.ranks)
          << ") wants other pairs joined than those who asked before: "
          << inWords(request.whole, request.digest);
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
PairAgreement::Disagree(ControllerPhase& phase, ServerId server, const OpusRequest& request)
{
    const std::string words = DescribeDisagreement(phase, server, request);
    const bool isUnderWay = phase.IsUnderWay();
    const bool isGuess = phase.votes.Count(PhaseVote::REQUESTED) == 0;
    if (request.isAhead)
    {
        RefuseSender(server, request, words, false);
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
            m_recalls.CallBack(phase, words);
        }
        // it requests again until the guess is gone
        RefuseSender(server, request, words, false);
        return false;
    }
    RefuseSender(server, request, words, true);
    if (!isUnderWay)
    {
        m_endings.Refuse(phase, words, true);
    }
    return false;
}

void
PairAgreement::RefuseSender(ServerId server,
                            const OpusRequest& request,
                            const std::string& reason,
                            bool isFinal)
{
    m_outcomes.Refuse(server, request.phase, request.ranks, reason, isFinal);
}

} // namespace ns3
