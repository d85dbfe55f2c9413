/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-recall.h"

#include <algorithm>

namespace ns3
{

OperationRecall::OperationRecall(const Ptr<RankDirectory>& directory)
    : m_directory(directory),
      m_memory(Create<RecallMemory>())
{
}

std::unique_ptr<RecalledCall>
OperationRecall::Call(const FlowKey& flow,
                      uint64_t number,
                      const RecallMemory::Kind& kind,
                      const CommunicationGroup& group,
                      uint32_t place,
                      RecalledCall::Owner& owner)
{
    const Key key{flow, number};
    Ptr<RecalledOperation>& operation = m_operations[key];
    if (!operation)
    {
        RecalledOperation::Ranks& self = *this; // conversion that is private to Create()
        operation = Create<RecalledOperation>(kind, group.GetRanks(), m_memory, self);
        m_keys[PeekPointer(operation)] = {key, group.GetRanks()};
    }
    return std::make_unique<RecalledCall>(operation, place, group.GetRanks()[place], owner);
}

void
OperationRecall::Stop(RankId rank)
{
    std::vector<Ptr<RecalledOperation>> its;
    for (const auto& [operation, about] : m_keys)
    {
        const std::vector<RankId>& ranks = about.second;
        if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end())
        {
            its.push_back(m_operations.at(about.first));
        }
    }
    for (const Ptr<RecalledOperation>& operation : its)
    {
        operation->Disturb();
    }
}

void
OperationRecall::Clear()
{
    m_operations.clear();
    m_keys.clear();
    m_engines.clear();
}

RdmaEngine&
OperationRecall::GetEngine(RankId rank)
{
    if (m_engines.empty())
    {
        m_engines.resize(m_directory->GetRanks());
    }
    Ptr<RdmaEngine>& engine = m_engines[rank.Get()];
    if (!engine)
    {
        engine = m_directory->Get(rank)->GetNode()->GetObject<RdmaEngine>();
    }
    return *engine;
}

uint32_t
OperationRecall::GetContext(RankId rank)
{
    return m_directory->Get(rank)->GetNode()->GetId();
}

RdmaEngine::Ends
OperationRecall::FindEnds(const TransportMessage& way)
{
    return m_directory->Get(way.from)->FindEnds(way);
}

void
OperationRecall::SetMakingUp(RecalledOperation* operation)
{
    m_makingUp = operation;
}

void
OperationRecall::CountRecalled()
{
    ++m_counters.recalled;
}

void
OperationRecall::CountRecorded()
{
    ++m_counters.recorded;
}

void
OperationRecall::CountMadeUp()
{
    ++m_counters.madeUp;
}

void
OperationRecall::Forget(const RecalledOperation& operation)
{
    const auto found = m_keys.find(&operation);
    if (found != m_keys.end())
    {
        m_operations.erase(found->second.first);
        m_keys.erase(found);
    }
}

} // namespace ns3
