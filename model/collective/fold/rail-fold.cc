/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-fold.h"

#include "ns3/abort.h"
#include "ns3/communication-group.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RailFold");

RailFold::RailFold(const std::vector<Rail>& rails)
    : m_rails(rails)
{
    const Rail& leader = rails.front();
    m_open.resize(uint64_t{rails.size()} * leader.GetGpus() * leader.GetPortsPerGpu());
    for (uint32_t rank = 0; rank < rails.size() * leader.GetGpus(); ++rank)
    {
        for (uint32_t port = 0; port < leader.GetPortsPerGpu(); ++port)
        {
            m_sinks.push_back(GetNic(RankId(rank), port)->GetSinks().size());
        }
    }
}

void
RailFold::AddGroup(const CommunicationGroup& group,
                   uint32_t rail,
                   const CommunicationGroup& leading)
{
    m_groups[group.GetId().Get()] = {leading.GetId(), rail, group.GetRanks(), group.GetName()};
}

void
RailFold::SetMemoized(bool memoized)
{
    m_memoizes = memoized;
}

void
RailFold::SetInStep(bool inStep)
{
    m_inStep = inStep;
}

void
RailFold::SetRanksShare(bool share)
{
    m_ranksShare = share;
}

void
RailFold::SetChanceCallback(const std::function<std::string()>& find)
{
    m_chance = find;
}

void
RailFold::SetDivergedCallback(const std::function<void(const std::string&)>& diverged)
{
    m_diverged = diverged;
}

void
RailFold::Check(const std::string& mistake)
{
    if (mistake.empty() || !m_divergence.empty())
    {
        return;
    }
    std::ostringstream why;
    why << "rails that do the same have diverged at " << NowPicoseconds() << " ps: " << mistake;
    m_divergence = why.str();
    NS_LOG_INFO(m_divergence);
    NS_ABORT_MSG_UNLESS(m_diverged,
                        "RailFold: " << m_divergence
                                     << "; simulate each rail: fold off (--fold=off)");
    m_diverged(m_divergence);
}

Ptr<RailNetDevice>
RailFold::GetNic(RankId rank, uint32_t port) const
{
    const uint32_t rails = m_rails.size();
    return m_rails[rank.Get() % rails].GetNic(rank.Get() / rails, port);
}

bool
RailFold::IsObserved(RankId rank) const
{
    const Rail& leader = m_rails.front();
    const uint32_t ports = leader.GetPortsPerGpu();
    for (uint32_t port = 0; port < ports; ++port)
    {
        const Ptr<RailNetDevice> nic = GetNic(rank, port);
        if (nic->IsObserved() || nic->GetSinks().size() != m_sinks[rank.Get() * ports + port])
        {
            return true;
        }
    }
    const Ptr<Node> gpu = m_rails[rank.Get() % GetRails()].GetGpu(rank.Get() / GetRails());
    return gpu->GetObject<RdmaEngine>()->IsObserved();
}

void
RailFold::Begin()
{
    if (m_hasBegun)
    {
        return;
    }
    m_hasBegun = true;
    m_isFolding = true;
    const uint32_t ranks = GetRails() * m_rails.front().GetGpus();
    for (uint32_t rank = 0; rank < ranks && m_isFolding; ++rank)
    {
        m_isFolding = rank % GetRails() == 0 || !IsObserved(RankId(rank));
    }
}

