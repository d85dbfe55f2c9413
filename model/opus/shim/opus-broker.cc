/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-broker.h"

#include "granted-circuits.h"
#include "shim-call.h"
#include "shim-link.h"

#include "ns3/log.h"
#include "ns3/opus-words.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulation-processes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("OpusBroker");

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
                       RankId rank,
                       Ptr<Node> gpu,
                       JobId job,
                       std::shared_ptr<const Cabling> cabling)
    : m_shim(shim),
      m_rank(rank),
      m_gpu(gpu),
      m_job(job),
      m_cabling(std::move(cabling)),
      m_planner(std::make_unique<CircuitPlanner>(m_cabling))
{
}

void
OpusBroker::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_shim = nullptr;
    m_link = nullptr;
    m_policy = nullptr;
    m_gpu = nullptr;
    m_requests.clear();
    m_hints.clear();
    m_samples.clear();
    m_ports.clear();
    m_watches.clear();
    CircuitBroker::DoDispose();
}

Time
OpusBroker::GetLatencyToShim() const
{
    // the shim takes calls of an instant when it is over, a picosecond later
    return std::max(Time(0), m_shim->GetHostLatency() - ToTime(1));
}

template <auto Method, typename... Arguments>
void
OpusBroker::CallShim(const Arguments&... arguments)
{
    const Ptr<Node> node = m_shim->GetNode();
    if (SimulationProcesses::IsHere(node))
    {
        Simulator::ScheduleWithContext(node->GetId(),
                                       GetLatencyToShim(),
                                       Method,
                                       m_shim,
                                       arguments...);
    }
    else
    {
        m_link->Call<Method>(GetLatencyToShim(), arguments...);
    }
}

void
OpusBroker::SetLink(Ptr<ShimLink> link)
{
    m_link = link;
}

void
OpusBroker::SetPorts(const std::vector<Ptr<RailNetDevice>>& ports)
{
    NS_LOG_FUNCTION(this << ports.size());
    m_ports = ports;
    m_linkUps = LinkUpWatch(ports.size());
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        ports[port]->TraceConnectWithoutContext(
            "Carrier",
            MakeCallback(&OpusBroker::HandleCarrier, Ptr<OpusBroker>(this)).Bind(port));
        ports[port]->TraceConnectWithoutContext(
            "PortEvent",
            MakeCallback(&OpusBroker::HandlePortEvent, Ptr<OpusBroker>(this)).Bind(port));
    }
}

void
OpusBroker::SetPolicy(Ptr<const CircuitPolicy> policy)
{
    m_policy = policy;
}

void
OpusBroker::SetRings(std::shared_ptr<const GiantRings> rings)
{
    m_rings = std::move(rings);
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
    const std::string why = m_planner->GetWhyNot(m_job, pairs);
    return why.empty() && m_policy ? m_policy->GetWhyNever(pairs) : why;
}

OpusBroker::PendingList::iterator
OpusBroker::Find(PendingList& list, const CircuitRequest& request)
{
    return std::find_if(list.begin(), list.end(), [&request](const Pending& one) {
        return one.request.group == request.group && one.request.operation == request.operation &&
               one.request.stage == request.stage &&
               one.request.pointToPoint == request.pointToPoint &&
               one.request.from == request.from && one.request.to == request.to;
    });
}

void
OpusBroker::Request(const CircuitRequest& request, AnswerCallback callback)
{
    NS_LOG_FUNCTION(this << request.rank << ToWords(GetPhase(m_job, request)));
    m_pattern.Called(request, NowPicoseconds());
    const auto known = Find(m_requests, request);
    if (known == m_requests.end())
    {
        m_requests.push_back({request, callback, ++m_numbers});
    }
    CallShim<&LocalShim::Request>(request);
}

void
OpusBroker::HandleAnswer(const CircuitRequest& request, const CircuitAnswer& answer, Time exposed)
{
    NS_LOG_FUNCTION(this << request.rank << ToWords(GetPhase(m_job, request)));
    const auto pending = Find(m_requests, request);
    if (pending != m_requests.end())
    {
        Remember(request, answer);
        WatchLinkUp(*pending, answer, exposed);
        const AnswerCallback callback = pending->callback; // a copy: it may end the request
        callback(answer);
    }
}

