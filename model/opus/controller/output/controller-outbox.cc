/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controller-outbox.h"

#include "ns3/controller-phase.h"
#include "ns3/identifier-table.h"

#include <algorithm>
#include <cstddef>

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

template <typename Content>
Content&
ControllerOutbox::AddTo(ServerId server)
{
    OpusMessage& message = m_messages.emplace_back().message;
    message.term = m_term;
    message.server = server;
    return message.content.emplace<Content>();
}

void
ControllerOutbox::SendProgram(uint64_t number,
                              RailId rail,
                              const CircuitPlan& plan,
                              const OpusPhase& phase)
{
    OpusProgram& program = AddTo<OpusProgram>(ServerId());
    m_messages.back().toAgent = true;
    m_messages.back().message.rail = rail;
    program.plan = number;
    program.phase = phase;
    program.up.reserve(plan.GetConnects().size());
    program.down.reserve(plan.GetDisconnects().size());
    for (const Circuit& circuit : plan.GetConnects())
    {
        program.up.push_back({circuit.low, circuit.high});
    }
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        program.down.push_back({circuit.low, circuit.high});
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

std::vector<ControllerOutbox::Answer>
ControllerOutbox::Hold(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins) const
{
    std::vector<Answer> answers;
    answers.reserve(ranks.size());
    for (const RankId rank : ranks)
    {
        const PhaseVote vote = phase.votes.Get(rank);
        if (vote != PhaseVote::SPECULATIVE && vote != PhaseVote::REQUESTED)
        {
            continue;
        }
        phase.votes.Hold(rank, joins);
        const bool hasJoined = phase.votes.HasJoined(rank);
        answers.push_back({m_cabling->GetServer(rank),
                           {phase.votes.GetRequest(rank).number,
                            vote == PhaseVote::SPECULATIVE,
                            GetWaitForOthers(phase, rank),
                            hasJoined ? 0 : phase.reconfiguration,
                            hasJoined ? 0 : phase.linkUp},
                           rank});
    }
    const auto isBefore = [](const Answer& one, const Answer& other) {
        return std::tie(one.server, one.fields) < std::tie(other.server, other.fields);
    };
    if (!std::is_sorted(answers.begin(), answers.end(), isBefore))
    {
        std::stable_sort(answers.begin(), answers.end(), isBefore); // which allocates memory
    }
    return answers;
}

std::vector<std::pair<ServerId, RankCircuit>>
ControllerOutbox::ListCircuits(const ControllerPhase& phase,
                               const std::vector<Answer>& answers) const
{
    IdentifierSet<ServerId> servers;
    servers.Reserve(answers.size());
    for (const Answer& answer : answers)
    {
        servers.Add(answer.server);
    }
    std::vector<std::pair<ServerId, RankCircuit>> circuits;
    circuits.reserve(2 * phase.circuits.size());
    for (const RankCircuit& circuit : phase.circuits)
    {
        const ServerId one = m_cabling->GetServer(circuit.one);
        const ServerId other = m_cabling->GetServer(circuit.other);
        if (servers.Has(one))
        {
            circuits.emplace_back(one, circuit);
        }
        if (one != other && servers.Has(other))
        {
            circuits.emplace_back(other, circuit);
        }
    }
    std::stable_sort(circuits.begin(), circuits.end(), [](const auto& one, const auto& other) {
        return one.first < other.first;
    });
    return circuits;
}

void
ControllerOutbox::SendGrant(ControllerPhase& phase, const std::vector<RankId>& ranks, bool joins)
{
    const std::vector<Answer> answers = Hold(phase, ranks, joins);
    if (answers.empty())
    {
        return;
    }
    const auto circuits = ListCircuits(phase, answers);
    auto circuit = circuits.begin(); // the first one of the server, which come in order
    m_messages.reserve(m_messages.size() + answers.size());
    for (std::size_t i = 0; i < answers.size();)
    {
        const Answer& first = answers[i];
        OpusGrant& grant = AddTo<OpusGrant>(first.server);
        grant.phase = phase.phase;
        std::tie(grant.number, grant.isAhead, grant.others, grant.reconfiguration, grant.linkUp) =
            first.fields;
        grant.until = phase.until;
        grant.isOverRings = phase.isOverRings;
        grant.gaps.assign(phase.gaps.begin(), phase.gaps.end());
        for (; i < answers.size() && answers[i].server == first.server &&
               answers[i].fields == first.fields;
             ++i)
        {
            grant.ranks.push_back(answers[i].rank);
        }
        while (circuit != circuits.end() && circuit->first < first.server)
        {
            ++circuit;
        }
        auto end = circuit;
        while (end != circuits.end() && end->first == first.server)
        {
            ++end;
        }
        grant.circuits.reserve(end - circuit);
        for (auto its = circuit; its != end; ++its)
        {
            grant.circuits.push_back(its->second);
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
            OpusRecall& recall = AddTo<OpusRecall>(server);
            recall.phase = phase.phase;
            recall.ranks = holding;
            recall.number = request;
            recall.isWhole = all;
            recall.until = until;
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
    AddTo<OpusRefuse>(server) = {phase, ranks, reason, isFinal};
}

void
ControllerOutbox::SendLateness(ServerId server, OpusLateness lateness)
{
    AddTo<OpusLateness>(server) = std::move(lateness);
}

void
ControllerOutbox::SendWatch(ServerId server, RailId rail, OpusWatch watch)
{
    AddTo<OpusWatch>(server) = std::move(watch);
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
