/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

// How a controller learns what agents and shims know, at the beginning of a term.

namespace ns3
{

ControllerCore::Outbox
ControllerCore::BeginTerm(uint32_t term, Picoseconds now)
{
    NS_ABORT_MSG_UNLESS(term > m_term && m_inputs == 0,
                        "ControllerCore: term " << term << " is to begin after term " << m_term
                                                << " and " << m_inputs
                                                << " inputs; make a new controller for a new term");
    m_now = now;
    m_term = term;
    m_isLearning = true;
    m_ledger.BeginTerm();
    Note(ControllerNote::Kind::TAKEOVER, {}, std::to_string(term));
    LookAtKnown();
    return Finish();
}

void
ControllerCore::LookAtKnown()
{
    for (auto& [key, phase] : m_phases)
    {
        if (phase.isResumed && IsKnown(phase))
        {
            Resume(phase);
        }
    }
    FindLateRanks();
    if (m_isLearning && m_ledger.IsAllKnown())
    {
        StartJobs();
    }
    m_waiting.LookAtAll();
}

void
ControllerCore::FindLateRanks()
{
    std::vector<OpusPhase> open; // some may be over by that
    for (const auto& [key, phase] : m_phases)
    {
        if (phase.votes.CountKnown() < phase.votes.CountWhole())
        {
            open.push_back(key);
        }
    }
    for (const OpusPhase& key : open)
    {
        const auto found = m_phases.find(key);
        if (found == m_phases.end())
        {
            continue;
        }
        ControllerPhase& phase = found->second;
        std::vector<RankId> added;
        for (const RankId rank : m_groups.FindAll(key, phase.votes.CountWhole()))
        {
            if (phase.votes.Add(rank))
            {
                added.push_back(rank);
            }
        }
        if (CountFurther(phase, added))
        {
            Update(phase);
        }
    }
}

void
ControllerCore::TakeAccept(const OpusMessage& message)
{
    if (message.rail.Get() >= m_ledger.GetCircuits().size() || m_ledger.IsKnown(message.rail))
    {
        ++m_counters.duplicates;
        return;
    }
    std::vector<Circuit> circuits;
    for (const SwitchCircuit& circuit : message.up)
    {
        circuits.emplace_back(circuit.one, circuit.other);
    }
    m_ledger.Learn(message.rail, circuits);
    LookAtKnown();
}

void
ControllerCore::TakeTerm(const OpusMessage& message)
{
    m_ledger.Learn(message.phase.job, message.server);
    LookAtKnown();
}

void
ControllerCore::TakeRefusal(const OpusMessage& message)
{
    if (!IsFromServer(message) || m_ledger.IsKnown(message.phase.job, message.server))
    {
        ++m_counters.unknown;
        return;
    }
    const auto open = m_phases.find(message.phase);
    if (open == m_phases.end())
    {
        m_history.Add(message.phase, message.reason);
    }
    else if (open->second.state != State::GRANTED)
    {
        Refuse(open->second, message.reason, true); // as it was to others
    }
}

ControllerPhase&
ControllerCore::FindOrResume(const OpusMessage& message)
{
    const auto known = m_phases.find(message.phase);
    if (known != m_phases.end() && !known->second.named.IsFor(message))
    {
        // who asks for something else under its name cannot have been granted it
        Refuse(known->second, ToWords(message.phase) + " has been granted for other pairs", false);
    }
    const auto [found, isNew] =
        m_phases.try_emplace(message.phase, message.phase, message.whole, message.digest);
    ControllerPhase& phase = found->second;
    if (isNew)
    {
        m_byFlow[GetFlowKey(message.phase)].insert(message.phase);
        phase.parallelism = m_groups.GetParallelism(message.phase);
    }
    if (phase.pairs.empty()) // unlike who asks, who holds it names all pairs
    {
        phase.named.Add(message);
        phase.pairs = NormalizePairs(message.pairs);
        for (const auto& [one, other] : phase.pairs)
        {
            phase.rails.insert(m_cabling->GetRail(one));
            phase.votes.Add(one);
            phase.votes.Add(other);
        }
    }
    if (phase.state != State::GRANTED)
    {
        LeaveQueues(phase);
        phase.state = State::GRANTED;
        phase.isResumed = true;
        phase.until = message.until;
        phase.firm = m_now;
        SetDeadline(phase, m_policy->IsForGood() ? NEVER : m_now + m_settings.limits.traffic);
        for (const RailId rail : phase.rails)
        {
            ++m_railFlights[rail][phase.parallelism];
        }
    }
    return phase;
}

void
ControllerCore::TakeHold(const OpusMessage& message)
{
    const bool isThrough = message.circuits.empty();
    const auto isCabled = [this](RankId rank, uint32_t port) {
        return m_cabling->IsKnown(rank) && port < m_cabling->GetPorts(rank).size();
    };
    const bool isKnown =
        std::all_of(message.circuits.begin(), message.circuits.end(), [&](const auto& circuit) {
            return isCabled(circuit.one, circuit.onePort) &&
                   isCabled(circuit.other, circuit.otherPort);
        });
    if (!IsFromServer(message) || !isKnown || (!isThrough && message.pairs.empty()) ||
        (!isThrough && m_ledger.IsKnown(message.phase.job, message.server)))
    {
        ++m_counters.unknown;
        return;
    }
    if (isThrough)
    {
        for (const RankId rank : message.ranks)
        {
            m_progress.Raise(message.phase, rank, message.phase.operation, message.phase.stage);
        }
        CountFurther(GetFlowKey(message.phase), message.ranks);
        return;
    }
    ControllerPhase& phase = FindOrResume(message);
    PhaseAsk ask;
    ask.vote = message.speculative ? PhaseVote::SPECULATIVE : PhaseVote::ASKED;
    ask.number = message.plan;
    ask.until = message.until;
    ask.when = m_now;
    for (const RankId rank : message.ranks)
    {
        if (phase.votes.Has(rank))
        {
            phase.votes.Ask(rank, ask);
            phase.votes.Hold(rank, true);
        }
    }
    phase.until = std::min(phase.until, message.until);
    for (const RankCircuit& circuit : message.circuits)
    {
        const auto isIt = [&circuit](const RankCircuit& one) {
            return one.one == circuit.one && one.onePort == circuit.onePort &&
                   one.other == circuit.other && one.otherPort == circuit.otherPort;
        };
        if (std::none_of(phase.circuits.begin(), phase.circuits.end(), isIt))
        {
            phase.circuits.push_back(circuit);
            m_ledger.Begin(phase.phase, {circuit});
        }
    }
    CountFurther(phase, phase.votes.GetRanks());
    Review(GetFlowKey(message.phase));
}

bool
ControllerCore::IsKnown(const ControllerPhase& phase) const
{
    const std::vector<RankId> ranks = phase.votes.GetRanks();
    return std::all_of(phase.rails.begin(),
                       phase.rails.end(),
                       [this](RailId rail) { return m_ledger.IsKnown(rail); }) &&
           std::all_of(ranks.begin(), ranks.end(), [this, &phase](RankId rank) {
               return m_ledger.IsKnown(phase.phase.job, m_cabling->GetServer(rank));
           });
}

bool
ControllerCore::FindCircuits(ControllerPhase& phase)
{
    bool hasAll = true;
    for (const auto& [one, other] : phase.pairs)
    {
        const auto joins = [one = one, other = other](const RankCircuit& circuit) {
            return (circuit.one == one && circuit.other == other) ||
                   (circuit.one == other && circuit.other == one);
        };
        if (std::any_of(phase.circuits.begin(), phase.circuits.end(), joins))
        {
            continue;
        }
        // its ends have not heard of the grant, and nobody has touched its circuits since
        const RailId rail = m_cabling->GetRail(one);
        std::vector<RankCircuit> standing;
        for (uint32_t port = 0; port < m_cabling->GetPorts(one).size(); ++port)
        {
            const std::optional<PortId> peer =
                m_ledger.GetCircuits()[rail.Get()].GetPeer(m_cabling->GetPorts(one)[port]);
            const std::optional<NicPort> there =
                peer ? m_cabling->FindNicPort({rail, *peer}) : std::nullopt;
            if (there && there->rank == other)
            {
                standing.push_back({one, port, other, there->port});
            }
        }
        m_ledger.Begin(phase.phase, standing);
        phase.circuits.insert(phase.circuits.end(), standing.begin(), standing.end());
        hasAll = hasAll && !standing.empty();
    }
    return hasAll;
}

void
ControllerCore::Resume(ControllerPhase& phase)
{
    phase.isResumed = false;
    for (const RankId rank : phase.votes.GetRanks(PhaseVote::FINISHED))
    {
        const uint64_t through = m_progress.GetOperation(phase.phase, rank);
        phase.until = m_policy->IsForGood() ? phase.until : std::min(phase.until, through);
    }
    for (const RankId rank : phase.votes.GetHolding())
    {
        phase.shortened = phase.shortened || phase.votes.GetAsk(rank).until > phase.until;
    }
    if (FindCircuits(phase))
    {
        SendAgain(phase);
    }
    else
    {
        CallBack(phase, "not all that was granted in an earlier term is there");
    }
}

} // namespace ns3
