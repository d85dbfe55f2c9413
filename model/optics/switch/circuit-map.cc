/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-map.h"

#include "ns3/assert.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** Builds a check from the parts of its message. */
template <typename... Parts>
PlanCheck
Refuse(CircuitPlanRefusal refusal, const Parts&... parts)
{
    std::ostringstream message;
    (message << ... << parts);
    return PlanCheck{refusal, message.str()};
}

bool
Contains(const std::vector<Circuit>& circuits, const Circuit& circuit)
{
    return std::find(circuits.begin(), circuits.end(), circuit) != circuits.end();
}

} // namespace

const char*
ToString(CircuitPlanRefusal refusal)
{
    switch (refusal)
    {
    case CircuitPlanRefusal::NONE:
        return "none";
    case CircuitPlanRefusal::UNKNOWN_PORT:
        return "unknown-port";
    case CircuitPlanRefusal::PORT_TO_ITSELF:
        return "port-to-itself";
    case CircuitPlanRefusal::SAME_PORT_TWICE:
        return "same-port-twice";
    case CircuitPlanRefusal::NO_SUCH_CIRCUIT:
        return "no-such-circuit";
    case CircuitPlanRefusal::PORT_IN_USE:
        return "port-in-use";
    case CircuitPlanRefusal::PORT_RECONFIGURING:
        return "port-reconfiguring";
    case CircuitPlanRefusal::NO_POWER:
        return "no-power";
    case CircuitPlanRefusal::BLOCKED:
        return "blocked";
    }
    return "unknown";
}

PortId
CircuitMap::AddPort()
{
    m_entries.emplace_back();
    return PortId(m_entries.size() - 1);
}

uint32_t
CircuitMap::GetPorts() const
{
    return m_entries.size();
}

std::optional<PortId>
CircuitMap::GetPeer(PortId port) const
{
    return m_entries.at(port.Get()).peer;
}

uint64_t
CircuitMap::GetEpoch(PortId port) const
{
    return m_entries.at(port.Get()).epoch;
}

std::vector<Circuit>
CircuitMap::GetCircuits() const
{
    std::vector<Circuit> circuits;
    for (uint32_t i = 0; i < m_entries.size(); ++i)
    {
        if (m_entries[i].peer && PortId(i) < *m_entries[i].peer)
        {
            circuits.emplace_back(PortId(i), *m_entries[i].peer);
        }
    }
    return circuits;
}

PlanCheck
CircuitMap::CheckHalf(const std::vector<Circuit>& half, const char* verb) const
{
    std::set<PortId> seen;
    for (const Circuit& circuit : half)
    {
        for (PortId port : {circuit.low, circuit.high})
        {
            if (port.Get() >= m_entries.size())
            {
                return Refuse(CircuitPlanRefusal::UNKNOWN_PORT,
                              "cannot ",
                              verb,
                              " ",
                              circuit,
                              ": there is no port ",
                              port,
                              "; the switch has ",
                              m_entries.size(),
                              " ports, counted from 0");
            }
        }
        if (circuit.low == circuit.high)
        {
            return Refuse(CircuitPlanRefusal::PORT_TO_ITSELF,
                          "cannot ",
                          verb,
                          " ",
                          circuit,
                          ": a circuit joins two different ports");
        }
        for (PortId port : {circuit.low, circuit.high})
        {
            if (!seen.insert(port).second)
            {
                return Refuse(CircuitPlanRefusal::SAME_PORT_TWICE,
                              "cannot ",
                              verb,
                              " ",
                              circuit,
                              ": the plan names port ",
                              port,
                              " twice, and a port has at most one circuit; name it once");
            }
        }
    }
    return {};
}

bool
CircuitMap::IsPossible(const CircuitPlan& plan) const
{
    m_marks.resize(m_entries.size());
    const uint64_t down = ++m_lastMark;
    const uint64_t up = ++m_lastMark;
    const auto isIn = [this](PortId port) { return port.Get() < m_entries.size(); };
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        if (!isIn(circuit.low) || !isIn(circuit.high) || circuit.low == circuit.high ||
            GetPeer(circuit.low) != circuit.high)
        {
            return false;
        }
        // a port has one circuit, so that the plan names a port twice only if it names this twice
        if (std::exchange(m_marks[circuit.low.Get()], down) == down)
        {
            return false;
        }
        m_marks[circuit.high.Get()] = down;
    }
    for (const Circuit& circuit : plan.GetConnects())
    {
        if (!isIn(circuit.low) || !isIn(circuit.high) || circuit.low == circuit.high)
        {
            return false;
        }
        const bool stands = GetPeer(circuit.low) == circuit.high;
        for (const PortId port : {circuit.low, circuit.high})
        {
            const uint64_t before = std::exchange(m_marks[port.Get()], up);
            if (before == up || (before != down && !stands && GetPeer(port)))
            {
                return false;
            }
        }
    }
    return true;
}

