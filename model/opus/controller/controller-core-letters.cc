/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-core.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

// What goes out, and what a controller tells of itself.

namespace ns3
{

const char*
ToString(ControllerPhase::State state)
{
    switch (state)
    {
    case ControllerPhase::State::VOTING:
        return "voting";
    case ControllerPhase::State::WAITING:
        return "waiting";
    case ControllerPhase::State::PREPARED:
        return "prepared";
    case ControllerPhase::State::PROGRAMMING:
        return "programming";
    case ControllerPhase::State::GRANTED:
        return "granted";
    }
    return "unknown";
}

const char*
ToString(ControllerNote::Kind kind)
{
    static constexpr const char* NAMES[] = {"votes-complete",
                                            "conflict",
                                            "program",
                                            "programmed",
                                            "failed",
                                            "reconfigured",
                                            "prepared",
                                            "granted",
                                            "recalled",
                                            "refused",
                                            "foreign",
                                            "not-released",
                                            "over",
                                            "takeover"};
    return NAMES[static_cast<std::size_t>(kind)];
}

void
ControllerCore::SendProgram(uint64_t plan)
{
    OutgoingMessage outgoing;
    outgoing.toAgent = true;
    outgoing.message.type = OpusMessage::Type::PROGRAM;
    outgoing.message.term = m_term;
    outgoing.message.rail = m_ledger.GetRail(plan);
    outgoing.message.phase = m_plans.at(plan).front();
    outgoing.message.plan = plan;
    for (const Circuit& circuit : m_ledger.GetPlan(plan).GetConnects())
    {
        outgoing.message.up.push_back({circuit.low, circuit.high});
    }
    for (const Circuit& circuit : m_ledger.GetPlan(plan).GetDisconnects())
    {
        outgoing.message.down.push_back({circuit.low, circuit.high});
    }
    m_outbox.push_back(outgoing);
}

void
ControllerCore::SendPrograms()
{
    for (const uint64_t plan : m_unsent)
    {
        SendProgram(plan);
    }
    m_unsent.clear();
    m_shared.clear();
}

OutgoingMessage&
ControllerCore::OutgoingTo(ServerId server, OpusMessage::Type type, const OpusPhase& phase)
{
    OutgoingMessage& outgoing = m_outbox.emplace_back();
    outgoing.message.type = type;
    outgoing.message.term = m_term;
    outgoing.message.server = server;
    outgoing.message.phase = phase;
    return outgoing;
}

std::map<ServerId, std::vector<RankId>>
ControllerCore::ByServer(const std::vector<RankId>& ranks) const
{
    std::map<ServerId, std::vector<RankId>> servers;
    for (const RankId rank : ranks)
    {
        servers[m_cabling->GetServer(rank)].push_back(rank);
    }
    return servers;
}

std::map<ServerId, std::vector<RankCircuit>>
ControllerCore::CircuitsByServer(const ControllerPhase& phase) const
{
    std::map<ServerId, std::vector<RankCircuit>> circuits;
    for (const RankCircuit& circuit : phase.circuits)
    {
        const ServerId one = m_cabling->GetServer(circuit.one);
        const ServerId other = m_cabling->GetServer(circuit.other);
        circuits[one].push_back(circuit);
        if (one != other)
        {
            circuits[other].push_back(circuit);
        }
    }
    return circuits;
}

Picoseconds
ControllerCore::GetWaitForOthers(const ControllerPhase& phase, RankId rank) const
{
    return phase.votes.HasJoined(rank)
               ? 0
               : std::max<Picoseconds>(0, phase.firm - phase.votes.GetAsk(rank).when);
}

void
ControllerCore::SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins)
{
    std::vector<RankId> wanting;
    for (const RankId rank : ranks)
    {
        const PhaseVote vote = phase.votes.Get(rank);
        if (vote == PhaseVote::SPECULATIVE || vote == PhaseVote::ASKED)
        {
            wanting.push_back(rank);
            phase.votes.Hold(rank, joins);
        }
    }
    // each server is told of the circuits at its own ranks: what is sent grows with the ranks only
    std::map<ServerId, std::vector<RankCircuit>> circuits = CircuitsByServer(phase);
    for (const auto& [server, some] : ByServer(wanting))
    {
        std::map<std::tuple<uint64_t, bool, Picoseconds, Picoseconds>, std::vector<RankId>> alike;
        for (const RankId rank : some)
        {
            alike[{phase.votes.GetAsk(rank).number,
                   phase.votes.Get(rank) == PhaseVote::SPECULATIVE,
                   GetWaitForOthers(phase, rank),
                   phase.votes.HasJoined(rank) ? 0 : phase.reconfiguration}]
                .push_back(rank);
        }
        for (const auto& [said, asking] : alike)
        {
            OutgoingMessage& outgoing = OutgoingTo(server, OpusMessage::Type::GRANT, phase.phase);
            outgoing.message.ranks = asking;
            std::tie(outgoing.message.plan,
                     outgoing.message.speculative,
                     outgoing.message.others,
                     outgoing.message.reconfiguration) = said;
            outgoing.message.until = phase.until;
            outgoing.message.circuits = circuits[server];
        }
    }
}

void
ControllerCore::SendRecall(const ControllerPhase& phase, uint64_t until, bool all)
{
    for (const auto& [server, ranks] : ByServer(phase.votes.GetHolding()))
    {
        std::map<uint64_t, std::vector<RankId>> asks;
        for (const RankId rank : ranks)
        {
            asks[phase.votes.GetAsk(rank).number].push_back(rank);
        }
        for (const auto& [ask, holding] : asks)
        {
            OutgoingMessage& outgoing = OutgoingTo(server, OpusMessage::Type::RECALL, phase.phase);
            outgoing.message.ranks = holding;
            outgoing.message.plan = ask;
            outgoing.message.until = until;
            outgoing.message.speculative = all;
        }
    }
}

