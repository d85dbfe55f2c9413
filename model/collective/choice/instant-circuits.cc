/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "instant-circuits.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** The links of one stage: those on its routes, and no others that join its ranks. */
class StageLinks : public Connectivity
{
  public:
    StageLinks(std::shared_ptr<const RailLinks> links, std::vector<JoinedRanks> routes)
        : m_links(std::move(links)),
          m_routes(std::move(routes))
    {
    }

    // Connectivity
    std::vector<RailLink> GetLinks(RankId from, RankId to) const override
    {
        if (AreIntraNode(from, to))
        {
            return {RailLink()};
        }
        const std::optional<JoinedRanks> route = FindRoute(from, to, m_routes, *m_links);
        return route ? m_links->GetDirectLinks(route->first, route->second)
                     : std::vector<RailLink>();
    }

    Relays GetRelays(RankId from, RankId to) const override
    {
        const std::optional<JoinedRanks> route = FindRoute(from, to, m_routes, *m_links);
        return route ? ns3::GetRelays(from, to, *route) : Relays();
    }

    bool AreIntraNode(RankId one, RankId other) const override
    {
        return m_links->AreIntraNode(one, other);
    }

  private:
    std::shared_ptr<const RailLinks> m_links;
    std::vector<JoinedRanks> m_routes; //!< the lower rank of each first, in order
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(InstantCircuits);

TypeId
InstantCircuits::GetTypeId()
{
    static TypeId tid = TypeId("ns3::InstantCircuits")
                            .SetParent<CircuitBroker>()
                            .SetGroupName("PhotonicRails")
                            .AddConstructor<InstantCircuits>();
    return tid;
}

bool
InstantCircuits::MayBlock(const Rail& rail)
{
    const Ptr<OpticalCircuitSwitch> railSwitch = rail.GetOpticalSwitch();
    const auto fabric = railSwitch ? railSwitch->FetchFabric() : nullptr;
    return fabric && !fabric->IsNonBlocking();
}

InstantCircuits::InstantCircuits(std::shared_ptr<const RailLinks> links)
    : m_links(std::move(links))
{
}

void
InstantCircuits::DoDispose()
{
    m_held.clear();
    m_incomplete.clear();
    m_waiting.clear();
    m_running.clear();
    m_links.reset();
    CircuitBroker::DoDispose();
}

uint64_t
InstantCircuits::GetReconfigurations() const
{
    return m_reconfigurations;
}

std::string
InstantCircuits::GetWhyNot(const std::vector<RankId>&,
                           const std::vector<std::pair<RankId, RankId>>& pairs) const
{
    NS_ABORT_MSG_UNLESS(m_links,
                        "InstantCircuits: it has no links; give RailLinks to its constructor");
    const RoutedPairs routed = ns3::ChooseRoutes(pairs, *m_links, GetPorts()); // whatever stands
    if (!routed.why.empty())
    {
        return routed.why;
    }
    const auto mayBlock = [this](const JoinedRanks& route) {
        return MayBlock(m_links->FindRail(route.first));
    };
    if (std::none_of(routed.routes.begin(), routed.routes.end(), mayBlock))
    {
        return "";
    }
    PairPorts ports = DividePorts(routed.routes);
    for (const auto& [rail, circuits] : MakeCircuits(routed.routes, ports))
    {
        const std::string why =
            MayBlock(*rail) ? rail->GetOpticalSwitch()->FetchFabric()->GetWhyNot(circuits) : "";
        if (!why.empty())
        {
            return why;
        }
    }
    return "";
}

RouteInputs
InstantCircuits::GetPorts() const
{
    RouteInputs inputs;
    inputs.portsOf = [this](RankId rank) { return m_links->FindRail(rank).GetPortsPerGpu(); };
    return inputs;
}

RoutedPairs
InstantCircuits::ChooseRoutes(const std::vector<JoinedRanks>& pairs) const
{
    RouteInputs inputs = GetPorts();
    inputs.stands = [this](const JoinedRanks& route) {
        return !m_links->GetDirectLinks(route.first, route.second).empty();
    };
    return ns3::ChooseRoutes(pairs, *m_links, inputs);
}

bool
InstantCircuits::CanChange() const
{
    return false; // the answer depends on ports, and not on standing circuits
}

bool
InstantCircuits::AreIntraNode(RankId one, RankId other) const
{
    return m_links->AreIntraNode(one, other);
}

bool
InstantCircuits::IsSameStage(const CircuitRequest& one, const CircuitRequest& other)
{
    return one.group == other.group && one.operation == other.operation &&
           one.pointToPoint == other.pointToPoint && one.stage == other.stage &&
           *one.pairs == *other.pairs;
}

bool
InstantCircuits::IsOf(const CircuitRequest& request, const Stage& stage)
{
    return IsSameStage(request, stage.calls.front().request);
}

void
InstantCircuits::Request(const CircuitRequest& request, AnswerCallback callback)
{
    const std::vector<CircuitRequest> passed = m_serverCalls.Call(request);
    if (request.NeedsCircuits())
    {
        m_held.push_back({request, callback});
    }
    else
    {
        CircuitAnswer none;
        none.links = m_links;
        callback(none);
    }
    for (const CircuitRequest& one : passed)
    {
        Add(one);
    }
}

void
InstantCircuits::Add(const CircuitRequest& request)
{
    auto stage = std::find_if(m_incomplete.begin(),
                              m_incomplete.end(),
                              [&request](const Stage& one) { return IsOf(request, one); });
    if (stage == m_incomplete.end())
    {
        stage = m_incomplete.emplace(m_incomplete.end());
        for (const auto& [one, other] : *request.pairs)
        {
            stage->ranks.insert({one, other});
        }
    }
    const auto held = std::find_if(m_held.begin(), m_held.end(), [&request](const Call& call) {
        return call.request.rank == request.rank && IsSameStage(call.request, request);
    });
    stage->calls.push_back(std::move(*held));
    m_held.erase(held);
    if (stage->calls.size() == stage->ranks.size())
    {
        stage->routes = ChooseRoutes(*request.pairs).routes;
        for (const auto& [one, other] : stage->routes)
        {
            stage->ends.insert({one, other});
        }
        m_waiting.splice(m_waiting.end(), m_incomplete, stage);
        Proceed();
    }
}

void
InstantCircuits::Finished(const CircuitRequest& request)
{
    if (!request.NeedsCircuits())
    {
        return;
    }
    for (auto running = m_running.begin(); running != m_running.end(); ++running)
    {
        if (IsOf(request, running->second))
        {
            if (--running->second.open == 0)
            {
                m_running.erase(running);
                Proceed();
            }
            return;
        }
    }
}

PairPorts
InstantCircuits::DividePorts(const std::vector<JoinedRanks>& routes) const
{
    return PairPorts(routes, [this](RankId rank) {
        std::vector<uint32_t> ports(m_links->FindRail(rank).GetPortsPerGpu());
        std::iota(ports.begin(), ports.end(), 0);
        return ports;
    });
}

bool
InstantCircuits::IsJoined(const Stage& stage) const
{
    const PairPorts ports = DividePorts(stage.routes);
    for (std::size_t i = 0; i < stage.routes.size(); ++i)
    {
        const auto& [one, other] = stage.routes[i];
        if (m_links->GetDirectLinks(one, other).size() < ports.CountDue(i))
        {
            return false;
        }
    }
    return true;
}

std::string
InstantCircuits::GetFaultOf(const Stage& stage) const
{
    for (const JoinedRanks& route : stage.routes)
    {
        const Rail& rail = m_links->FindRail(route.first);
        const Ptr<OpticalCircuitSwitch> railSwitch = rail.GetOpticalSwitch();
        if (!railSwitch)
        {
            continue;
        }
        for (const RailLink& link : m_links->GetDirectLinks(route.first, route.second))
        {
            const std::string why = railSwitch->GetWhyDark(
                rail.GetSwitchPort(m_links->GetPlace(route.first), link.here));
            if (!why.empty())
            {
                return why;
            }
        }
    }
    return "";
}

bool
InstantCircuits::IsInTheWay(const Stage& waiting, bool joined) const
{
    for (const auto& [number, running] : m_running)
    {
        if (joined && running.plans == 0)
        {
            continue; // its circuits will not change; a queued plan has not changed the map
        }
        for (const RankId rank : waiting.ends)
        {
            if (running.ends.count(rank) != 0)
            {
                return true;
            }
        }
    }
    return !joined && IsBlocked(waiting);
}

bool
InstantCircuits::IsBlocked(const Stage& waiting) const
{
    std::set<const Rail*> busy; // whose fabric has circuits of stages in progress
    for (const auto& [number, running] : m_running)
    {
        for (const auto& [one, other] : running.routes)
        {
            const Rail& rail = m_links->FindRail(one);
            if (MayBlock(rail))
            {
                busy.insert(&rail);
            }
        }
    }
    if (busy.empty())
    {
        return false; // a refusal now would be one for good
    }
    const std::map<const Rail*, CircuitPlan> plans = MakePlans(waiting);
    return std::any_of(plans.begin(), plans.end(), [&busy](const auto& plan) {
        return busy.count(plan.first) != 0 &&
               !plan.first->GetOpticalSwitch()->GetWhyBlocked(plan.second).empty();
    });
}

void
InstantCircuits::Proceed()
{
    if (m_proceeding)
    {
        return; // the call that is under way repeats the search
    }
    m_proceeding = true;
    for (auto stage = m_waiting.begin(); stage != m_waiting.end();)
    {
        const bool joined = IsJoined(*stage);
        if (IsInTheWay(*stage, joined))
        {
            ++stage;
            continue;
        }
        const uint64_t number = m_numbers++;
        Stage& running = m_running[number];
        running = std::move(*stage);
        m_waiting.erase(stage);
        running.open = running.ranks.size();
        if (joined)
        {
            running.why = GetFaultOf(running); // set, but possibly without light
            Answer(running);
        }
        else
        {
            Program(running, number);
        }
        stage = m_waiting.begin(); // the state may have changed
    }
    m_proceeding = false;
}

std::map<const Rail*, std::vector<Circuit>>
InstantCircuits::MakeCircuits(const std::vector<JoinedRanks>& routes, PairPorts& ports) const
{
    const auto loss = [](RankId, uint32_t) { return uint32_t{0}; }; // all ranks have all ports free
    std::map<const Rail*, std::vector<Circuit>> wanted;
    for (std::size_t i = 0; i < routes.size(); ++i)
    {
        const auto& [one, other] = routes[i];
        const Rail& rail = m_links->FindRail(one);
        while (ports.CountDue(i) > 0)
        {
            const RailLink link = ports.Join(i, loss).value();
            wanted[&rail].emplace_back(rail.GetSwitchPort(m_links->GetPlace(one), link.here),
                                       rail.GetSwitchPort(m_links->GetPlace(other), link.there));
        }
    }
    return wanted;
}

std::vector<PortId>
InstantCircuits::GetPortsToClear(const Rail& rail, const Stage& stage) const
{
    std::vector<PortId> ports;
    if (!MayBlock(rail))
    {
        return ports;
    }
    std::set<RankId> busy = stage.ends;
    for (const auto& [number, running] : m_running)
    {
        busy.insert(running.ends.begin(), running.ends.end());
    }
    const CircuitMap& map = rail.GetOpticalSwitch()->GetMap();
    std::set<PortId> kept;
    for (const RankId rank : busy)
    {
        if (&m_links->FindRail(rank) != &rail)
        {
            continue;
        }
        for (uint32_t port = 0; port < rail.GetPortsPerGpu(); ++port)
        {
            kept.insert(rail.GetSwitchPort(m_links->GetPlace(rank), port));
        }
    }
    for (const Circuit& circuit : map.GetCircuits())
    {
        if (kept.count(circuit.low) == 0 && kept.count(circuit.high) == 0)
        {
            ports.push_back(circuit.low);
        }
    }
    return ports;
}

std::map<const Rail*, CircuitPlan>
InstantCircuits::MakePlans(const Stage& stage) const
{
    const std::vector<JoinedRanks>& pairs = stage.routes;
    PairPorts ports = DividePorts(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        for (const RailLink& link : m_links->GetDirectLinks(pairs[i].first, pairs[i].second))
        {
            ports.Keep(i, link);
        }
    }
    std::map<const Rail*, CircuitPlan> plans;
    for (const auto& [rail, circuits] : MakeCircuits(pairs, ports))
    {
        const Ptr<OpticalCircuitSwitch> railSwitch = rail->GetOpticalSwitch();
        NS_ABORT_MSG_UNLESS(railSwitch,
                            "InstantCircuits: rail " << rail->GetId() << " is not optical");
        plans[rail] = railSwitch->GetMap().PlanTowards(circuits, GetPortsToClear(*rail, stage));
    }
    return plans;
}

void
InstantCircuits::Program(Stage& stage, uint64_t number)
{
    ++m_reconfigurations;
    const std::map<const Rail*, CircuitPlan> plans = MakePlans(stage);
    stage.plans = plans.size();
    for (const auto& [rail, plan] : plans)
    {
        const CircuitPlanReport report = rail->GetOpticalSwitch()->Apply(
            plan,
            MakeCallback(&InstantCircuits::Programmed, this).Bind(number));
        if (report.status == CircuitPlanStatus::DONE || report.status == CircuitPlanStatus::REFUSED)
        {
            Programmed(number, report);
        }
    }
}

void
InstantCircuits::Programmed(uint64_t number, const CircuitPlanReport& report)
{
    const auto running = m_running.find(number);
    if (running == m_running.end())
    {
        return; // the simulation is over
    }
    if (report.status != CircuitPlanStatus::DONE)
    {
        running->second.why = report.message;
    }
    if (--running->second.plans == 0)
    {
        Answer(running->second);
        Proceed(); // some stages may need these circuits
    }
}

void
InstantCircuits::Answer(Stage& stage)
{
    CircuitAnswer answer;
    answer.links = std::make_shared<const StageLinks>(m_links, stage.routes);
    if (!stage.why.empty())
    {
        answer.network = CircuitAnswer::Network::NONE;
        answer.why = stage.why;
    }
    const std::vector<Call> calls = stage.calls; // callbacks may add requests
    for (const Call& call : calls)
    {
        call.callback(answer);
    }
    for (const Call& call : calls)
    {
        for (const CircuitRequest& later : m_serverCalls.Answered(call.request))
        {
            Add(later);
        }
    }
}

} // namespace ns3
