/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "planned-circuits.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** @return the ports that a plan joins */
std::vector<PortId>
GetConnectedPorts(const CircuitPlan& plan)
{
    std::vector<PortId> ports;
    for (const Circuit& circuit : plan.GetConnects())
    {
        ports.insert(ports.end(), {circuit.low, circuit.high});
    }
    return ports;
}

} // namespace

PlannedCircuits::PlannedCircuits(std::shared_ptr<const Cabling> cabling,
                                 std::set<RailId> wholeSwitch)
    : m_cabling(std::move(cabling)),
      m_wholeSwitch(std::move(wholeSwitch)),
      m_circuits(MakeDarkRails(*m_cabling))
{
}

const RailCircuits&
PlannedCircuits::GetCircuits() const
{
    return m_circuits;
}

bool
PlannedCircuits::Adopt(RailId rail, const CircuitPlan& standing)
{
    CircuitMap& map = m_circuits[rail.Get()];
    if (!map.Check(standing).IsAccepted())
    {
        return false;
    }
    map.Apply(standing);
    return true;
}

void
PlannedCircuits::Start(uint64_t number, RailId rail, Picoseconds busyUntil)
{
    NS_ABORT_MSG_UNLESS(m_plans.emplace(number, OpenPlan{rail, {}, busyUntil, false, {}}).second,
                        "PortLedger: there is a plan " << number << " already");
}

void
PlannedCircuits::Extend(uint64_t number, const CircuitPlan& plan)
{
    OpenPlan& open = m_plans.at(number);
    CircuitPlan downs;
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        downs.Disconnect(circuit.low, circuit.high);
        open.plan.Disconnect(circuit.low, circuit.high);
        open.taken.push_back(circuit);
    }
    for (const Circuit& circuit : plan.GetConnects())
    {
        open.plan.Connect(circuit.low, circuit.high);
    }
    m_circuits[open.rail.Get()].Apply(downs);
    const bool whole = m_wholeSwitch.count(open.rail) != 0;
    for (const PortId port : whole ? plan.GetPorts() : GetConnectedPorts(plan))
    {
        m_reconfiguring[{open.rail, port}] = number;
    }
}

bool
PlannedCircuits::IsOpen(uint64_t number) const
{
    return m_plans.count(number) != 0;
}

bool
PlannedCircuits::HasOpen() const
{
    return !m_plans.empty();
}

bool
PlannedCircuits::IsUncertain(uint64_t number) const
{
    return m_plans.at(number).uncertain;
}

bool
PlannedCircuits::HasUncertain() const
{
    return std::any_of(m_plans.begin(), m_plans.end(), [](const auto& plan) {
        return plan.second.uncertain;
    });
}

std::set<RailPort>
PlannedCircuits::ListUncertain() const
{
    std::set<RailPort> ports;
    for (const auto& [port, plan] : m_reconfiguring)
    {
        if (IsUncertain(plan))
        {
            ports.insert(port);
        }
    }
    return ports;
}

RailId
PlannedCircuits::GetRail(uint64_t number) const
{
    return m_plans.at(number).rail;
}

const CircuitPlan&
PlannedCircuits::GetPlan(uint64_t number) const
{
    return m_plans.at(number).plan;
}

void
PlannedCircuits::MarkUncertain(uint64_t number)
{
    m_plans.at(number).uncertain = true;
    KeepUncertain();
}

void
PlannedCircuits::KeepUncertain()
{
    for (const auto& [number, open] : m_plans)
    {
        for (const Circuit& circuit : open.uncertain ? open.taken : std::vector<Circuit>())
        {
            // unless another plan changes it, which answers for it then
            m_reconfiguring.emplace(RailPort{open.rail, circuit.low}, number);
            m_reconfiguring.emplace(RailPort{open.rail, circuit.high}, number);
        }
    }
}

std::set<RankId>
PlannedCircuits::Close(uint64_t number)
{
    std::set<RankId> ranks;
    const OpenPlan& open = m_plans.at(number);
    for (const PortId port : open.plan.GetPorts())
    {
        const auto reconfiguration = m_reconfiguring.find({open.rail, port});
        if (reconfiguration != m_reconfiguring.end() && reconfiguration->second == number)
        {
            m_reconfiguring.erase(reconfiguration);
        }
        ranks.insert(RankAt({open.rail, port}));
    }
    m_plans.erase(number);
    KeepUncertain();
    const std::set<RankId> restored = Restore();
    ranks.insert(restored.begin(), restored.end());
    return ranks;
}

void
PlannedCircuits::Forget(RailId rail, const std::vector<PortId>& ports)
{
    const auto isGone = [&ports](const Circuit& circuit) {
        return std::any_of(ports.begin(), ports.end(), [&circuit](PortId port) {
            return circuit.low == port || circuit.high == port;
        });
    };
    for (auto& [number, open] : m_plans)
    {
        if (open.rail == rail)
        {
            open.taken.erase(std::remove_if(open.taken.begin(), open.taken.end(), isGone),
                             open.taken.end());
        }
    }
}