std::unique_ptr<FoldedCall>
RailFold::Call(const FlowKey& flow,
               uint64_t number,
               uint32_t place,
               RankId rank,
               bool mayBeMemoized,
               FoldedCall::Owner& owner)
{
    const auto group = m_groups.find(flow.group.Get());
    if (group == m_groups.end())
    {
        return nullptr;
    }
    Begin();
    if (!m_isFolding)
    {
        return nullptr;
    }
    const OnRail& on = group->second;
    Key key{flow, number};
    key.first.group = on.leading;
    const auto [found, isNew] = m_entries.try_emplace(key);
    Entry& entry = found->second;
    const bool isPair = flow.pointToPoint;
    if (isNew)
    {
        const bool isOwn = isPair || (mayBeMemoized && m_memoizes);
        const auto mode = m_inStep ? FoldedOperation::Mode::FOLLOWS
                          : isOwn  ? FoldedOperation::Mode::OWN
                                   : FoldedOperation::Mode::UNDECIDED;
        std::ostringstream name;
        name << "operation " << number << " of group \"" << on.name << "\"";
        const uint32_t places = isPair ? 2 : on.ranks.size();
        entry.key = key;
        entry.operation = std::make_shared<FoldedOperation>(name.str(), GetRails(), places, mode);
        m_counters.followed += mode == FoldedOperation::Mode::FOLLOWS ? GetRails() - 1 : 0;
        m_counters.own += mode == FoldedOperation::Mode::OWN ? GetRails() - 1 : 0;
        entry.calls.assign(GetRails(), std::vector<FoldedCall*>(places));
        entry.ports.resize(GetRails());
        entry.isDeciding.resize(GetRails());
        m_keys[entry.operation.get()] = key;
    }
    FoldedCall::Rails& self = *this; // conversion that is private to make_unique
    auto call = std::make_unique<FoldedCall>(self, entry.operation, on.rail, place, rank, owner);
    entry.calls[on.rail][place] = call.get();
    return call;
}

RailFold::Entry&
RailFold::Find(const FoldedOperation& operation)
{
    return m_entries.at(m_keys.at(&operation));
}

void
RailFold::AddInput(FoldedCall& call, const FoldedPath& path)
{
    Entry& entry = Find(*call.m_operation);
    const uint32_t rail = call.m_rail;
    Check(entry.operation->AddInput(rail, call.m_place, NowPicoseconds(), path, call.IsSteady()));
    Open(entry, rail, call.m_rank, path);
    if (rail == 0)
    {
        return;
    }
    switch (entry.operation->GetMode(rail))
    {
    case FoldedOperation::Mode::UNDECIDED:
        Decide(entry, rail, false, &call);
        break;
    case FoldedOperation::Mode::FOLLOWS:
        call.Arm();
        break;
    case FoldedOperation::Mode::OWN:
        break;
    }
    if (entry.operation->IsAhead(rail))
    {
        // the leader may never come, if it waits for the circuits that this rail holds
        Simulator::Schedule(PicoSeconds(1), &RailFold::CheckAhead, this, entry.operation, rail);
    }
}

void
RailFold::CheckAhead(std::shared_ptr<FoldedOperation> operation, uint32_t rail)
{
    Check(operation->FindAhead(rail, NowPicoseconds()));
}

void
RailFold::Open(Entry& entry, uint32_t rail, RankId rank, const FoldedPath& path)
{
    const uint32_t perRank = m_rails.front().GetPortsPerGpu();
    const std::shared_ptr<FoldedOperation>& operation = entry.operation;
    std::vector<std::size_t>& known = entry.ports[rail];
    for (std::size_t link = 0; link < path.links.size(); ++link)
    {
        const RailLink& its = path.links[link];
        const std::size_t here = std::size_t{rank.Get()} * perRank + (m_ranksShare ? 0 : its.here);
        const std::size_t there =
            std::size_t{path.peers[link].Get()} * perRank + (m_ranksShare ? 0 : its.there);
        for (const std::size_t port : {here, there})
        {
            if (std::find(known.begin(), known.end(), port) != known.end())
            {
                continue;
            }
            known.push_back(port);
            for (const FoldedOperation* other : m_open[port])
            {
                if (rail == 0 && !operation->IsCoupled(*other))
                {
                    const auto shared = Find(*other).operation;
                    operation->Couple(shared, NowPicoseconds());
                    shared->Couple(operation, NowPicoseconds());
                }
            }
            m_open[port].push_back(operation.get());
        }
    }
    if (rail > 0 && operation->GetMode(rail) != FoldedOperation::Mode::UNDECIDED)
    {
        Check(operation->FindConflict(rail, ListOverlapping(entry, rail)));
    }
}

