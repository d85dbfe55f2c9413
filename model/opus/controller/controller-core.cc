/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/abort.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/** @return whether a phase may have to wait until its rails have no traffic of other parallelisms
 */
bool
HasWholeRails(const ControllerSettings& settings, const CircuitPolicy& policy)
{
    return settings.granularity == CircuitGranularity::RAIL && !policy.IsForGood() &&
           policy.GetSlot() == 0;
}

} // namespace

ControllerCore::ControllerCore(std::shared_ptr<const Cabling> cabling,
                               const ControllerSettings& settings)
    : m_cabling(cabling),
      m_policy(CircuitPolicy::Create(settings.policy, cabling)),
      m_outbox(cabling),
      m_ledger(cabling, settings.wholeSwitch),
      m_traffic(HasWholeRails(settings, *m_policy), settings.wholeSwitch),
      m_turns(m_phases,
              m_traffic,
              {m_traffic.HasWholeRails(), settings.wholeSwitch, m_policy->GetSlot() > 0}),
      m_endings(m_phases, m_turns, m_ledger, m_traffic, m_record, m_outbox),
      m_voting(settings, m_phases, m_turns, m_endings, m_ledger, m_record),
      m_grants(settings.limits.traffic,
               *m_policy,
               m_voting.GetProgress(),
               m_phases,
               m_turns,
               m_record,
               m_outbox),
      m_plans(m_ledger, m_record, m_outbox),
      m_setup(cabling,
              settings.limits.program,
              m_phases,
              m_voting,
              m_endings,
              m_grants,
              m_ledger,
              m_traffic,
              m_plans,
              m_record),
      m_rotation(*m_policy, m_phases, m_turns, m_endings, m_grants, m_ledger, m_setup, m_record),
      m_starts(settings.demands, *m_policy, m_phases, m_ledger, m_setup, m_record),
      m_attempts(cabling,
                 settings.limits.ports,
                 *m_policy,
                 m_phases,
                 m_turns,
                 m_voting,
                 m_endings,
                 m_grants,
                 m_ledger,
                 m_traffic,
                 m_setup,
                 m_rotation,
                 m_starts,
                 m_record),
      m_answers(cabling,
                m_phases,
                m_turns,
                m_endings,
                m_ledger,
                m_plans,
                m_setup,
                m_rotation,
                m_record),
      m_admission(cabling,
                  m_phases,
                  m_voting.GetProgress(),
                  m_endings,
                  m_starts,
                  m_record,
                  m_outbox),
      m_votes(cabling, m_admission, m_phases, m_voting, m_endings, m_grants, m_record),
      m_releases(m_admission, m_phases, m_voting, m_endings, m_grants, m_record),
      m_takeover(cabling,
                 m_admission,
                 m_phases,
                 m_turns,
                 m_voting,
                 m_endings,
                 m_grants,
                 m_ledger,
                 m_traffic,
                 m_starts,
                 m_record)
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
ControllerCore::Collect(const OpusMessage& message)
{
    ++m_inputs;
    m_inbox.Add(message);
}

void
ControllerCore::NotTold(const OpusMessage& grant)
{
    if (grant.term == GetTerm())
    {
        m_inbox.AddUntold(grant.phase);
    }
}

ControllerCore::Outbox
ControllerCore::Take(const OpusMessage& message, Picoseconds now)
{
    m_inbox.Add(message);
    return TimePassed(now);
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
        Hear(message);
    }
    m_grants.CallBackUntold(m_inbox.TakeUntold());
    // a vote that comes at the limit is in time
    while (ControllerPhase* due = m_phases.FindDue(m_record.GetTime()))
    {
        Expire(*due);
    }
    m_rotation.EndSlotIfOver();
    Settle();
}

void
ControllerCore::Hear(const OpusMessage& message)
{
    if (message.term != GetTerm())
    {
        ++m_record.counters.stale;
        return;
    }
    switch (message.type)
    {
    case OpusMessage::Type::REGISTER_GROUP:
        m_admission.TakeRegistration(message);
        break;
    case OpusMessage::Type::REQUEST:
        m_votes.TakeRequest(message);
        break;
    case OpusMessage::Type::RELEASE:
        m_releases.TakeRelease(message);
        break;
    case OpusMessage::Type::DONE:
        m_answers.TakeDone(message);
        break;
    case OpusMessage::Type::ALARM:
        m_answers.TakeAlarm(message);
        break;
    case OpusMessage::Type::ACCEPT:
        m_takeover.TakeAccept(message);
        break;
    case OpusMessage::Type::HOLD:
        m_takeover.TakeHold(message);
        break;
    case OpusMessage::Type::REFUSE:
        m_takeover.TakeRefusal(message);
        break;
    case OpusMessage::Type::TERM:
        m_takeover.TakeTerm(message);
        break;
    default:
        ++m_record.counters.unknown;
        break;
    }
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
    case ControllerPhase::State::PROGRAMMING: {
        const std::string reason = m_setup.GiveUp(phase);
        SlotRotation::IsChange(phase.phase) ? m_rotation.EndChange(phase)
                                            : m_endings.Refuse(phase, reason);
        break;
    }
    case ControllerPhase::State::GRANTED:
        m_grants.Expire(phase);
        break;
    }
}

void
ControllerCore::Settle()
{
    m_rotation.GoOn();
    m_turns.Assign();
    while (ControllerPhase* phase = m_turns.TakeCandidate())
    {
        m_attempts.Attempt(*phase);
        m_turns.Assign(); // a guess may have been granted, and its votes may have changed
    }
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
    return std::min(m_phases.GetNextDeadline(), m_rotation.GetSlotEnd());
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
          << m_rotation.Describe() << m_admission.GetGroups().Describe() << m_ledger.Describe()
          << m_endings.Describe() << m_voting.GetProgress().Describe();
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