void
ControllerCore::SendAgain(ControllerPhase& phase)
{
    if (phase.recalled)
    {
        SendRecall(phase, 0, true);
        return;
    }
    SendGrant(phase, phase.votes.GetRanks(), true);
    if (phase.shortened)
    {
        SendRecall(phase, phase.until, false);
    }
    if (phase.calledIn)
    {
        SendRecall(phase, std::numeric_limits<uint64_t>::max(), false);
    }
}

void
ControllerCore::SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    for (const auto& [server, ranks] : ByServer(phase.votes.GetRanks()))
    {
        OutgoingMessage& outgoing = OutgoingTo(server, OpusMessage::Type::REFUSE, phase.phase);
        outgoing.message.ranks = ranks;
        outgoing.message.reason = reason;
        outgoing.message.speculative = !isFinal;
    }
}

void
ControllerCore::SendRefusalAgain(const OpusMessage& message, const std::string& reason)
{
    OutgoingMessage& outgoing =
        OutgoingTo(message.server, OpusMessage::Type::REFUSE, message.phase);
    outgoing.message.ranks = message.ranks;
    outgoing.message.reason = reason;
}

void
ControllerCore::RefuseSender(const OpusMessage& message, const std::string& reason, bool isFinal)
{
    ++m_counters.refusals;
    Note(ControllerNote::Kind::REFUSED, message.phase, reason);
    SendRefusalAgain(message, reason);
    m_outbox.back().message.speculative = !isFinal;
}

void
ControllerCore::Note(ControllerNote::Kind kind, const OpusPhase& phase, const std::string& words)
{
    ControllerNote note;
    note.kind = kind;
    note.when = m_now;
    note.phase = phase;
    note.words = words;
    m_notes.push_back(note);
}

ControllerCore::Outbox
ControllerCore::Finish()
{
    ++m_inputs;
    SendPrograms();
    Outbox outbox;
    outbox.swap(m_outbox);
    return outbox;
}

Picoseconds
ControllerCore::GetNextDeadline() const
{
    const Picoseconds limit = m_deadlines.empty() ? NEVER : m_deadlines.begin()->first;
    return std::min(limit, m_rotation.end);
}

uint32_t
ControllerCore::GetTerm() const
{
    return m_term;
}

uint64_t
ControllerCore::GetInputs() const
{
    return m_inputs;
}

ControllerCounters
ControllerCore::GetCounters() const
{
    ControllerCounters counters = m_counters;
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
    return m_phases;
}

std::vector<ControllerNote>
ControllerCore::TakeNotes()
{
    std::vector<ControllerNote> notes;
    notes.swap(m_notes);
    return notes;
}

std::string
ControllerCore::Describe(const ControllerPhase& phase)
{
    std::ostringstream words;
    words << ToString(phase.state) << ", turn " << phase.turn.guess << " " << phase.turn.number
          << (phase.queued ? ", queued" : "") << (phase.alone ? ", alone" : "")
          << (phase.delayed ? ", delayed" : "") << (phase.shortened ? ", shortened" : "")
          << (phase.recalled ? ", recalled" : "") << (phase.calledIn ? ", called in" : "")
          << (phase.isResumed ? ", resumed" : "") << ", until " << phase.until << ", votes from "
          << phase.firstVote << " " << phase.firstAsked << " firm " << phase.firm << ", programmed "
          << phase.programmed << " for " << phase.reconfiguration << ", deadline " << phase.deadline
          << ", votes";
    for (const RankId rank : phase.votes.GetRanks())
    {
        const PhaseAsk& ask = phase.votes.GetAsk(rank);
        words << " " << rank << ":" << static_cast<int>(phase.votes.Get(rank)) << ":" << ask.number
              << ":" << ask.until << ":" << ask.links << ":" << ask.when << ":"
              << (!phase.votes.IsHolding(rank)  ? "-"
                  : phase.votes.HasJoined(rank) ? "joined"
                                                : "holds");
    }
    words << ", circuits";
    for (const RankCircuit& circuit : phase.circuits)
    {
        words << " " << circuit.one << "." << circuit.onePort << "-" << circuit.other << "."
              << circuit.otherPort;
    }
    return words.str();
}

std::string
ControllerCore::Describe() const
{
    std::ostringstream words;
    words << "term " << m_term << ", " << m_inputs << " inputs, " << m_arrived.size()
          << " of an instant that is not over, " << m_turns << " turns, " << m_planNumbers
          << " plans\n"
          << "rotation " << static_cast<int>(m_rotation.state) << ", slot " << m_rotation.slot
          << " until " << m_rotation.end << "\n"
          << m_groups.Describe() << m_ledger.Describe() << m_history.Describe()
          << m_progress.Describe();
    for (const auto& [key, phase] : m_phases)
    {
        words << ToWords(key) << ": " << Describe(phase)
              << (phase.queued && m_waiting.IsReserving(phase.turn) ? ", reserves" : "") << "\n";
    }
    const ControllerCounters counters = GetCounters();
    for (const uint64_t counter : {counters.requests,
                                   counters.grants,
                                   counters.refusals,
                                   counters.expiredGuesses,
                                   counters.reconfigurations,
                                   counters.programs,
                                   counters.noOpGrants,
                                   counters.conflicts,
                                   counters.recalls,
                                   counters.notReleased,
                                   counters.alarms,
                                   counters.foreign,
                                   counters.duplicates,
                                   counters.stale,
                                   counters.unknown,
                                   counters.cacheHits})
    {
        words << counter << " ";
    }
    return words.str();
}

bool
ControllerCore::operator==(const ControllerCore& other) const
{
    return Describe() == other.Describe();
}

} // namespace ns3