PlanCheck
CircuitMap::Check(const CircuitPlan& plan) const
{
    if (IsPossible(plan))
    {
        return {};
    }
    for (PlanCheck check :
         {CheckHalf(plan.GetDisconnects(), "disconnect"), CheckHalf(plan.GetConnects(), "connect")})
    {
        if (!check.IsAccepted())
        {
            return check;
        }
    }
    for (const Circuit& circuit : plan.GetDisconnects())
    {
        const std::optional<PortId> peer = GetPeer(circuit.low);
        if (peer == circuit.high)
        {
            continue;
        }
        std::ostringstream there;
        if (peer)
        {
            there << "is joined to port " << *peer;
        }
        else
        {
            there << "is joined to none";
        }
        return Refuse(CircuitPlanRefusal::NO_SUCH_CIRCUIT,
                      "cannot disconnect ",
                      circuit,
                      ": port ",
                      circuit.low,
                      " ",
                      there.str(),
                      "; name a circuit that is there");
    }
    for (const Circuit& circuit : plan.GetConnects())
    {
        for (PortId port : {circuit.low, circuit.high})
        {
            const std::optional<PortId> peer = GetPeer(port);
            if (!peer || Circuit(port, *peer) == circuit ||
                Contains(plan.GetDisconnects(), Circuit(port, *peer)))
            {
                continue;
            }
            return Refuse(CircuitPlanRefusal::PORT_IN_USE,
                          "cannot connect ",
                          circuit,
                          ": port ",
                          port,
                          " is in use by circuit ",
                          Circuit(port, *peer),
                          "; disconnect that circuit in the same plan");
        }
    }
    return {};
}

CircuitChange
CircuitMap::GetChange(const CircuitPlan& plan) const
{
    CircuitChange change;
    change.removed = plan.GetDisconnects();
    for (const Circuit& circuit : plan.GetConnects())
    {
        if (GetPeer(circuit.low) != circuit.high || Contains(change.removed, circuit))
        {
            change.added.push_back(circuit); // else the circuit exists already
        }
    }
    return change;
}

CircuitChange
CircuitMap::Apply(const CircuitPlan& plan)
{
    NS_ASSERT_MSG(Check(plan).IsAccepted(), Check(plan).message);
    CircuitChange change = GetChange(plan);
    Apply(change);
    return change;
}

void
CircuitMap::Apply(const CircuitChange& change)
{
    for (const Circuit& circuit : change.removed)
    {
        m_entries[circuit.low.Get()].peer.reset();
        m_entries[circuit.high.Get()].peer.reset();
    }
    for (const Circuit& circuit : change.added)
    {
        m_entries[circuit.low.Get()].peer = circuit.high;
        m_entries[circuit.high.Get()].peer = circuit.low;
        Renew(circuit);
    }
}

void
CircuitMap::Renew(const Circuit& circuit)
{
    ++m_epochs;
    m_entries[circuit.low.Get()].epoch = m_epochs;
    m_entries[circuit.high.Get()].epoch = m_epochs;
}

CircuitPlan
CircuitMap::PlanTowards(const std::vector<Circuit>& wanted, const std::vector<PortId>& ports) const
{
    CircuitPlan plan;
    std::vector<Circuit> inOrder = wanted;
    std::sort(inOrder.begin(), inOrder.end());
    std::vector<Circuit> inTheWay;
    const auto clear = [&](PortId port) {
        if (port.Get() >= m_entries.size() || !GetPeer(port))
        {
            return;
        }
        const Circuit there(port, *GetPeer(port));
        if (!std::binary_search(inOrder.begin(), inOrder.end(), there))
        {
            inTheWay.push_back(there);
        }
    };
    for (const Circuit& circuit : wanted)
    {
        clear(circuit.low);
        clear(circuit.high);
    }
    std::for_each(ports.begin(), ports.end(), clear);
    std::sort(inTheWay.begin(), inTheWay.end());
    inTheWay.erase(std::unique(inTheWay.begin(), inTheWay.end()), inTheWay.end());
    for (const Circuit& circuit : inTheWay)
    {
        plan.Disconnect(circuit.low, circuit.high);
    }
    for (const Circuit& circuit : wanted)
    {
        if (circuit.low.Get() >= m_entries.size() || GetPeer(circuit.low) != circuit.high)
        {
            plan.Connect(circuit.low, circuit.high); // Check() reports an unknown port
        }
    }
    return plan;
}

} // namespace ns3
