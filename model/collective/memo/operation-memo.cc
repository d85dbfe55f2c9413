/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-memo.h"

#include <algorithm>

namespace ns3
{

OperationMemo::OperationMemo(const Ptr<RankDirectory>& directory)
    : m_directory(directory),
      m_memory(Create<MemoStore>())
{
}

std::unique_ptr<MemoizedCall>
OperationMemo::Call(const FlowKey& flow,
                    uint64_t number,
                    const MemoStore::Kind& kind,
                    const CommunicationGroup& group,
                    uint32_t place,
                    MemoizedCall::Owner& owner)
{
    const Key key{flow, number};
    Ptr<MemoizedOperation>& operation = m_operations[key];
    if (!operation)
    {
        MemoizedOperation::Ranks& self = *this; // conversion that is private to Create()
        operation = Create<MemoizedOperation>(kind, group.GetRanks(), m_memory, self);
        m_keys[PeekPointer(operation)] = {key, group.GetRanks()};
    }
    return std::make_unique<MemoizedCall>(operation, place, group.GetRanks()[place], owner);
}

void
OperationMemo::Stop(RankId rank)
{
    std::vector<Ptr<MemoizedOperation>> its;
    for (const auto& [operation, about] : m_keys)
    {
        const std::vector<RankId>& ranks = about.second;
        if (std::find(ranks.begin(), ranks.end(), rank) != ranks.end())
        {
            its.push_back(m_operations.at(about.first));
        }
    }
    for (const Ptr<MemoizedOperation>& operation : its)
    {
        operation->Disturb();
    }
}

void
OperationMemo::Clear()
{
    m_operations.clear();
    m_keys.clear();
    m_engines.clear();
}

RdmaEngine&
OperationMemo::GetEngine(RankId rank)
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
OperationMemo::GetContext(RankId rank)
{
    return m_directory->Get(rank)->GetNode()->GetId();
}

RdmaEngine::Ends
OperationMemo::FindEnds(const TransportMessage& way)
{
    return m_directory->Get(way.from)->FindEnds(way);
}

void
OperationMemo::SetMakingUp(MemoizedOperation* operation)
{
    m_makingUp = operation;
}

void
OperationMemo::CountMemoized()
{
    ++m_counters.memoized;
}

void
OperationMemo::CountRecorded()
{
    ++m_counters.recorded;
}

void
OperationMemo::CountMadeUp()
{
    ++m_counters.madeUp;
}

void
OperationMemo::Forget(const MemoizedOperation& operation)
{
    const auto found = m_keys.find(&operation);
    if (found != m_keys.end())
    {
        m_operations.erase(found->second.first);
        m_keys.erase(found);
    }
}

} // namespace ns3
