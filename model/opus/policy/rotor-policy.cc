/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rotor-policy.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/opus-words.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RotorPolicy");

NS_OBJECT_ENSURE_REGISTERED(RotorPolicy);

TypeId
RotorPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RotorPolicy")
            .SetParent<CircuitPolicy>()
            .SetGroupName("PhotonicRails")
            .AddConstructor<RotorPolicy>()
            .AddAttribute("Slot",
                          "How long the circuits of a slot stand, their reconfiguration "
                          "included; more than 0.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&RotorPolicy::m_slot),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RotorPolicy::NotifyCabling()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_slot.IsStrictlyPositive(),
                        "RotorPolicy: a Slot of " << m_slot.GetPicoSeconds()
                                                  << " ps never ends; give more than 0");
    for (uint32_t rail = 0; rail < GetCabling().GetRails(); ++rail)
    {
        AddRail(RailId(rail));
    }
}

void
RotorPolicy::AddRail(RailId rail)
{
    std::set<std::pair<ServerId, RankId>> places;
    std::size_t ports = SIZE_MAX;
    for (uint32_t port = 0; port < GetCabling().GetSwitchPorts(rail); ++port)
    {
        if (const auto nic = GetCabling().FindNicPort({rail, PortId(port)}))
        {
            places.emplace(GetCabling().GetServer(nic->rank), nic->rank);
            ports = std::min(ports, GetCabling().GetPorts(nic->rank).size());
        }
    }
    if (places.empty())
    {
        return;
    }
    m_railOf[rail] = m_rails.size();
    m_rails.push_back({rail, {}, RotorSchedule(places.size(), ports)});
    for (const auto& [server, rank] : places)
    {
        m_placeOf[rank] = m_rails.back().ranks.size();
        m_rails.back().ranks.push_back(rank);
    }
    m_cycle = std::max(m_cycle, m_rails.back().schedule.GetSlots());
}

Time
RotorPolicy::GetSlot() const
{
    return m_slot;
}

uint32_t
RotorPolicy::GetCycle() const
{
    return m_cycle;
}

uint32_t
RotorPolicy::GetSlotOf(const JoinedRanks& pair) const
{
    // all routes between two servers are in one slot
    const JoinedRanks route = GetRoutes(pair, GetCabling()).at(0);
    return m_rails[m_railOf.at(GetCabling().GetRail(route.first))].schedule.GetSlot(
        m_placeOf.at(route.first),
        m_placeOf.at(route.second));
}

std::vector<RankCircuit>
RotorPolicy::FindStanding(const JoinedRanks& pair, const CircuitQuestion& question) const
{
    std::vector<RankCircuit> standing;
    for (const RankCircuit& there : FindCircuits(pair, question.circuits, GetCabling()))
    {
        const auto [one, other] = GetRailPorts(there, GetCabling());
        const bool turns = question.use.IsReconfiguring(one) || question.use.IsReconfiguring(other);
        if (!turns && GetCabling().FindOwner(one) == question.phase.job &&
            GetCabling().FindOwner(other) == question.phase.job)
        {
            standing.push_back(there);
        }
    }
    return standing;
}

std::string
RotorPolicy::GetWhyNever(const std::vector<JoinedRanks>& pairs) const
{
    std::optional<JoinedRanks> first;
    for (const JoinedRanks& pair : NormalizePairs(pairs))
    {
        if (GetRoutes(pair, GetCabling()).empty())
        {
            continue; // in one server
        }
        first = first.value_or(pair);
        if (GetSlotOf(pair) != GetSlotOf(*first))
        {
            std::ostringstream why;
            why << "no slot of the rotation joins all pairs: ranks " << first->first << " and "
                << first->second << " meet in slot " << GetSlotOf(*first) << ", ranks "
                << pair.first << " and " << pair.second << " in slot " << GetSlotOf(pair) << ", of "
                << m_cycle;
            return why.str();
        }
    }
    return "";
}

CircuitTarget
RotorPolicy::GetTarget(const CircuitQuestion& question)
{
    NS_LOG_FUNCTION(this << ToWords(question.phase));
    CircuitTarget target;
    CircuitTarget none;
    none.refusal = GetWhyNever(question.pairs);
    if (!none.IsPossible())
    {
        return none;
    }
    for (const JoinedRanks& pair : NormalizePairs(question.pairs))
    {
        const std::vector<RankCircuit> there = FindStanding(pair, question);
        if (there.empty())
        {
            none.waitsFor = "slot " + std::to_string(GetSlotOf(pair)) + " of the rotation";
        }
        target.circuits.insert(target.circuits.end(), there.begin(), there.end());
    }
    return none.waitsFor.empty() ? target : none;
}

CircuitTarget
RotorPolicy::GetRotation(uint64_t slot, const RailCircuits& circuits)
{
    NS_LOG_FUNCTION(this << slot);
    CircuitTarget target;
    const uint32_t ofCycle = slot % m_cycle;
    NS_LOG_INFO("slot " << slot << " has the circuits of slot " << ofCycle << " of " << m_cycle);
    for (const RailRotation& rotation : m_rails)
    {
        const bool rests = ofCycle >= rotation.schedule.GetSlots();
        std::set<Circuit> wanted;
        for (const RotorCircuit& circuit :
             rests ? std::vector<RotorCircuit>() : rotation.schedule.GetCircuits(ofCycle))
        {
            target.circuits.push_back({rotation.ranks[circuit.one],
                                       circuit.onePort,
                                       rotation.ranks[circuit.other],
                                       circuit.otherPort});
            const auto [one, other] = GetRailPorts(target.circuits.back(), GetCabling());
            wanted.emplace(one.port, other.port);
        }
        CircuitPlan plan;
        const CircuitMap& there = circuits[rotation.rail.Get()];
        for (const Circuit& circuit : there.GetCircuits())
        {
            if (wanted.erase(circuit) == 0) // circuits of the slot that stand already stay
            {
                plan.Disconnect(circuit.low, circuit.high);
            }
        }
        for (const Circuit& circuit : wanted)
        {
            plan.Connect(circuit.low, circuit.high);
        }
        if (!plan.IsEmpty())
        {
            target.changes.emplace(rotation.rail, plan);
        }
    }
    return target;
}

} // namespace ns3
