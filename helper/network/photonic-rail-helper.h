/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H
#define PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H

#include "attribute-check.h"
#include "rail-helper.h"

#include "ns3/circuit-plan.h"
#include "ns3/fabric-names.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rail.h"

#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds rails whose switch in the middle is an OpticalCircuitSwitch.
 *
 * @code
 * NodeContainer gpus(4);
 * PhotonicRailHelper rails;
 * rails.SetTechnology("mems");
 * rails.SetProfile("2x200");
 * Rail rail = rails.Install(gpus);
 * PhotonicRailHelper::ConnectRing(rail);
 * @endcode
 */
class PhotonicRailHelper : public RailHelper
{
  public:
    /**
     * @param name of an OCS technology: its reconfiguration time, radix and granularity
     */
    void SetTechnology(const std::string& name);

    /**
     * Sets the inside of the switch.
     * @code
     * rails.SetFabric("hexagonal");
     * rails.SetFabric("hexagonal", "Rows", UintegerValue(9), "Columns", UintegerValue(9));
     * rails.SetFabric("ns3::MyFabric"); // of the user's own file
     * @endcode
     * @param fabric a type that derives from ns3::SwitchFabric, or a short name: `crossbar`,
     *        `hexagonal`, `benes`, `crossbar-mesh`
     * @param attributes names and values of its attributes, alternating
     */
    template <typename... Attributes>
    void SetFabric(const std::string& fabric, const Attributes&... attributes)
    {
        ObjectFactory factory = MakeFabricFactory(fabric);
        SetCheckedAttributes(factory, attributes...);
        SetSwitchAttribute("Fabric", ObjectFactoryValue(factory));
    }

    /**
     * Sets the optical power of the NICs' transceivers, and so the loss that circuits may have.
     * @param standard `dr4`, `fr4` or `lr4` of 400 Gb/s
     */
    void SetTransceiver(const std::string& standard);

    /**
     * A constant reconfiguration time in place of the technology's. For a random one, set the
     * attribute ReconfigurationTime of the switch.
     * @param time from a plan to light on its circuits
     */
    void SetReconfigurationTime(Time time);

    /** Sets the attribute LinkUpTime of NIC ports. @param time from light to carrier */
    void SetLinkUpTime(Time time);

    /**
     * Connects the GPUs of a rail as a ring, by one plan: port 1 of each to port 0 of the next, and
     * of the last to port 0 of the first. Other ports do not change.
     *
     * Two GPUs get two circuits, or one if they have one port each. A ring of more GPUs needs two
     * ports of each. Aborts if there are fewer GPUs or ports.
     * @param rail a rail with an optical switch
     * @return the report of OpticalCircuitSwitch::Apply(): refused if a port has a circuit already
     */
    static CircuitPlanReport ConnectRing(const Rail& rail);

    /**
     * Schedules a plan at the switch of a rail in the course of the simulation.
     * @param rail a rail with an optical switch
     * @param at the circuits take their reconfiguration time at 0 s too
     * @param plan for OpticalCircuitSwitch::Apply(); its trace sources report the result
     */
    static void ScheduleApply(const Rail& rail, Time at, const CircuitPlan& plan);

  protected:
    Ptr<Node> CreateSwitch(const std::vector<uint32_t>& processes) const override;
    Ptr<FiberPort> AddSwitchPort(Ptr<Node> railSwitch) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHOTONIC_RAIL_HELPER_H */
