/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "term-takeover.h"

#include "ns3/circuit-planner.h"
#include "ns3/opus-words.h"
#include "ns3/phase-history.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

TermTakeover::TermTakeover(std::shared_ptr<const Cabling> cabling,
                           RequestAdmission& admission,
                           OpenPhases& phases,
                           PhaseTurns& turns,
                           PhaseVoting& voting,
                           PhaseEndings& endings,
                           PhaseGrants& grants,
                           PortLedger& ledger,
                           RailTraffic& traffic,
                           JobStarts& starts,
                           ControllerRecord& record)
    : m_cabling(std::move(cabling)),
      m_admission(admission),
      m_phases(phases),
      m_turns(turns),
      m_voting(voting),
      m_endings(endings),
      m_grants(grants),
      m_ledger(ledger),
      m_traffic(traffic),
      m_starts(starts),
      m_record(record)
{
}

void
TermTakeover::Begin()
{
    m_starts.Postpone();
    m_ledger.BeginTerm();
    LookAtKnown();
}

void
TermTakeover::LookAtKnown()
{
    for (auto& [key, phase] : m_phases)
    {
        if (phase.isResumed && IsKnown(phase))
        {
            Resume(phase);
        }
    }
    FindLateRanks();
    if (m_starts.IsPostponed() && m_ledger.IsAllKnown())
    {
        m_starts.Start();
    }
    m_turns.LookAtAll();
}

void
TermTakeover::FindLateRanks()
{
    std::vector<OpusPhase> open; // this may end some of them
    for (const auto& [key, phase] : m_phases.Get())
    {
        if (phase.votes.CountKnown() < phase.votes.CountWhole())
        {
            open.push_back(key);
        }
    }
    for (const OpusPhase& key : open)
    {
        ControllerPhase* phase = m_phases.Find(key);
        if (!phase)
        {
            continue;
        }
        std::vector<RankId> added;
        for (const RankId rank : m_admission.GetGroups().FindAll(key, phase->votes.CountWhole()))
        {
            if (phase->votes.Add(rank))
            {
                added.push_back(rank);
            }
        }
        if (m_voting.CountFurther(*phase, added))
        {
            m_voting.Update(*phase);
        }
    }
}

void
TermTakeover::TakeAccept(const OpusMessage& message)
{
    if (message.rail.Get() >= m_ledger.GetCircuits().size() || m_ledger.IsKnown(message.rail))
    {
        ++m_record.counters.duplicates;
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
TermTakeover::TakeTerm(const OpusMessage& message)
{
    m_ledger.Learn(message.phase.job, message.server);
    LookAtKnown();
}

void
TermTakeover::TakeRefusal(const OpusMessage& message)
{
    if (!m_admission.IsFromServer(message) || m_ledger.IsKnown(message.phase.job, message.server))
    {
        ++m_record.counters.unknown;
        return;
    }
    ControllerPhase* open = m_phases.Find(message.phase);
    if (!open)
    {
        m_endings.RefuseUnopened(message.phase, message.reason);
    }
    else if (open->state != ControllerPhase::State::GRANTED)
    {
        m_endings.Refuse(*open, message.reason, true); // with the outcome that other ranks got
    }
}

ControllerPhase&
TermTakeover::FindOrResume(const OpusMessage& message)
{
    ControllerPhase* known = m_phases.Find(message.phase);
    if (known && !known->named.IsFor(message))
    {
        // a request for other pairs under its name cannot have been granted
        m_endings.Refuse(*known,
                         ToWords(message.phase) + " has been granted for other pairs",
                         false);
    }
    const auto [phase, isNew] = m_phases.Open(message.phase, message.whole, message.digest);
    if (isNew)
    {
        phase.parallelism = m_admission.GetGroups().GetParallelism(message.phase);
    }
    if (phase.pairs.empty()) // unlike a REQUEST, a HOLD names all pairs
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
    if (phase.state != ControllerPhase::State::GRANTED)
    {
        m_turns.Leave(phase);
        m_grants.TakeOver(phase, message.until);
        m_traffic.Begin(phase);
    }
    return phase;
}

bool
TermTakeover::IsPossible(const OpusMessage& hold) const
{
    const auto isCabled = [this](RankId rank, uint32_t port) {
        return m_cabling->IsKnown(rank) && port < m_cabling->GetPorts(rank).size();
    };
    const bool isKnown =
        std::all_of(hold.circuits.begin(), hold.circuits.end(), [&](const auto& circuit) {
            return isCabled(circuit.one, circuit.onePort) &&
                   isCabled(circuit.other, circuit.otherPort);
        });
    const bool isNew = hold.circuits.empty() ||
                       (!hold.pairs.empty() && !m_ledger.IsKnown(hold.phase.job, hold.server));
    return m_admission.IsFromServer(hold) && isKnown && isNew;
}

void
TermTakeover::TakeHold(const OpusMessage& message)
{
    if (!IsPossible(message))
    {
        ++m_record.counters.unknown;
        return;
    }
    const bool isThrough = message.circuits.empty();
    if (isThrough)
    {
        for (const RankId rank : message.ranks)
        {
            m_voting.Raise(message.phase, rank, message.phase.operation);
        }
        m_voting.CountFurther(GetFlowKey(message.phase), message.ranks);
        return;
    }
    ControllerPhase& phase = FindOrResume(message);
    TakeVotes(phase, message);
    TakeCircuits(phase, message);
    m_voting.CountFurther(phase, phase.votes.GetRanks());
    m_turns.Review(GetFlowKey(message.phase));
}

void
TermTakeover::TakeVotes(ControllerPhase& phase, const OpusMessage& message)
{
    PhaseAsk ask;
    ask.vote = message.speculative ? PhaseVote::SPECULATIVE : PhaseVote::ASKED;
    ask.number = message.plan;
    ask.until = message.until;
    ask.when = m_record.GetTime();
    for (const RankId rank : message.ranks)
    {
        if (phase.votes.Has(rank))
        {
            phase.votes.Ask(rank, ask);
            phase.votes.Hold(rank, true);
        }
    }
    phase.until = std::min(phase.until, message.until);
}

void
TermTakeover::TakeCircuits(ControllerPhase& phase, const OpusMessage& message)
{
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
}

bool
TermTakeover::IsKnown(const ControllerPhase& phase) const
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
TermTakeover::FindCircuits(ControllerPhase& phase)
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
        // its ends have not received the grant, and no plan has changed its circuits since
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
TermTakeover::Resume(ControllerPhase& phase)
{
    phase.isResumed = false;
    m_grants.AgreeAgain(phase);
    if (FindCircuits(phase))
    {
        m_grants.Resume(phase);
    }
    else
    {
        m_grants.CallBack(phase, "not all that was granted in an earlier term is there");
    }
}

} // namespace ns3