void
OpusBroker::WatchLinkUp(const Pending& pending, const CircuitAnswer& answer, Time exposed)
{
    const auto circuits = std::dynamic_pointer_cast<const GrantedCircuits>(answer.links);
    const bool takesTime = std::any_of(m_ports.begin(), m_ports.end(), [](const auto& port) {
        return port->HasLinkUpTime();
    });
    if (!takesTime || !circuits || answer.network != CircuitAnswer::Network::RAIL)
    {
        return;
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        // carrier from before the simulation is no change
        m_linkUps.Preset(port, m_ports[port]->HasCarrier());
    }
    m_linkUps.Answer(pending.number,
                     circuits->GetPorts(pending.request.rank),
                     exposed.GetTimeStep(),
                     NowPicoseconds(),
                     [this, request = pending.request](const LinkUpWatch::Outcome& outcome) {
                         ReportLinkUp(request, outcome);
                     });
}

void
OpusBroker::HandleCarrier(uint32_t port, bool carrier)
{
    NS_LOG_FUNCTION(this << port << carrier);
    if (m_ports.empty())
    {
        return; // it is disposed of
    }
    if (carrier)
    {
        const Picoseconds linkUp = m_ports[port]->GetLastLinkUp().GetTimeStep();
        m_linkUps.Gain(port, NowPicoseconds(), linkUp);
    }
    else
    {
        m_linkUps.Lose(port);
    }
}

void
OpusBroker::Watch(const CarrierWatch& watch)
{
    NS_LOG_FUNCTION(this << watch.port.port);
    if (watch.port.port < m_ports.size() && m_ports[watch.port.port]->IsPortUp())
    {
        ReportUp(watch);
    }
    else
    {
        m_watches.emplace(watch.port.port, watch);
    }
}

void
OpusBroker::HandlePortEvent(uint32_t port, bool isUp)
{
    const auto [begin, end] = m_watches.equal_range(port);
    if (isUp)
    {
        std::for_each(begin, end, [this](const auto& watch) { ReportUp(watch.second); });
        m_watches.erase(begin, end);
    }
}

void
OpusBroker::ReportUp(const CarrierWatch& watch)
{
    CallShim<&LocalShim::PortIsUp>(watch);
}

void
OpusBroker::ReportLinkUp(const CircuitRequest& request, const LinkUpWatch::Outcome& outcome)
{
    NS_LOG_INFO("rank " << request.rank << " has waited " << ToTime(outcome.waited).As(Time::MS)
                        << " for carrier");
    CallShim<&LocalShim::LinkUp>(request, outcome);
}

void
OpusBroker::Finished(const CircuitRequest& request)
{
    NS_LOG_FUNCTION(this << request.rank << ToWords(GetPhase(m_job, request)));
    m_pattern.Ended(request, NowPicoseconds());
    const auto pending = Find(m_requests, request);
    if (pending != m_requests.end())
    {
        m_linkUps.Finish(pending->number, NowPicoseconds());
        m_requests.erase(pending);
    }
    CallShim<&LocalShim::Finish>(request);
}

bool
OpusBroker::LinkFailed(const CircuitRequest& request, const TransportMessage& message)
{
    NS_LOG_FUNCTION(this << request.rank << ToWords(GetPhase(m_job, request)));
    if (!m_shim->ReportsOutages() || message.path)
    {
        return false;
    }
    RankCircuit circuit{message.GetFirst(),
                        message.link.here,
                        message.GetLast(),
                        message.link.there};
    if (circuit.other < circuit.one)
    {
        std::swap(circuit.one, circuit.other);
        std::swap(circuit.onePort, circuit.otherPort);
    }
    if (std::exchange(m_failedAt, NowPicoseconds()) != NowPicoseconds())
    {
        m_failed.clear();
    }
    if (!m_failed.emplace(GetPhase(m_job, request), circuit).second)
    {
        return true; // a circuit fails with many messages
    }
    CallShim<&LocalShim::LinkFailed>(request, circuit);
    return true;
}

void
OpusBroker::Join(RankId rank, const CommunicationGroup& group)
{
    NS_LOG_FUNCTION(this << rank << group.GetId());
    CallShim<&LocalShim::Join>(rank, group);
}

void
OpusBroker::BeginIteration(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    m_pattern.BeginIteration();
    CallShim<&LocalShim::BeginIteration>(rank);
}

void
OpusBroker::Leave(RankId rank)
{
    NS_LOG_FUNCTION(this << rank);
    CallShim<&LocalShim::Leave>(rank);
}

