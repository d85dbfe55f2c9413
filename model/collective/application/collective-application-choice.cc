/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-application.h"
#include "collective-operation.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>

// How a CollectiveApplication finds out which algorithm an operation takes, and says ahead of time
// which circuits that needs.

namespace ns3
{

CollectiveParameters
CollectiveApplication::MakeParameters(const RankOperation& call) const
{
    CollectiveParameters parameters;
    parameters.channels = m_channels;
    if (call.kind != RankOperation::Kind::COLLECTIVE)
    {
        parameters.kind = CollectiveKind::SEND_RECV;
        if (IsBesideMe(call)) // a GPU has one port there
        {
            parameters.perServer = parameters.ranks;
            parameters.channels = 1;
        }
        return parameters;
    }
    const CommunicationGroup& group = *m_groups[call.group];
    parameters.kind = call.collective;
    parameters.ranks = group.GetRanks().size();
    parameters.bidirectional = m_bidirectional && m_channels % 2 == 0;
    parameters.root = call.place;
    parameters.straggler = call.straggler;
    parameters.perServer = group.GetPerServer();
    parameters.demand = call.demand;
    if (IsIntraNode(group)) // a GPU has one port there
    {
        parameters.channels = 1;
        parameters.bidirectional = false;
    }
    return parameters;
}

bool
CollectiveApplication::IsIntraNode(const CommunicationGroup& group) const
{
    return m_scaleUp && group.GetPerServer() == group.GetRanks().size();
}

bool
CollectiveApplication::IsBesideMe(const RankOperation& call) const
{
    const CommunicationGroup& group = *m_groups[call.group];
    const uint32_t perServer = group.GetPerServer();
    return m_scaleUp && perServer > 1 &&
           call.place / perServer == group.GetPlace(m_rank) / perServer;
}

uint64_t
CollectiveApplication::GetMessageSize(const RankOperation& call) const
{
    if (IsIntraNode(*m_groups[call.group]))
    {
        return m_insideSize;
    }
    return call.kind == RankOperation::Kind::COLLECTIVE ? m_messageSize : m_pointToPointSize;
}

std::vector<RankId>
CollectiveApplication::RanksOf(uint32_t operation) const
{
    const std::vector<RankId>& all =
        m_groups[m_program->GetOperations()[operation].group]->GetRanks();
    const FlowKey& flowKey = m_flowKey[operation];
    return flowKey.pointToPoint ? std::vector<RankId>{all[flowKey.from], all[flowKey.to]} : all;
}

AlgorithmPreference
CollectiveApplication::MakePreference(uint32_t operation) const
{
    const RankOperation& call = m_program->GetOperations()[operation];
    AlgorithmPreference preference;
    preference.algorithm = call.algorithm;
    preference.fallback = m_fallback;
    preference.inside = m_scaleUp != nullptr;
    preference.bytesPerSecond = m_bytesPerSecond;
    preference.hopLatency = m_hopLatency.GetTimeStep();
    preference.messageSize = GetMessageSize(call);
    preference.hostNetwork = m_host != nullptr;
    preference.mayUseHost = m_mayUseHost;
    preference.about.rank = m_rank;
    preference.about.group = m_flowKey[operation].group;
    preference.about.operation = m_number[operation];
    preference.about.pointToPoint = m_flowKey[operation].pointToPoint;
    return preference;
}

std::shared_ptr<const AlgorithmChoice>
CollectiveApplication::GetChoice(uint32_t operation)
{
    const FlowKey& flowKey = m_flowKey[operation];
    std::shared_ptr<const AlgorithmChoice>& known =
        m_exchanges.at(flowKey).choices[m_number[operation]];
    const std::vector<RankId> ranks = RanksOf(operation);
    const bool isTold = m_broker->HasOwnCosts();
    if (known || (isTold && m_rank != ranks.front()))
    {
        return known;
    }
    const RankOperation& call = m_program->GetOperations()[operation];
    const CollectiveParameters parameters = MakeParameters(call);
    const AlgorithmPreference preference = MakePreference(operation);
    const auto choose = [&]() {
        return ChooseAlgorithm(parameters, call.bytes, ranks, *m_broker, preference);
    };
    if (!isTold)
    {
        const ChoiceInputs inputs{parameters.GetKey(),
                                  call.bytes,
                                  preference,
                                  m_broker->CanChange() ? NowPicoseconds() : 0};
        known = m_ledger->WorkOut(flowKey, m_number[operation], inputs, choose);
        return known;
    }
    known = std::make_shared<const AlgorithmChoice>(choose());
    for (const RankId rank : ranks)
    {
        if (rank != m_rank)
        {
            m_bootstrap->Tell(rank, m_bootstrapLatency, flowKey, m_number[operation], known);
        }
    }
    return known;
}

void
CollectiveApplication::HandleChoice(const FlowKey& flowKey,
                                    uint64_t number,
                                    std::shared_ptr<const AlgorithmChoice> choice)
{
    const auto found = m_exchanges.find(flowKey);
    if (m_stopped || found == m_exchanges.end())
    {
        return;
    }
    Exchange& exchange = found->second;
    exchange.choices[number] = choice;
    NoteProgress();
    if (exchange.now != nullptr && exchange.now->record.number == number && !exchange.now->choice)
    {
        Start(*exchange.now, choice);
    }
    std::vector<uint32_t> undecided;
    undecided.swap(m_undecided);
    for (const uint32_t hint : undecided)
    {
        Hint(hint);
    }
}

void
CollectiveApplication::Hint(uint32_t number)
{
    const RankOperation& call = m_program->GetOperations()[number];
    const auto& operations = m_program->GetOperations();
    NS_ABORT_MSG_UNLESS(
        call.first < operations.size() && call.last < operations.size() &&
            operations[call.first].IsExchange() &&
            m_flowKey[call.first].IsSame(m_flowKey[call.last]) &&
            m_number[call.first] <= m_number[call.last],
        "CollectiveApplication: operation "
            << number << " of rank " << m_rank << " is about circuits for operations " << call.first
            << " to " << call.last << "; name two of one group and direction, the earlier first");
    const RankOperation& target = operations[call.first];
    const FlowKey& flowKey = m_flowKey[call.first];
    const CommunicationGroup& group = *m_groups[target.group];
    uint32_t own = group.GetPlace(m_rank);
    if (flowKey.pointToPoint)
    {
        own = own == flowKey.from ? 0 : 1;
    }
    const std::shared_ptr<const AlgorithmChoice> choice = GetChoice(call.first);
    if (!choice)
    {
        m_undecided.push_back(number);
        return;
    }
    if (choice->algorithm.empty() || choice->host ||
        RankSchedule::Get(choice->schedule, own)->stages.empty())
    {
        EndAtOnce(number); // it needs none, or says itself why it can't be done
        return;
    }
    const uint32_t stage = RankSchedule::Get(choice->schedule, own)->stages.front();
    CircuitHint hint;
    hint.kind = call.hint;
    hint.first = MakeRequest(flowKey, m_number[call.first], RanksOf(call.first), *choice, stage);
    hint.first.place = number;
    hint.until = m_number[call.last];
    m_broker->Hint(hint, MakeCallback(&CollectiveApplication::Hinted, this).Bind(uint64_t{number}));
    if (call.hint != CircuitHint::Kind::ACQUIRE)
    {
        EndAtOnce(number);
    }
}

void
CollectiveApplication::Hinted(uint64_t operation, const CircuitAnswer& answer)
{
    // what is refused or withdrawn is told again to the operation itself
    if (!m_stopped && !m_done[operation] && answer.network != CircuitAnswer::Network::WITHDRAWN)
    {
        EndAtOnce(operation);
    }
}

} // namespace ns3
