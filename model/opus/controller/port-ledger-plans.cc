/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-ledger.h"

#include "ns3/abort.h"

#include <algorithm>

// What agents are told to change, and what they say of it, in the order in which it happens.

namespace ns3
{

namespace
{

/** @return the ports that a plan gives a circuit */
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

std::string
PortLedger::GetWhyNot(RailId rail, const CircuitPlan& plan) const
{
    if (rail.Get() >= m_circuits.size())
    {
        return "there is no rail " + std::to_string(rail.Get());
    }
    const PlanCheck check = m_circuits[rail.Get()].Check(plan);
    if (!check.IsAccepted())
    {
        return check.message;
    }
    for (const PortId number : plan.GetPorts())
    {
        const std::string whyNot = GetWhyNot({rail, number});
        if (!whyNot.empty())
        {
            return whyNot;
        }
    }
    return "";
}

void
PortLedger::Start(uint64_t number, RailId rail, const CircuitPlan& plan, Picoseconds busyUntil)
{
    NS_ABORT_MSG_UNLESS(m_plans.emplace(number, OpenPlan{rail, {}, busyUntil, false, {}}).second,
                        "PortLedger: there is a plan " << number << " already");
    Extend(number, plan);
}

void
PortLedger::Extend(uint64_t number, const CircuitPlan& plan)
{
    OpenPlan& open = m_plans.at(number);
    const std::string whyNot = GetWhyNot(open.rail, plan);
    NS_ABORT_MSG_UNLESS(whyNot.empty(), "PortLedger: plan " << number << ": " << whyNot);
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
PortLedger::IsOpen(uint64_t number) const
{
    return m_plans.count(number) != 0;
}

RailId
PortLedger::GetRail(uint64_t number) const
{
    return m_plans.at(number).rail;
}

const CircuitPlan&
PortLedger::GetPlan(uint64_t number) const
{
    return m_plans.at(number).plan;
}

void
PortLedger::MarkUncertain(uint64_t number)
{
    m_plans.at(number).uncertain = true;
    KeepUncertain();
}

void
PortLedger::KeepUncertain()
{
    for (const auto& [number, open] : m_plans)
    {
        for (const Circuit& circuit : open.uncertain ? open.taken : std::vector<Circuit>())
        {
            // unless it turns for another, which answers for it then
            m_reconfiguring.emplace(RailPort{open.rail, circuit.low}, number);
            m_reconfiguring.emplace(RailPort{open.rail, circuit.high}, number);
        }
    }
}

std::set<RankId>
PortLedger::Close(uint64_t number)
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
PortLedger::Forget(RailId rail, const std::vector<PortId>& ports)
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
PortLedger::Done(uint64_t number, const std::vector<Circuit>& dark)
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
    map.Apply(downs); // only now: what was at their ports before is gone too
    return ranks;
}

std::set<RankId>
PortLedger::Abandon(uint64_t number)
{
    const OpenPlan& open = m_plans.at(number);
    for (const Circuit& circuit : open.taken)
    {
        m_lost.push_back({open.rail, circuit});
    }
    return Close(number);
}

std::set<RankId>
PortLedger::Restore()
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
            ++lost; // another plan has its ports, and is going to fail if it is there
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

} // namespace ns3
