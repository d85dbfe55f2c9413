/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/saturating-sum.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

// What comes in, message by message. When it is taken is in controller-core-instants.cc, what
// becomes of phases in controller-core-phases.cc, what agents answer in controller-core-answers.cc,
// what goes out in controller-core-outgoing messages.cc, and what begins a term in
// controller-core-terms.cc.

namespace ns3
{

namespace
{

/** The circuits that a job starts with are set up as a phase of this group, which nobody asks. */
constexpr uint32_t START_GROUP = UINT32_MAX;

} // namespace

ControllerCore::ControllerCore(std::shared_ptr<const Cabling> cabling, ControllerSettings settings)
    : m_cabling(cabling),
      m_settings(std::move(settings)),
      m_policy(CircuitPolicy::Create(m_settings.policy, cabling)),
      m_planner(cabling),
      m_groups(cabling),
      m_ledger(cabling, m_settings.wholeSwitch),
      m_waiting(HasWholeRails(), m_settings.wholeSwitch, m_policy->GetSlot() > 0)
{
}

ControllerCore::Outbox
ControllerCore::Start(Picoseconds now)
{
    m_now = now;
    StartJobs();
    return Finish();
}

void
ControllerCore::StartJobs()
{
    m_isLearning = false;
    for (const JobDemand& demand : m_settings.demands)
    {
        OpusPhase start;
        start.job = demand.job;
        start.group = GroupId(START_GROUP);
        const CircuitTarget target = m_policy->GetInitial(demand, m_ledger.GetCircuits());
        std::string whyNot = target.refusal;
        whyNot = whyNot.empty() ? FindForeignPort(start, target) : whyNot;
        whyNot = whyNot.empty() ? FindObstacle(target) : whyNot;
        if (!whyNot.empty())
        {
            m_refusedJobs[demand.job] = whyNot;
            Note(ControllerNote::Kind::REFUSED, start, whyNot);
        }
        else if (!target.changes.empty())
        {
            const auto opened = m_phases.emplace(start, ControllerPhase(start, 0, 0));
            m_byFlow[GetFlowKey(start)].insert(start);
            opened.first->second.alone = true; // nobody would ask for it again
            Program(opened.first->second, target);
        }
    }
}

bool
ControllerCore::HasWholeRails() const
{
    return m_settings.granularity == CircuitGranularity::RAIL && !m_policy->IsForGood() &&
           !Rotates();
}

bool
ControllerCore::IsFromServer(const OpusMessage& message) const
{
    return !message.ranks.empty() &&
           std::all_of(message.ranks.begin(), message.ranks.end(), [&](RankId rank) {
               return m_cabling->IsKnown(rank) && m_cabling->GetServer(rank) == message.server;
           });
}

void
ControllerCore::TakeRegistration(const OpusMessage& message)
{
    const GroupRegister::Check check = m_groups.Register(message);
    if (!check.refusal.empty())
    {
        RefuseSender(message, check.refusal, true);
    }
    else if (!check.isNew)
    {
        ++m_counters.duplicates;
    }
}

bool
ControllerCore::IsAdmitted(const OpusMessage& message)
{
    if (!IsFromServer(message) || message.pairs.empty())
    {
        ++m_counters.unknown;
        return false;
    }
    const bool isOpen = m_phases.count(message.phase) != 0;
    const auto isThrough = [this, &message](RankId rank) {
        return m_progress.IsThrough(message.phase, rank);
    };
    if (!isOpen && std::all_of(message.ranks.begin(), message.ranks.end(), isThrough))
    {
        ++m_counters.duplicates;
        return false;
    }
    const std::optional<std::string> over = m_history.Find(message.phase);
    if (over && !isOpen)
    {
        ++m_counters.duplicates;
        if (!over->empty())
        {
            SendRefusalAgain(message, *over);
        }
        return false;
    }
    const std::string foreign = FindForeignRank(message);
    if (!foreign.empty())
    {
        ++m_counters.foreign;
        Note(ControllerNote::Kind::FOREIGN, message.phase, foreign);
        RefuseAll(message, foreign);
        return false;
    }
    const auto refusedJob = m_refusedJobs.find(message.phase.job);
    std::string whyNot = refusedJob == m_refusedJobs.end() ? "" : refusedJob->second;
    whyNot =
        whyNot.empty() ? m_groups.GetWhyNot(message.server, message.phase, message.ranks) : whyNot;
    if (!whyNot.empty())
    {
        RefuseSender(message, whyNot, true);
        return false;
    }
    // the ranks' own pairs are all that could be wrong with them, and others see to theirs
    whyNot = m_groups.GetWhyNot(message.phase, message.pairs);
    whyNot = whyNot.empty() ? m_planner.GetWhyNot(message.phase.job, message.pairs) : whyNot;
    if (!whyNot.empty())
    {
        RefuseAll(message, whyNot);
    }
    return whyNot.empty();
}

std::string
ControllerCore::FindForeignRank(const OpusMessage& message) const
{
    for (const auto& [one, other] : message.pairs)
    {
        for (const RankId rank : {one, other})
        {
            if (m_cabling->IsKnown(rank) &&
                m_cabling->GetOwnedPorts(message.phase.job, rank).empty())
            {
                return "job " + std::to_string(message.phase.job.Get()) + " owns no port of rank " +
                       std::to_string(rank.Get());
            }
        }
    }
    return "";
}

void
ControllerCore::RefuseAll(const OpusMessage& message, const std::string& reason)
{
    const auto open = m_phases.find(message.phase);
    const bool isNew = open == m_phases.end();
    const bool isOwn = std::none_of(message.ranks.begin(), message.ranks.end(), [&](RankId rank) {
        return m_cabling->GetOwnedPorts(message.phase.job, rank).empty();
    });
    const bool isForAll =
        isOwn && !message.speculative &&
        (isNew || (open->second.named.IsFor(message) && !open->second.IsUnderWay()));
    if (isForAll && !isNew)
    {
        for (const RankId rank : message.ranks)
        {
            open->second.votes.Add(rank);
        }
        Refuse(open->second, reason, true);
        return;
    }
    RefuseSender(message, reason, true);
    if (isForAll)
    {
        m_history.Add(message.phase,
                      reason); // others ask for it too, and need not name what is wrong
    }
}

bool
ControllerCore::IsConsistent(ControllerPhase& phase)
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
        Refuse(phase, why.str(), true);
        return false;
    }
    return true;
}