std::vector<FoldedOperation*>
RailFold::ListOverlapping(const Entry& entry, uint32_t rail) const
{
    std::vector<FoldedOperation*> overlapping;
    for (const std::size_t port : entry.ports[rail])
    {
        for (FoldedOperation* other : m_open[port])
        {
            if (other != entry.operation.get())
            {
                overlapping.push_back(other);
            }
        }
    }
    return overlapping;
}

void
RailFold::Decide(Entry& entry, uint32_t rail, bool isLast, const FoldedCall* now)
{
    const std::shared_ptr<FoldedOperation> operation = entry.operation;
    const std::vector<FoldedOperation*> overlapping = ListOverlapping(entry, rail);
    Check(operation->Decide(rail, NowPicoseconds(), overlapping, isLast));
    switch (operation->GetMode(rail))
    {
    case FoldedOperation::Mode::UNDECIDED:
        if (!entry.isDeciding[rail])
        {
            entry.isDeciding[rail] = true;
            Simulator::ScheduleNow(&RailFold::DecideLater, this, operation, rail);
        }
        return;
    case FoldedOperation::Mode::FOLLOWS:
        ++m_counters.followed;
        for (FoldedCall* call : entry.calls[rail])
        {
            if (call != nullptr)
            {
                call->Arm();
            }
        }
        return;
    case FoldedOperation::Mode::OWN:
        ++m_counters.own;
        const std::vector<FoldedCall*> calls = entry.calls[rail]; // an owner may end
        for (FoldedCall* call : calls)
        {
            if (call != nullptr && call != now && call->m_hasStages)
            {
                call->m_owner.UseOwnMessages();
            }
        }
        return;
    }
}

void
RailFold::DecideLater(std::shared_ptr<FoldedOperation> operation, uint32_t rail)
{
    if (m_keys.count(operation.get()) != 0 &&
        operation->GetMode(rail) == FoldedOperation::Mode::UNDECIDED)
    {
        Decide(Find(*operation), rail, true, nullptr);
    }
}

void
RailFold::AddOutput(FoldedCall& call, const FoldedOperation::Output& output)
{
    if (call.m_rail > 0)
    {
        return;
    }
    Check(m_chance ? m_chance() : "");
    FoldedOperation& operation = *call.m_operation;
    if (!call.IsSteady())
    {
        operation.Disturb("and its NIC ports have lost carrier meanwhile");
    }
    operation.AddOutput(call.m_place, output);
    const Entry& entry = Find(operation);
    for (uint32_t rail = 1; rail < GetRails(); ++rail)
    {
        if (FoldedCall* other = entry.calls[rail][call.m_place])
        {
            other->Arm();
        }
    }
}

void
RailFold::End(FoldedCall& call)
{
    Entry& entry = Find(*call.m_operation);
    const uint32_t rail = call.m_rail;
    entry.calls[rail][call.m_place] = nullptr;
    if (!entry.operation->End(rail))
    {
        return;
    }
    m_counters.led += rail == 0 ? 1 : 0;
    for (const std::size_t port : entry.ports[rail])
    {
        std::vector<FoldedOperation*>& open = m_open[port];
        open.erase(std::remove(open.begin(), open.end(), entry.operation.get()), open.end());
    }
    if (entry.operation->IsOver())
    {
        entry.operation->Forget();
        m_keys.erase(entry.operation.get());
        m_entries.erase(Key(entry.key));
    }
}

void
RailFold::Remove(FoldedCall& call)
{
    const auto key = m_keys.find(call.m_operation.get());
    if (key == m_keys.end())
    {
        return;
    }
    FoldedCall*& place = m_entries.at(key->second).calls[call.m_rail][call.m_place];
    place = place == &call ? nullptr : place;
}

} // namespace ns3
