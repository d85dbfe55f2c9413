/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPTICAL_PORT_STATES_H
#define PHOTONIC_RAILS_OPTICAL_PORT_STATES_H

#include "ns3/circuit-plan-report.h"
#include "ns3/circuit-plan.h"
#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

class OpticalCircuitSwitch;

/**
 * @ingroup photonic-rails
 * @brief The states of the ports of an optical switch, from its trace sources, as readers of a
 * picture need them.
 */
class OpticalPortStates : public SimpleRefCount<OpticalPortStates>
{
  public:
    /** The kind of a state. */
    enum class Kind
    {
        FREE,          //!< no circuit
        LIT,           //!< it has a circuit
        RECONFIGURING, //!< it reconfigures
        DARK,          //!< its circuit carries no light, because of a fault
    };

    /** The state of a port. */
    struct State
    {
        Kind kind{Kind::FREE};
        PortId peer{};     //!< of a port that is lit: the other port of the circuit
        uint64_t epoch{0}; //!< the same: of the circuit
    };

    /** Called when a port enters a state, which may be equal to the one before. */
    using Entered = std::function<void(PortId port, const State& state)>;

    /**
     * Observes a switch from now on.
     * @param entered is also called for each port that has a circuit now
     */
    static void Observe(OpticalCircuitSwitch& middle, const Entered& entered);

    /** @param middle holds the callbacks to this object */
    OpticalPortStates(OpticalCircuitSwitch& middle, const Entered& entered);

  private:
    /** Reports the present states. */
    void Look();
    void CircuitUp(PortId low, PortId high, uint64_t epoch);
    void CircuitDown(PortId low, PortId high, uint64_t epoch);
    void PlanAccepted(uint64_t plan, const CircuitPlan& what);
    void PlanEnded(const CircuitPlanReport& report);
    /** A port enters a state, now. */
    void Enter(PortId port, const State& state);
    /** @return the kind of the state of a port */
    Kind GetKind(PortId port) const;

    OpticalCircuitSwitch& m_switch;
    Entered m_entered;
    std::vector<Kind> m_kinds;        //!< by port; of further ones FREE
    std::set<PortId> m_reconfiguring; //!< ports
    std::set<PortId> m_joined;        //!< ports that the last plan gives a circuit
    std::optional<Time> m_accepted;   //!< instant of the last plan
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPTICAL_PORT_STATES_H */