void
OpusBroker::Hint(const CircuitHint& hint, AnswerCallback callback)
{
    NS_LOG_FUNCTION(this << hint.first.rank << ToWords(GetPhase(m_job, hint.first)));
    if (hint.kind == CircuitHint::Kind::ACQUIRE)
    {
        m_hints.push_back({hint.first, callback, 0});
    }
    CallShim<&LocalShim::Hint>(hint);
}

bool
OpusBroker::ComparesCalls() const
{
    return true;
}

void
OpusBroker::Called(const CallNotice& notice, SampleCallback callback)
{
    NS_LOG_FUNCTION(this << notice.call.rank << notice.call.operation);
    if (notice.chooses)
    {
        m_samples[{notice.group, notice.call.slot}] = {notice.call.operation, callback};
    }
    CallShim<&LocalShim::Called>(notice);
}

void
OpusBroker::HandleSample(const ShimSample& sample)
{
    NS_LOG_FUNCTION(this << sample.group << sample.operation);
    for (auto awaited = m_samples.begin(); awaited != m_samples.end(); ++awaited)
    {
        const auto& [group, slot] = awaited->first;
        if (group == sample.group && awaited->second.operation == sample.operation)
        {
            const uint32_t its = slot;
            const SampleCallback callback = awaited->second.callback;
            m_samples.erase(awaited);
            callback(its, sample.sample);
            return;
        }
    }
}

PathCosts
OpusBroker::GetCosts(const CostQuestion& question) const
{
    PathCosts costs = m_shim->GetCosts();
    if (costs.reconfiguration.IsStrictlyPositive())
    {
        m_pattern.Complete(question, costs);
    }
    return costs;
}

bool
OpusBroker::HasOwnCosts() const
{
    // windows are those that this rank has measured
    return m_shim->GetCosts().reconfiguration.IsStrictlyPositive();
}

void
OpusBroker::Remember(const CircuitRequest& request, const CircuitAnswer& answer)
{
    const auto circuits = std::dynamic_pointer_cast<const GrantedCircuits>(answer.links);
    if (!circuits || answer.network != CircuitAnswer::Network::RAIL || !request.pairs)
    {
        return;
    }
    std::map<uint32_t, RankId> partners = m_partners.Get();
    for (const RankCircuit& circuit : circuits->GetCircuits(m_rank, *request.pairs))
    {
        if (circuit.one == m_rank)
        {
            partners[circuit.onePort] = circuit.other;
        }
        else if (circuit.other == m_rank)
        {
            partners[circuit.otherPort] = circuit.one;
        }
    }
    m_partners.Set(NowPicoseconds(), std::move(partners));
}

bool
OpusBroker::Stands(const std::vector<JoinedRanks>& pairs) const
{
    if (m_cabling->IsMultiHop())
    {
        return true; // over the rings that the job starts with
    }
    const std::map<uint32_t, RankId>& partners = m_partners.At(NowPicoseconds() - 1);
    return std::all_of(pairs.begin(), pairs.end(), [&](const JoinedRanks& pair) {
        if (pair.first != m_rank && pair.second != m_rank)
        {
            return true; // of others
        }
        const RankId other = pair.first == m_rank ? pair.second : pair.first;
        return std::any_of(partners.begin(), partners.end(), [other](const auto& partner) {
            return partner.second == other;
        });
    });
}

bool
OpusBroker::CanChange() const
{
    return false; // the answer depends on fibers, and not on circuits
}

std::size_t
OpusBroker::CountHops(RankId one, RankId other) const
{
    const auto ends =
        m_cabling->IsMultiHop() && m_rings ? m_rings->FindEnds(one, other, {}) : std::nullopt;
    return ends ? m_rings->FindPaths(ends->first, ends->second, {}).front().links.size() : 1;
}

bool
OpusBroker::AreIntraNode(RankId one, RankId other) const
{
    return m_cabling->AreIntraNode(one, other);
}

void
OpusBroker::HandleHintAnswer(const CircuitRequest& request, const CircuitAnswer& answer)
{
    NS_LOG_FUNCTION(this << request.rank << ToWords(GetPhase(m_job, request)));
    const auto hint = Find(m_hints, request);
    if (hint != m_hints.end())
    {
        const AnswerCallback callback = hint->callback;
        m_hints.erase(hint);
        callback(answer);
    }
}

} // namespace ns3
