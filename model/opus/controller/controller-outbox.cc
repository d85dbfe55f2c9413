/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-outbox.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/** @return the time from a rank's request to complete and firm votes */
Picoseconds
GetWaitForOthers(const ControllerPhase& phase, RankId rank)
{
    return phase.votes.HasJoined(rank)
               ? 0
               : std::max<Picoseconds>(0, phase.firm - phase.votes.GetAsk(rank).when);
}

} // namespace

ControllerOutbox::ControllerOutbox(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

void
ControllerOutbox::BeginTerm(uint32_t term)
{
    m_term = term;
}

uint32_t
ControllerOutbox::GetTerm() const
{
    return m_term;
}

OpusMessage&
ControllerOutbox::AddTo(ServerId server, OpusMessage::Type type, const OpusPhase& phase)
{
    OpusMessage& message = m_messages.emplace_back().message;
    message.type = type;
    message.term = m_term;
    message.server = server;
    message.phase = phase;
    return message;
}

void
ControllerOutbox::SendProgram(uint64_t number,
                              RailId rail,
                              const CircuitPlan& plan,
                              const OpusPhase& phase)
{
    OutgoingMessage& outgoing = m_messages.emplace_back();
    outgoing.toAgent = true;
    OpusMessage& message = outgoing.message;
    message.type = OpusMessage::Type::PROGRAM;
    message.term = m_term;
    message.rail = rail;
    message.phase = phase;
    message.plan = number;
    for (const Circuit& circuit : plan.GetConnects())
    {
        message.up.push_back({circuit.low, circuit.high});
    }
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        message.down.push_back({circuit.low, circuit.high});
    }
}

std::map<ServerId, std::vector<RankId>>
ControllerOutbox::ByServer(const std::vector<RankId>& ranks) const
{
    std::map<ServerId, std::vector<RankId>> servers;
    for (const RankId rank : ranks)
    {
        servers[m_cabling->GetServer(rank)].push_back(rank);
    }
    return servers;
}

std::map<ServerId, std::vector<RankCircuit>>
ControllerOutbox::CircuitsByServer(const ControllerPhase& phase) const
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

void
ControllerOutbox::SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins)
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
            OpusMessage& message = AddTo(server, OpusMessage::Type::GRANT, phase.phase);
            message.ranks = asking;
            std::tie(message.plan, message.speculative, message.others, message.reconfiguration) =
                said;
            message.until = phase.until;
            message.circuits = circuits[server];
        }
    }
}

void
ControllerOutbox::SendRecall(const ControllerPhase& phase, uint64_t until, bool all)
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
            OpusMessage& message = AddTo(server, OpusMessage::Type::RECALL, phase.phase);
            message.ranks = holding;
            message.plan = ask;
            message.until = until;
            message.speculative = all;
        }
    }
}

void
ControllerOutbox::SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    for (const auto& [server, ranks] : ByServer(phase.votes.GetRanks()))
    {
        OpusMessage& message = AddTo(server, OpusMessage::Type::REFUSE, phase.phase);
        message.ranks = ranks;
        message.reason = reason;
        message.speculative = !isFinal;
    }
}

void
ControllerOutbox::SendRefusal(const OpusMessage& request, const std::string& reason, bool isFinal)
{
    OpusMessage& message = AddTo(request.server, OpusMessage::Type::REFUSE, request.phase);
    message.ranks = request.ranks;
    message.reason = reason;
    message.speculative = !isFinal;
}

ControllerOutbox::Messages
ControllerOutbox::Take()
{
    Messages messages;
    messages.swap(m_messages);
    return messages;
}

} // namespace ns3