std::set<RankId>
PlannedCircuits::Done(uint64_t number, const std::vector<Circuit>& dark)
{
    const OpenPlan& open = m_plans.at(number);
    CircuitPlan ups;
    for (const Circuit& circuit : open.plan.GetConnects())
    {
        ups.Connect(circuit.low, circuit.high);
    }
    const PlanCheck check = m_circuits[open.rail.Get()].Check(ups);
    NS_ABORT_MSG_UNLESS(check.IsAccepted(), "PortLedger: plan " << number << ": " << check.message);
    CircuitMap& map = m_circuits[open.rail.Get()];
    map.Apply(ups);
    CircuitPlan downs;
    for (const Circuit& circuit : ups.GetConnects())
    {
        if (std::find(dark.begin(), dark.end(), circuit) != dark.end())
        {
            downs.Disconnect(circuit.low, circuit.high);
        }
    }
    Forget(open.rail, GetConnectedPorts(open.plan));
    const std::set<RankId> ranks = Close(number);
    map.Apply(downs); // only now: the earlier circuits at these ports are gone too
    return ranks;
}

std::set<RankId>
PlannedCircuits::Abandon(uint64_t number)
{
    const OpenPlan& open = m_plans.at(number);
    for (const Circuit& circuit : open.taken)
    {
        m_lost.push_back({open.rail, circuit});
    }
    return Close(number);
}

std::set<RankId>
PlannedCircuits::Restore()
{
    std::set<RankId> ranks;
    for (auto lost = m_lost.begin(); lost != m_lost.end();)
    {
        const RailPort low{lost->rail, lost->circuit.low};
        const RailPort high{lost->rail, lost->circuit.high};
        CircuitMap& map = m_circuits[lost->rail.Get()];
        const bool isGone = map.GetPeer(low.port) || map.GetPeer(high.port);
        if (!isGone && (m_reconfiguring.count(low) != 0 || m_reconfiguring.count(high) != 0))
        {
            ++lost; // another plan has its ports, and will fail if the circuit stands
            continue;
        }
        if (!isGone)
        {
            map.Apply(CircuitPlan().Connect(low.port, high.port));
        }
        ranks.insert({RankAt(low), RankAt(high)});
        lost = m_lost.erase(lost);
    }
    return ranks;
}

std::optional<uint64_t>
PlannedCircuits::FindPlan(const RailPort& port) const
{
    const bool whole = m_wholeSwitch.count(port.rail) != 0;
    const auto reconfiguration =
        whole ? m_reconfiguring.lower_bound({port.rail, PortId(0)}) : m_reconfiguring.find(port);
    return reconfiguration != m_reconfiguring.end() && reconfiguration->first.rail == port.rail
               ? std::optional<uint64_t>(reconfiguration->second)
               : std::nullopt;
}

std::optional<Picoseconds>
PlannedCircuits::FindBusyUntil(const RailPort& port) const
{
    const auto reconfiguration = m_reconfiguring.find(port);
    return reconfiguration == m_reconfiguring.end()
               ? std::nullopt
               : std::optional<Picoseconds>(m_plans.at(reconfiguration->second).busyUntil);
}

std::optional<PortId>
PlannedCircuits::FindComing(const RailPort& port) const
{
    const auto reconfiguration = m_reconfiguring.find(port);
    if (reconfiguration == m_reconfiguring.end() || m_plans.at(reconfiguration->second).uncertain)
    {
        return std::nullopt;
    }
    for (const Circuit& circuit : m_plans.at(reconfiguration->second).plan.GetConnects())
    {
        if (circuit.low == port.port || circuit.high == port.port)
        {
            return circuit.low == port.port ? circuit.high : circuit.low;
        }
    }
    return std::nullopt;
}

std::optional<Circuit>
PlannedCircuits::FindLost(const RailPort& port) const
{
    const auto lost = std::find_if(m_lost.begin(), m_lost.end(), [&port](const LostCircuit& one) {
        return one.rail == port.rail &&
               (one.circuit.low == port.port || one.circuit.high == port.port);
    });
    return lost == m_lost.end() ? std::nullopt : std::optional<Circuit>(lost->circuit);
}

RankId
PlannedCircuits::RankAt(const RailPort& port) const
{
    return m_cabling->FindNicPort(port)->rank;
}

std::string
PlannedCircuits::Describe() const
{
    std::ostringstream words;
    for (uint32_t rail = 0; rail < m_circuits.size(); ++rail)
    {
        words << "rail " << rail << ":";
        for (const Circuit& circuit : m_circuits[rail].GetCircuits())
        {
            words << " " << circuit;
        }
        words << "\n";
    }
    for (const auto& [number, open] : m_plans)
    {
        words << "plan " << number << " of rail " << open.rail << ": " << open.plan << " until "
              << open.busyUntil << (open.uncertain ? ", uncertain" : "");
        for (const Circuit& circuit : open.taken)
        {
            words << ", else " << circuit;
        }
        words << "\n";
    }
    for (const LostCircuit& lost : m_lost)
    {
        words << "perhaps " << lost.circuit << " on rail " << lost.rail << "\n";
    }
    return words.str();
}

} // namespace ns3