ControllerPhase*
ControllerCore::FindOrOpen(const OpusMessage& message)
{
    const auto [found, isNew] =
        m_phases.try_emplace(message.phase, message.phase, message.whole, message.digest);
    ControllerPhase& phase = found->second;
    if (isNew)
    {
        m_byFlow[GetFlowKey(message.phase)].insert(message.phase);
        phase.parallelism = m_groups.GetParallelism(message.phase);
    }
    if (!phase.named.IsFor(message))
    {
        return Disagree(phase, message) ? FindOrOpen(message) : nullptr;
    }
    const std::string whyNot = AddNamed(phase, message);
    if (!whyNot.empty())
    {
        RefuseSender(message, whyNot, true);
        if (isNew)
        {
            Forget(message.phase);
        }
        return nullptr;
    }
    return &phase;
}

std::string
ControllerCore::AddNamed(ControllerPhase& phase, const OpusMessage& message)
{
    const auto isNamed = [&message](RankId rank) {
        return std::any_of(message.pairs.begin(), message.pairs.end(), [rank](const auto& pair) {
            return pair.first == rank || pair.second == rank;
        });
    };
    for (const RankId rank : message.ranks)
    {
        if (!isNamed(rank))
        {
            return "rank " + std::to_string(rank.Get()) + " takes no part in " +
                   ToWords(message.phase);
        }
    }
    if (phase.named.IsWhole() || phase.IsUnderWay())
    {
        return phase.named.Has(message.pairs)
                   ? ""
                   : ToWords(message.phase) + ": server " + std::to_string(message.server.Get()) +
                         " names pairs that are not in the list of " +
                         DigestToWords(phase.named.GetDigest());
    }
    std::vector<RankId> joining;
    if (phase.votes.CountKnown() < message.whole)
    {
        joining = m_groups.FindAll(message.phase, message.whole);
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
    CountFurther(phase, added);
    return "";
}

bool
ControllerCore::Vote(ControllerPhase& phase, const OpusMessage& message)
{
    PhaseAsk ask;
    ask.vote = message.speculative ? PhaseVote::SPECULATIVE : PhaseVote::ASKED;
    ask.number = message.plan;
    ask.until = std::max(message.until, message.phase.operation);
    ask.links = message.links;
    ask.when = m_now;
    bool isNews = false;
    for (const RankId rank : message.ranks)
    {
        const uint32_t guesses = phase.votes.Count(PhaseVote::SPECULATIVE);
        const uint32_t asked = phase.votes.Count(PhaseVote::ASKED);
        if (phase.votes.Ask(rank, ask))
        {
            isNews = true;
            phase.firstVote = guesses + asked == 0 ? m_now : phase.firstVote;
            phase.firstAsked = asked == 0 ? m_now : phase.firstAsked;
        }
    }
    if (phase.state == State::GRANTED && !phase.recalled && !phase.isResumed)
    {
        SendGrant(phase, message.ranks, true); // they come back to it, or have not heard
    }
    return isNews;
}

void
ControllerCore::TakeRequest(const OpusMessage& message)
{
    if (!IsAdmitted(message))
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
        ++m_counters.duplicates;
        return;
    }
    ++m_counters.requests;
    Update(*phase);
}

bool
ControllerCore::Release(ControllerPhase& phase, const OpusMessage& message)
{
    bool isNews = false;
    bool takesPart = false;
    for (const RankId rank : message.ranks)
    {
        isNews = phase.votes.Release(rank, message.speculative, message.plan) || isNews;
        takesPart = takesPart || phase.votes.Has(rank);
    }
    // also if the rank had a second grant to release, and that came first
    if (takesPart && !message.speculative && phase.state == State::GRANTED)
    {
        Shorten(phase, std::max(message.until, phase.phase.operation));
    }
    return isNews;
}

void
ControllerCore::TakeRelease(const OpusMessage& message)
{
    if (!IsFromServer(message))
    {
        ++m_counters.unknown;
        return;
    }
    if (!message.speculative)
    {
        for (const RankId rank : message.ranks)
        {
            const uint64_t until = std::max(message.until, message.phase.operation);
            m_progress.Raise(message.phase,
                             rank,
                             BeforeAsked(message.phase, rank, until),
                             message.phase.stage);
        }
    }
    const auto found = m_phases.find(message.phase);
    if (found == m_phases.end())
    {
        ++(m_history.Find(message.phase) ? m_counters.duplicates : m_counters.unknown);
    }
    else if (!Release(found->second, message))
    {
        ++m_counters.duplicates;
    }
    else
    {
        Update(found->second);
    }
    CountFurther(GetFlowKey(message.phase), message.ranks);
}

} // namespace ns3
