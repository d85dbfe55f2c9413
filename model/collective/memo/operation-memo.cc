/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "operation-memo.h"

#include "ns3/simulation-processes.h"

#include <algorithm>

namespace ns3
{

OperationMemo::OperationMemo(const Ptr<RankDirectory>& directory)
    : m_directory(directory),
      m_memory(Create<MemoStore>())
{
}

bool
OperationMemo::AreHere(const std::vector<RankId>& ranks) const
{
    return SimulationProcesses::GetNumber() == 1 ||
           std::all_of(ranks.begin(), ranks.end(), [this](RankId rank) {
               return SimulationProcesses::IsHere(m_directory->Get(rank)->GetNode());
           });
}

std::unique_ptr<MemoizedCall>
OperationMemo::Call(const FlowKey& flow,
                    uint64_t number,
                    const MemoStore::Kind& kind,
                    const CommunicationGroup& group,
                    uint32_t place,
                    MemoizedCall::Owner& owner)
{
    if (!AreHere(group.GetRanks()))
    {
        return nullptr;
    }
    const Key key{flow, number};
    Ptr<MemoizedOperation>& operation = m_operations[key];
    if (!operation)
    {
        MemoizedOperation::Ranks& self = *this; // conversion that is private to Create()
        operation = Create<MemoizedOperation>(kind, group.GetRanks(), m_memory, self);
        m_about[PeekPointer(operation)] = {key, group.GetRanks()};
    }
    return std::make_unique<MemoizedCall>(operation, place, group.GetRanks()[place], owner);
}

std::unique_ptr<MemoizedCall>
OperationMemo::Call(const MemoizedSend& send, MemoizedCall::Owner& owner)
{
    if (!AreHere({send.from, send.to}))
    {
        return nullptr;
    }
    MemoizedCall::Sends& self = *this; // conversion that is private to make_unique
    return std::make_unique<MemoizedCall>(self, send, owner);
}

Ptr<MemoizedCall::Operation>
OperationMemo::Find(const MemoizedSend& send)
{
    const Pair pair = std::minmax(send.from, send.to);
    Ptr<MemoizedOperation>& operation = m_pairs[pair];
    if (!operation)
    {
        MemoizedOperation::Ranks& self = *this; // conversion that is private to Create()
        operation = Create<MemoizedOperation>(m_memory, self, m_leftOut.count(pair) == 0);
        m_about[PeekPointer(operation)] = {std::nullopt, {pair.first, pair.second}};
    }
    return operation;
}

void
OperationMemo::LeaveOut(const MemoizedSend& send)
{
    const Pair pair = std::minmax(send.from, send.to);
    if (!m_leftOut.insert(pair).second)
    {
        return;
    }
    const auto found = m_pairs.find(pair);
    if (found != m_pairs.end())
    {
        const Ptr<MemoizedOperation> sends = found->second; // it may be forgotten
        sends->Disturb();
    }
}

void
OperationMemo::NoteEarly(const FlowKey& flow)
{
    for (auto its = m_operations.lower_bound({flow, 0});
         its != m_operations.end() && !(flow < its->first.first);
         ++its)
    {
        its->second->MessageIsEarly();
    }
}

void
OperationMemo::DisturbLater(const FlowKey& flow, uint64_t number)
{
    std::vector<Ptr<MemoizedOperation>> its;
    for (auto later = m_operations.upper_bound({flow, number});
         later != m_operations.end() && !(flow < later->first.first);
         ++later)
    {
        its.push_back(later->second);
    }
    for (const Ptr<MemoizedOperation>& operation : its)
    {
        operation->Disturb();
    }
}

void
OperationMemo::Stop(RankId rank)
{
    std::vector<Ptr<MemoizedOperation>> its;
    for (const auto& [operation, about] : m_about)
    {
        if (std::find(about.ranks.begin(), about.ranks.end(), rank) != about.ranks.end())
        {
            its.push_back(about.key ? m_operations.at(*about.key)
                                    : m_pairs.at({about.ranks.front(), about.ranks.back()}));
        }
    }
    for (const Ptr<MemoizedOperation>& operation : its)
    {
        operation->Disturb();
        operation->EndRecording();
    }
}

void
OperationMemo::Clear()
{
    m_operations.clear();
    m_pairs.clear();
    m_about.clear();
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
OperationMemo::GetEnds(const TransportMessage& way)
{
    return m_directory->Get(way.from)->GetEnds(way);
}

void
OperationMemo::SetMakingUp(const std::vector<Ptr<MemoizedOperation>>& operations)
{
    m_makingUp = operations;
}

void
OperationMemo::CountMemoized()
{
    ++m_counters.memoized;
}

void
OperationMemo::CountWorkedOut()
{
    ++m_counters.workedOut;
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
    const auto found = m_about.find(&operation);
    if (found == m_about.end())
    {
        return;
    }
    const About about = found->second;
    m_about.erase(found);
    if (about.key)
    {
        m_operations.erase(*about.key);
    }
    else
    {
        m_pairs.erase({about.ranks.front(), about.ranks.back()});
    }
}

} // namespace ns3
