/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "folded-call.h"

#include "ns3/photonic-rails-compat.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

FoldedCall::FoldedCall(Rails& fold,
                       std::shared_ptr<FoldedOperation> operation,
                       uint32_t rail,
                       uint32_t place,
                       RankId rank,
                       Owner& owner)
    : m_fold(fold),
      m_operation(std::move(operation)),
      m_rail(rail),
      m_place(place),
      m_rank(rank),
      m_owner(owner)
{
}

FoldedCall::~FoldedCall()
{
    Simulator::Remove(m_due); // a cancelled one would prolong the simulation
    m_fold.Remove(*this);
}

void
FoldedCall::HasNoStages()
{
    m_hasStages = false;
}

bool
FoldedCall::IsHeld() const
{
    return m_hasStages && m_operation->GetMode(m_rail) != FoldedOperation::Mode::OWN;
}

bool
FoldedCall::Activated()
{
    m_isActive = true;
    while (m_inputs < m_paths.size())
    {
        AddInput(m_inputs);
    }
    return IsHeld();
}

bool
FoldedCall::Opened(const FoldedPath& path)
{
    m_paths.push_back(path);
    if (m_isActive)
    {
        AddInput(m_inputs);
    }
    return IsHeld();
}

void
FoldedCall::AddInput(std::size_t stage)
{
    ++m_inputs;
    Watch(stage);
    m_fold.AddInput(*this, m_paths[stage]);
}

void
FoldedCall::Unwatch(std::size_t stage)
{
    const auto isOver = [stage](const Port& port) { return port.stage == stage; };
    m_ports.erase(std::remove_if(m_ports.begin(), m_ports.end(), isOver), m_ports.end());
}

void
FoldedCall::Watch(std::size_t stage)
{
    for (const RailLink& link : m_paths[stage].links)
    {
        const Ptr<RailNetDevice> nic = m_fold.GetNic(m_rank, link.here);
        if (!nic->HasCarrier())
        {
            m_hasCarrier = false;
            continue;
        }
        const Picoseconds since = nic->GetCarrierSince().GetTimeStep();
        m_ports.push_back({stage, link.here, since});
    }
}

bool
FoldedCall::IsSteady() const
{
    return m_hasCarrier && std::all_of(m_ports.begin(), m_ports.end(), [this](const Port& port) {
               const Ptr<RailNetDevice> nic = m_fold.GetNic(m_rank, port.number);
               return nic->HasCarrier() && nic->GetCarrierSince().GetTimeStep() == port.since;
           });
}

void
FoldedCall::EndStage(uint32_t stage)
{
    FoldedOperation::Output output;
    output.at = NowPicoseconds();
    output.stage = stage;
    m_fold.AddOutput(*this, output);
    Unwatch(stage);
}

void
FoldedCall::End(const MessageTotals& counts)
{
    if (m_hasStages)
    {
        FoldedOperation::Output output;
        output.at = NowPicoseconds();
        output.isEnd = true;
        output.counts = counts;
        m_fold.AddOutput(*this, output);
    }
    m_fold.End(*this);
}

void
FoldedCall::Disturb(const char* why)
{
    m_operation->Disturb(why);
    if (m_operation->GetMode(m_rail) == FoldedOperation::Mode::FOLLOWS)
    {
        m_fold.Check(m_operation->FindMissing(m_rail, NowPicoseconds()));
    }
}

void
FoldedCall::Arm()
{
    const auto& outputs = m_operation->GetOutputs(m_place);
    if (IsEventPending(m_due) || m_next == outputs.size() ||
        m_operation->GetMode(m_rail) != FoldedOperation::Mode::FOLLOWS)
    {
        return;
    }
    const Picoseconds due = outputs[m_next].at + m_operation->GetShift(m_rail);
    if (due < NowPicoseconds())
    {
        m_fold.Check("an end of the leader at " + std::to_string(outputs[m_next].at) +
                     " ps is due already at rank " + std::to_string(m_rank.Get()));
        return;
    }
    m_due = Simulator::Schedule(ToTime(due - NowPicoseconds()), &FoldedCall::Deliver, this);
}

void
FoldedCall::Deliver()
{
    const FoldedOperation::Output& output = m_operation->GetOutputs(m_place)[m_next];
    std::string missing = m_operation->FindMissing(m_rail, output.at);
    if (missing.empty() && !IsSteady())
    {
        missing = "a NIC port of rank " + std::to_string(m_rank.Get()) + " has lost its carrier";
    }
    if (missing.empty() && m_fold.IsObserved(m_rank))
    {
        missing = "frames or messages of rank " + std::to_string(m_rank.Get()) + " are observed";
    }
    if (!missing.empty())
    {
        m_fold.Check(missing);
        return;
    }
    ++m_next;
    if (!output.isEnd)
    {
        m_stagesOver = output.stage + 1;
        Unwatch(output.stage);
    }
    m_isOver = output.isEnd;
    m_counts = output.counts;
    Arm();
    m_owner.FollowLeader(); // last, as this may be gone afterwards
}

} // namespace ns3
