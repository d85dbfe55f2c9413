/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-outbox.h"

#include "ns3/controller-phase.h"

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
               : std::max<Picoseconds>(0, phase.firm - phase.votes.GetRequest(rank).when);
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

void
ControllerOutbox::AddTo(ServerId server, OpusMessage::Content content)
{
    m_messages.push_back({false, {m_term, server, RailId(), std::move(content)}});
}

void
ControllerOutbox::SendProgram(uint64_t number,
                              RailId rail,
                              const CircuitPlan& plan,
                              const OpusPhase& phase)
{
    OpusProgram program;
    program.plan = number;
    program.phase = phase;
    for (const Circuit& circuit : plan.GetConnects())
    {
        program.up.push_back({circuit.low, circuit.high});
    }
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        program.down.push_back({circuit.low, circuit.high});
    }
    m_messages.push_back({true, {m_term, ServerId(), rail, std::move(program)}});
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
        if (vote == PhaseVote::SPECULATIVE || vote == PhaseVote::REQUESTED)
        {
            wanting.push_back(rank);
            phase.votes.Hold(rank, joins);
        }
    }
    if (wanting.empty())
    {
        return;
    }
    std::map<ServerId, std::vector<RankCircuit>> circuits = CircuitsByServer(phase);
    for (const auto& [server, some] : ByServer(wanting))
    {
        std::map<std::tuple<uint64_t, bool, Picoseconds, Picoseconds, Picoseconds>,
                 std::vector<RankId>>
            alike;
        for (const RankId rank : some)
        {
            alike[{phase.votes.GetRequest(rank).number,
                   phase.votes.Get(rank) == PhaseVote::SPECULATIVE,
                   GetWaitForOthers(phase, rank),
                   phase.votes.HasJoined(rank) ? 0 : phase.reconfiguration,
                   phase.votes.HasJoined(rank) ? 0 : phase.linkUp}]
                .push_back(rank);
        }
        for (const auto& [answer, receivers] : alike)
        {
            OpusGrant grant;
            grant.phase = phase.phase;
            grant.ranks = receivers;
            std::tie(grant.number,
                     grant.isAhead,
                     grant.others,
                     grant.reconfiguration,
                     grant.linkUp) = answer;
            grant.until = phase.until;
            grant.circuits = circuits[server];
            grant.isOverRings = phase.isOverRings;
            grant.gaps.assign(phase.gaps.begin(), phase.gaps.end());
            AddTo(server, std::move(grant));
        }
    }
}

void
ControllerOutbox::SendRecall(const ControllerPhase& phase, uint64_t until, bool all)
{
    for (const auto& [server, ranks] : ByServer(phase.votes.GetHolding()))
    {
        std::map<uint64_t, std::vector<RankId>> requests;
        for (const RankId rank : ranks)
        {
            requests[phase.votes.GetRequest(rank).number].push_back(rank);
        }
        for (const auto& [request, holding] : requests)
        {
            OpusRecall recall;
            recall.phase = phase.phase;
            recall.ranks = holding;
            recall.number = request;
            recall.isWhole = all;
            recall.until = until;
            AddTo(server, std::move(recall));
        }
    }
}

void
ControllerOutbox::SendRefusal(const ControllerPhase& phase, const std::string& reason, bool isFinal)
{
    for (const auto& [server, ranks] : ByServer(phase.votes.GetRanks()))
    {
        SendRefusal(server, phase.phase, ranks, reason, isFinal);
    }
}

void
ControllerOutbox::SendRefusal(ServerId server,
                              const OpusPhase& phase,
                              const std::vector<RankId>& ranks,
                              const std::string& reason,
                              bool isFinal)
{
    AddTo(server, OpusRefuse{phase, ranks, reason, isFinal});
}

void
ControllerOutbox::SendLateness(ServerId server, OpusLateness lateness)
{
    AddTo(server, std::move(lateness));
}

void
ControllerOutbox::SendWatch(ServerId server, RailId rail, OpusWatch watch)
{
    AddTo(server, std::move(watch));
    m_messages.back().message.rail = rail;
}

ControllerOutbox::Messages
ControllerOutbox::Take()
{
    Messages messages;
    messages.swap(m_messages);
    return messages;
}

} // namespace ns3
