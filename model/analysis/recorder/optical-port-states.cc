/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "optical-port-states.h"

#include "ns3/abort.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/simulator.h"

namespace ns3
{

OpticalPortStates::OpticalPortStates(OpticalCircuitSwitch& middle, const Entered& entered)
    : m_switch(middle),
      m_entered(entered)
{
}

void
OpticalPortStates::Observe(OpticalCircuitSwitch& middle, const Entered& entered)
{
    const auto states = Create<OpticalPortStates>(middle, entered);
    states->Look();
    const auto listen = [&middle](const char* trace, const CallbackBase& callback) {
        const bool connected = middle.TraceConnectWithoutContext(trace, callback);
        NS_ABORT_MSG_UNLESS(connected, "OpticalPortStates: there is no trace source " << trace);
    };
    listen("CircuitUp", MakeCallback(&OpticalPortStates::CircuitUp, states));
    listen("CircuitDown", MakeCallback(&OpticalPortStates::CircuitDown, states));
    listen("PlanAccepted", MakeCallback(&OpticalPortStates::PlanAccepted, states));
    listen("PlanEnded", MakeCallback(&OpticalPortStates::PlanEnded, states));
}

void
OpticalPortStates::Look()
{
    const CircuitMap& map = m_switch.GetMap();
    for (const Circuit& circuit : map.GetCircuits())
    {
        if (m_switch.IsUp(circuit.low))
        {
            CircuitUp(circuit.low, circuit.high, map.GetEpoch(circuit.low));
        }
        else
        {
            const bool turns = m_switch.IsReconfiguring(circuit.low);
            Enter(circuit.low, {turns ? Kind::RECONFIGURING : Kind::DARK});
            Enter(circuit.high, {turns ? Kind::RECONFIGURING : Kind::DARK});
        }
    }
}

OpticalPortStates::Kind
OpticalPortStates::GetKind(PortId port) const
{
    return port.Get() < m_kinds.size() ? m_kinds[port.Get()] : Kind::FREE;
}

void
OpticalPortStates::Enter(PortId port, const State& state)
{
    if (port.Get() >= m_kinds.size())
    {
        m_kinds.resize(port.Get() + 1, Kind::FREE);
    }
    m_kinds[port.Get()] = state.kind;
    if (state.kind == Kind::RECONFIGURING)
    {
        m_reconfiguring.insert(port);
    }
    else
    {
        m_reconfiguring.erase(port);
    }
    m_entered(port, state);
}

void
OpticalPortStates::CircuitUp(PortId low, PortId high, uint64_t epoch)
{
    Enter(low, {Kind::LIT, high, epoch});
    Enter(high, {Kind::LIT, low, epoch});
}

void
OpticalPortStates::CircuitDown(PortId low, PortId high, uint64_t)
{
    // an accepted plan takes its circuits down at that instant; else the cause is a fault
    const bool isPlan = m_accepted == Simulator::Now();
    for (const PortId port : {low, high})
    {
        const bool turns = m_joined.count(port) != 0 || m_switch.IsWholeSwitch();
        Enter(port, {!isPlan ? Kind::DARK : turns ? Kind::RECONFIGURING : Kind::FREE});
    }
}

void
OpticalPortStates::PlanAccepted(uint64_t, const CircuitPlan& what)
{
    m_accepted = Simulator::Now();
    m_joined.clear();
    for (const Circuit& circuit : what.GetConnects())
    {
        m_joined.insert({circuit.low, circuit.high});
    }
    for (const PortId port : what.GetPorts())
    {
        const Kind kind = GetKind(port);
        if (kind == Kind::FREE || kind == Kind::DARK) // CircuitDown reports a lit one
        {
            Enter(port, {m_joined.count(port) != 0 ? Kind::RECONFIGURING : Kind::FREE});
        }
    }
}

void
OpticalPortStates::PlanEnded(const CircuitPlanReport&)
{
    // a port with a new circuit has reported by now, unless it is stuck; the others have settled
    const std::set<PortId> reconfiguring = m_reconfiguring;
    for (const PortId port : reconfiguring)
    {
        if (!m_switch.IsReconfiguring(port))
        {
            Enter(port, {m_switch.GetMap().GetPeer(port) ? Kind::DARK : Kind::FREE});
        }
    }
}

} // namespace ns3
