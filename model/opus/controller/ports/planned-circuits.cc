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
    if (whole)
    {
        for (const PortId port : plan.GetPorts())
        {
            Reconfigure({open.rail, port}, number);
        }
    }
    for (const Circuit& circuit : plan.GetConnects())
    {
        Reconfigure({open.rail, circuit.low}, number).coming = circuit.high;
        Reconfigure({open.rail, circuit.high}, number).coming = circuit.low;
    }
}

PlannedCircuits::Reconfiguration&
PlannedCircuits::Reconfigure(const RailPort& port, uint64_t number)
{
    Reconfiguration& its = m_reconfiguring[port];
    if (its.plan != number)
    {
        its = {number, std::nullopt};
        if (m_wholeSwitch.count(port.rail) != 0)
        {
            m_onWhole.insert(port);
        }
    }
    return its;
}

const PlannedCircuits::Reconfiguration*
PlannedCircuits::FindReconfiguration(const RailPort& port) const
{
    const Reconfiguration* its = m_reconfiguring.Find(port);
    return its && its->plan ? its : nullptr;
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
    m_reconfiguring.ForEach([&](const RailPort& port, const Reconfiguration& its) {
        if (its.plan && IsUncertain(*its.plan))
        {
            ports.insert(port);
        }
    });
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
            for (const PortId port : {circuit.low, circuit.high})
            {
                if (!FindReconfiguration({open.rail, port}))
                {
                    Reconfigure({open.rail, port}, number); // else another plan answers for it
                }
            }
        }
    }
}

std::vector<RankId>
PlannedCircuits::Close(uint64_t number)
{
    std::vector<RankId> ranks;
    const auto found = m_plans.find(number);
    const OpenPlan& open = found->second;
    for (const PortId port : open.plan.GetPorts())
    {
        const RailPort there{open.rail, port};
        Reconfiguration* its = m_reconfiguring.Find(there);
        if (its && its->plan == number)
        {
            *its = {};
            m_onWhole.erase(there);
        }
        ranks.push_back(RankAt(there));
    }
    m_plans.erase(found);
    KeepUncertain();
    Restore(ranks);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

void
PlannedCircuits::Forget(uint64_t done)
{
    const RailId rail = m_plans.at(done).rail;
    std::vector<PortId> ports; // in order
    const auto isGone = [&ports](const Circuit& circuit) {
        return std::binary_search(ports.begin(), ports.end(), circuit.low) ||
               std::binary_search(ports.begin(), ports.end(), circuit.high);
    };
    for (auto& [number, open] : m_plans)
    {
        if (open.rail == rail && number != done && !open.taken.empty())
        {
            if (ports.empty())
            {
                ports = GetConnectedPorts(m_plans.at(done).plan);
                std::sort(ports.begin(), ports.end());
            }
            open.taken.erase(std::remove_if(open.taken.begin(), open.taken.end(), isGone),
                             open.taken.end());
        }
    }
}

std::vector<RankId>
PlannedCircuits::Done(uint64_t number, const std::vector<Circuit>& dark)
{
    const OpenPlan& open = m_plans.at(number);
    CircuitPlan ups;
    CircuitPlan downs;
    for (const Circuit& circuit : open.plan.GetConnects())
    {
        ups.Connect(circuit.low, circuit.high);
        if (std::find(dark.begin(), dark.end(), circuit) != dark.end())
        {
            downs.Disconnect(circuit.low, circuit.high);
        }
    }
    CircuitMap& map = m_circuits[open.rail.Get()];
    const PlanCheck check = map.Check(ups);
    NS_ABORT_MSG_UNLESS(check.IsAccepted(), "PortLedger: plan " << number << ": " << check.message);
    map.Apply(ups);
    Forget(number);
    const std::vector<RankId> ranks = Close(number);
    map.Apply(downs); // only now: the earlier circuits at these ports are gone too
    return ranks;
}

std::vector<RankId>
PlannedCircuits::Abandon(uint64_t number)
{
    const OpenPlan& open = m_plans.at(number);
    for (const Circuit& circuit : open.taken)
    {
        m_lost.push_back({open.rail, circuit});
    }
    return Close(number);
}

void
PlannedCircuits::Restore(std::vector<RankId>& ranks)
{
    for (auto lost = m_lost.begin(); lost != m_lost.end();)
    {
        const RailPort low{lost->rail, lost->circuit.low};
        const RailPort high{lost->rail, lost->circuit.high};
        CircuitMap& map = m_circuits[lost->rail.Get()];
        const bool isGone = map.GetPeer(low.port) || map.GetPeer(high.port);
        if (!isGone && (FindReconfiguration(low) || FindReconfiguration(high)))
        {
            ++lost; // another plan has its ports, and will fail if the circuit stands
            continue;
        }
        if (!isGone)
        {
            map.Apply(CircuitPlan().Connect(low.port, high.port));
        }
        ranks.insert(ranks.end(), {RankAt(low), RankAt(high)});
        lost = m_lost.erase(lost);
    }
}

std::optional<uint64_t>
PlannedCircuits::FindPlan(const RailPort& port) const
{
    if (!m_onWhole.empty() && m_wholeSwitch.count(port.rail) != 0)
    {
        const auto first = m_onWhole.lower_bound({port.rail, PortId(0)});
        return first != m_onWhole.end() && first->rail == port.rail
                   ? m_reconfiguring.Find(*first)->plan
                   : std::nullopt;
    }
    const Reconfiguration* its = m_reconfiguring.Find(port);
    return its ? its->plan : std::nullopt;
}

std::optional<Picoseconds>
PlannedCircuits::FindBusyUntil(const RailPort& port) const
{
    const Reconfiguration* its = FindReconfiguration(port);
    return its ? std::optional<Picoseconds>(m_plans.at(*its->plan).busyUntil) : std::nullopt;
}

std::optional<PortId>
PlannedCircuits::FindComing(const RailPort& port) const
{
    const Reconfiguration* its = FindReconfiguration(port);
    return its && its->coming && !IsUncertain(*its->plan) ? its->coming : std::nullopt;
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
