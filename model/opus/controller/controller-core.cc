/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"
#include "ns3/overloaded.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <variant>

namespace ns3
{

namespace
{

/** @return whether circuits change for phases, by a granularity */
bool
IsBy(CircuitGranularity granularity,
     const ControllerSettings& settings,
     const CircuitPolicy& policy)
{
    return settings.granularity == granularity && !policy.IsForGood() && policy.GetSlot().IsZero();
}

} // namespace

ControllerCore::ControllerCore(std::shared_ptr<const Cabling> cabling,
                               const ControllerSettings& settings)
    : m_cabling(cabling),
      m_policy(CircuitPolicy::Create(settings.policy, cabling)),
      m_outbox(cabling),
      m_ledger(cabling, settings.wholeSwitch),
      m_traffic(IsBy(CircuitGranularity::RAIL, settings, *m_policy),
                settings.wholeSwitch,
                IsBy(CircuitGranularity::NETWORK, settings, *m_policy)),
      m_turns(m_phases,
              m_traffic,
              {m_traffic.HasWholeRails(),
               settings.wholeSwitch,
               m_policy->GetSlot().IsStrictlyPositive()}),
      m_outcomes(m_record, m_outbox),
      m_endings(m_phases, m_turns, m_ledger, m_traffic, m_outcomes),
      m_voting(settings, m_phases, m_turns, m_endings, m_ledger, m_record),
      m_extent(settings.limits.traffic,
               m_policy->IsForGood(),
               m_voting.GetProgress(),
               m_phases,
               m_record),
      m_recalls(m_phases, m_record, m_outbox),
      m_grants(m_extent, m_recalls, m_turns, m_record, m_outbox),
      m_plans(m_phases, m_ledger, m_record, m_outbox),
      m_setup(settings.limits.program, m_phases, m_ledger, m_traffic, m_plans, m_record),
      m_starts(settings.demands, *m_policy, m_phases, m_ledger, m_setup, m_record),
      m_ends(*m_policy, m_phases, m_endings, m_ledger, m_setup, m_record),
      m_fallback(settings.ringFallback && !m_policy->IsForGood() && m_policy->GetSlot().IsZero(),
                 cabling,
                 m_phases,
                 m_turns),
      m_otherRails(settings,
                   *m_policy,
                   cabling,
                   m_phases,
                   m_turns,
                   m_recalls,
                   m_ledger,
                   m_outbox,
                   m_record),
      m_phaseSetup(m_voting,
                   m_endings,
                   m_grants,
                   m_ledger,
                   m_setup,
                   m_fallback,
                   m_otherRails,
                   m_record),
      m_slotChange(*m_policy, m_phases, m_endings, m_ledger, m_setup),
      m_rotation(*m_policy, m_phases, m_turns, m_recalls, m_slotChange, m_record),
      m_network(IsBy(CircuitGranularity::NETWORK, settings, *m_policy),
                settings.gather,
                m_phases,
                m_turns,
                m_ledger,
                m_record),
      m_decisions(*m_policy,
                  m_turns,
                  m_starts,
                  m_rotation,
                  m_ledger,
                  m_traffic,
                  m_fallback,
                  m_otherRails,
                  m_network),
      m_inTheWay(cabling, m_phases, m_voting, m_ledger, m_traffic, m_recalls),
      m_attempts(settings.limits.ports,
                 m_decisions,
                 m_inTheWay,
                 m_turns,
                 m_endings,
                 m_phaseSetup,
                 m_network,
                 m_record),
      m_answers(cabling, m_turns, m_plans, m_phaseSetup, m_rotation, m_ends, m_record),
      m_groups(cabling),
      m_registrations(m_groups, m_outcomes, m_record),
      m_checks(cabling, m_groups, m_starts),
      m_admission(m_checks, m_phases, m_voting.GetProgress(), m_endings, m_outcomes, m_record),
      m_ranks(cabling, m_groups, m_phases, &m_fallback, &m_otherRails),
      m_agreement(cabling, m_ranks, m_voting, m_endings, m_recalls, m_outcomes),
      m_votes(m_admission, m_agreement, m_voting, m_grants, m_record),
      m_releases(cabling, m_phases, m_voting, m_outcomes, m_recalls, m_record),
      m_comparisons(cabling, m_outbox, m_record),
      m_reports(cabling, m_ledger, m_record),
      m_held(m_reports, m_ranks, m_voting, m_endings, m_grants, m_setup),
      m_refusals(m_reports, m_phases, m_endings, m_outcomes),
      m_resumed(cabling, m_phases, m_ledger, m_setup, m_extent, m_recalls, m_grants),
      m_unnamed(m_phases, m_ranks, m_voting),
      m_takeover(m_ledger, m_resumed, m_unnamed, m_starts, m_turns, m_record)
{
}

ControllerCore::Outbox
ControllerCore::Start(Picoseconds now)
{
    m_record.SetTime(now);
    m_starts.Start();
    return Finish();
}

ControllerCore::Outbox
ControllerCore::BeginTerm(uint32_t term, Picoseconds now)
{
    NS_ABORT_MSG_UNLESS(term > GetTerm() && m_inputs == 0,
                        "ControllerCore: term " << term << " is to begin after term " << GetTerm()
                                                << " and " << m_inputs
                                                << " inputs; make a new controller for a new term");
    m_record.SetTime(now);
    m_outbox.BeginTerm(term);
    m_record.Note(ControllerNote::Kind::TAKEOVER, {}, std::to_string(term));
    m_takeover.Begin();
    return Finish();
}

void
ControllerCore::AllLeft()
{
    ++m_inputs;
    m_ends.AllLeft();
}

void
ControllerCore::Abandon(const std::string& reason)
{
    ++m_inputs;
    m_ends.Abandon(reason);
}

void
ControllerCore::Collect(OpusMessage message)
{
    ++m_inputs;
    m_inbox.Add(std::move(message));
}

void
ControllerCore::NotDelivered(const OpusMessage& grant)
{
    if (grant.term == GetTerm())
    {
        m_inbox.AddUndelivered(grant.Get<OpusGrant>().phase);
    }
}

ControllerCore::Outbox
ControllerCore::Take(const OpusMessage& message, Picoseconds now)
{
    if (m_inbox.CountMessages() > 0)
    {
        m_inbox.Add(message);
        return TimePassed(now);
    }
    m_record.SetTime(now);
    Process(message); // as most are, the only one of its instant
    EndInstant();
    return Finish();
}

ControllerCore::Outbox
ControllerCore::TimePassed(Picoseconds now)
{
    m_record.SetTime(now);
    Decide();
    return Finish();
}

void
ControllerCore::Decide()
{
    for (const OpusMessage& message : m_inbox.TakeMessages())
    {
        Process(message);
    }
    EndInstant();
}

void
ControllerCore::EndInstant()
{
    m_recalls.CallBackUndelivered(m_inbox.TakeUndelivered());
    // a vote that comes at the limit is in time
    while (ControllerPhase* due = m_phases.FindDue(m_record.GetTime()))
    {
        Expire(*due);
    }
    m_rotation.EndSlotIfOver();
    Settle();
}

void
ControllerCore::Process(const OpusMessage& message)
{
    if (message.term != GetTerm())
    {
        ++m_record.counters.stale;
        return;
    }
    std::visit(
        Overloaded{
            [&](const OpusRegisterGroup& registration) {
                m_registrations.TakeRegistration(message.server, registration);
            },
            [&](const OpusRequest& request) { m_votes.TakeRequest(message.server, request); },
            [&](const OpusRelease& release) { m_releases.TakeRelease(message.server, release); },
            [&](const OpusCalled& called) { m_comparisons.TakeCalled(message.server, called); },
            [&](const OpusDone& done) { m_answers.TakeDone(message.rail, done); },
            [&](const OpusAlarm& alarm) { m_answers.TakeAlarm(message.rail, alarm); },
            [&](const OpusAccept& accept) { m_takeover.TakeAccept(message.rail, accept); },
            [&](const OpusOutage& outage) { m_otherRails.TakeOutage(outage); },
            [&](const OpusCarrier& carrier) { m_otherRails.TakeCarrier(message.rail, carrier); },
            [&](const OpusHold& hold) { m_held.TakeHold(message.server, hold); },
            [&](const OpusRefuse& refusal) { m_refusals.TakeRefusal(message.server, refusal); },
            [&](const OpusTerm& end) { m_takeover.TakeTerm(message.server, end); },
            [&](const auto&) { ++m_record.counters.unknown; }},
        message.content);
}

void
ControllerCore::Expire(ControllerPhase& phase)
{
    switch (phase.state)
    {
    case ControllerPhase::State::VOTING:
    case ControllerPhase::State::PREPARED:
        m_voting.Expire(phase);
        break;
    case ControllerPhase::State::WAITING:
        m_attempts.Expire(phase);
        break;
    case ControllerPhase::State::PROGRAMMING:
        if (SlotChange::IsFor(phase.phase))
        {
            m_setup.GiveUp(phase);
            m_rotation.EndChange(phase);
        }
        else if (JobEnds::IsFor(phase.phase))
        {
            m_ends.Fail(phase, m_setup.GiveUp(phase));
        }
        else
        {
            m_phaseSetup.Expire(phase);
        }
        break;
    case ControllerPhase::State::GRANTED:
        m_extent.Expire(phase);
        break;
    }
}

void
ControllerCore::Settle()
{
    m_rotation.GoOn();
    m_turns.Assign();
    m_network.BeginInstant();
    while (ControllerPhase* phase = m_turns.TakeCandidate())
    {
        m_attempts.Attempt(*phase);
        m_turns.Assign(); // a guess may have been granted, and its votes may have changed
    }
    m_ends.GoOn();
}

ControllerCore::Outbox
ControllerCore::Finish()
{
    ++m_inputs;
    m_plans.Send();
    return m_outbox.Take();
}

Picoseconds
ControllerCore::GetNextDeadline() const
{
    return std::min({m_phases.GetNextDeadline(), m_rotation.GetSlotEnd(), m_network.GetDeadline()});
}

uint32_t
ControllerCore::GetTerm() const
{
    return m_outbox.GetTerm();
}

uint64_t
ControllerCore::GetInputs() const
{
    return m_inputs;
}

ControllerCounters
ControllerCore::GetCounters() const
{
    ControllerCounters counters = m_record.counters;
    counters.cacheHits = m_policy->GetCacheHits();
    return counters;
}

const PortLedger&
ControllerCore::GetLedger() const
{
    return m_ledger;
}

const std::map<OpusPhase, ControllerPhase>&
ControllerCore::GetPhases() const
{
    return m_phases.Get();
}

std::vector<ControllerNote>
ControllerCore::TakeNotes()
{
    return m_record.TakeNotes();
}

std::string
ControllerCore::Describe() const
{
    std::ostringstream words;
    words << "term " << GetTerm() << ", " << m_inputs << " inputs, " << m_inbox.CountMessages()
          << " of an instant that is not over, " << m_turns.GetCount() << " turns, "
          << m_plans.GetCount() << " plans\n"
          << m_rotation.Describe() << m_network.Describe() << m_groups.Describe()
          << m_ledger.Describe() << m_otherRails.Describe() << m_outcomes.Describe()
          << m_voting.GetProgress().Describe() << m_comparisons.Describe();
    for (const auto& [key, phase] : m_phases.Get())
    {
        words << ToWords(key) << ": " << phase.Describe()
              << (m_turns.IsReserving(phase) ? ", reserves" : "") << "\n";
    }
    words << ToWords(GetCounters());
    return words.str();
}

bool
ControllerCore::operator==(const ControllerCore& other) const
{
    return Describe() == other.Describe();
}

} // namespace ns3
