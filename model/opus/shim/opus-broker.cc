/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-broker.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OpusBroker);

TypeId
OpusBroker::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OpusBroker")
                            .SetParent<CircuitBroker>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<OpusBroker>();
    return tid;
}

OpusBroker::OpusBroker(Ptr<LocalShim> shim,
                       Ptr<Node> gpu,
                       JobId job,
                       std::shared_ptr<const Cabling> cabling)
    : m_shim(shim),
      m_gpu(gpu),
      m_job(job),
      m_planner(std::make_unique<CircuitPlanner>(std::move(cabling)))
{
}

void
OpusBroker::DoDispose()
{
    m_shim = nullptr;
    m_gpu = nullptr;
    m_asked.clear();
    m_hints.clear();
    CircuitBroker::DoDispose();
}

Time
OpusBroker::GetLatencyToShim() const
{
    // the shim takes what came when that instant is over, a picosecond later
    return std::max(Time(0), m_shim->GetHostLatency() - ToTime(1));
}

Ptr<Node>
OpusBroker::GetNode() const
{
    return m_gpu;
}

std::string
OpusBroker::GetWhyNot(const std::vector<RankId>&,
                      const std::vector<std::pair<RankId, RankId>>& pairs) const
{
    return m_planner->GetWhyNot(m_job, pairs);
}

OpusBroker::AskedList::iterator
OpusBroker::Find(AskedList& list, const CircuitRequest& ask)
{
    return std::find_if(list.begin(), list.end(), [&ask](const Asked& one) {
        return one.ask.group == ask.group && one.ask.operation == ask.operation &&
               one.ask.stage == ask.stage && one.ask.pointToPoint == ask.pointToPoint &&
               one.ask.from == ask.from && one.ask.to == ask.to;
    });
}

void
OpusBroker::Request(const CircuitRequest& ask, AnswerCallback callback)
{
    m_pattern.Called(ask, NowPicoseconds());
    const auto known = Find(m_asked, ask);
    if (known == m_asked.end())
    {
        m_asked.push_back({ask, callback});
    }
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::Ask,
                                   m_shim,
                                   ask);
}

void
OpusBroker::HandleAnswer(const CircuitRequest& ask, const CircuitAnswer& answer)
{
    const auto asked = Find(m_asked, ask);
    if (asked != m_asked.end())
    {
        const AnswerCallback callback = asked->callback; // which may finish with the ask
        callback(answer);
    }
}

void
OpusBroker::Finished(const CircuitRequest& ask)
{
    m_pattern.Ended(ask, NowPicoseconds());
    const auto asked = Find(m_asked, ask);
    if (asked != m_asked.end())
    {
        m_asked.erase(asked);
    }
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::Finish,
                                   m_shim,
                                   ask);
}

void
OpusBroker::Join(RankId rank, const CommunicationGroup& group)
{
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::Join,
                                   m_shim,
                                   rank,
                                   group);
}

void
OpusBroker::BeginIteration(RankId rank)
{
    m_pattern.BeginIteration();
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::BeginIteration,
                                   m_shim,
                                   rank);
}

void
OpusBroker::Leave(RankId rank)
{
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::Leave,
                                   m_shim,
                                   rank);
}

void
OpusBroker::Hint(const CircuitHint& hint, AnswerCallback callback)
{
    if (hint.kind == CircuitHint::Kind::ACQUIRE)
    {
        m_hints.push_back({hint.first, callback});
    }
    Simulator::ScheduleWithContext(m_shim->GetNode()->GetId(),
                                   GetLatencyToShim(),
                                   &LocalShim::Hint,
                                   m_shim,
                                   hint);
}

PathCosts
OpusBroker::GetCosts(const CostQuestion& question) const
{
    PathCosts costs = m_shim->GetCosts();
    if (costs.reconfiguration > 0)
    {
        m_pattern.Complete(question, costs);
    }
    return costs;
}

bool
OpusBroker::HasOwnCosts() const
{
    return m_shim->GetCosts().reconfiguration > 0; // windows are those that this rank has measured
}

bool
OpusBroker::CanChange() const
{
    return false; // it asks for fibers, and not for circuits
}

void
OpusBroker::HandleHintAnswer(const CircuitRequest& ask, const CircuitAnswer& answer)
{
    const auto hint = Find(m_hints, ask);
    if (hint != m_hints.end())
    {
        const AnswerCallback callback = hint->callback;
        m_hints.erase(hint);
        callback(answer);
    }
}

} // namespace ns3
