/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ELECTRICAL_RAIL_HELPER_H
#define PHOTONIC_RAILS_ELECTRICAL_RAIL_HELPER_H

#include "rail-helper.h"

#include "ns3/electrical-rail-switch.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds rails whose switch in the middle is a packet switch, or a fabric of them.
 *
 * A rail with at most as many NIC ports as a switch has ports (SetRadix()) gets one
 * ElectricalRailSwitch. A larger one gets two levels of them: leaves, with half of their ports down
 * to NICs and half up, and spines, so that the downlinks of a leaf never exceed its uplinks. Every
 * leaf spreads its uplinks evenly over the spines, by fibers like those of the NICs; flows are
 * spread over all uplinks, and over all fibers from a spine down to a leaf, by hash. NIC ports fill
 * the leaves one after the other. Frames to group addresses use the first spine only. This gives
 * rails of up to radix^2 / 2 ports: 2,048 for 64.
 *
 * In a distributed simulation (SimulationProcesses) a leaf is on the process of its GPUs, and the
 * leaves of a rail may be on several (LeafPartition). The spines are then on these in turn, and
 * frames cross by the fibers between leaves and spines, whose delay is the lookahead.
 *
 * All switches have the addresses of the NICs at the return of Install(); switch ports have the
 * rate of the NIC ports. Attributes of the switch (SetSwitchAttribute()) are those of
 * ElectricalRailSwitch, and the same for each, except that `Mtu` is at least that of the NICs and
 * `HashSeed` increases by one from switch to switch.
 *
 * The calls are those of PhotonicRailHelper, so that a change of the kind of rail is one line of a
 * script:
 * @code
 * NodeContainer gpus(4);
 * ElectricalRailHelper rails;
 * rails.SetProfile("2x200");
 * Rail rail = rails.Install(gpus);
 * @endcode
 */
class ElectricalRailHelper : public RailHelper
{
  public:
    /**
     * @param ports of each switch, an even number; 0: one switch with as many as the rail needs.
     *        The default is 64, as in 400 Gb/s switches (Tomahawk 4: 25.6 Tb/s).
     */
    void SetRadix(uint32_t ports);

    /** @return the ports of each switch; 0: as many as the rail needs */
    uint32_t GetRadix() const
    {
        return m_radix;
    }

    /** @return why switches of that radix can't join so many NIC ports; empty: they can */
    std::string FindMisfit(uint32_t ports) const;

    /**
     * @param rail built by an ElectricalRailHelper
     * @param gpu place on the rail, from 0
     * @param port index of the NIC port on its GPU, from 0
     * @return the switch port at the other end of its fiber
     */
    static Ptr<ElectricalSwitchPort> GetSwitchPort(const Rail& rail,
                                                   uint32_t gpu,
                                                   uint32_t port = 0);

  protected:
    Ptr<Node> CreateSwitch(const std::vector<uint32_t>& processes) const override;
    Ptr<FiberPort> AddSwitchPort(Ptr<Node> railSwitch) const override;
    void FinishSwitch(Rail& rail) const override;

  private:
    /** @return a node with a switch with the set attributes */
    Ptr<Node> CreateOneSwitch(uint32_t process) const;
    /** Connects two switches by a fiber. @param rate if they have none @return the ports: of the
     * leaf, of the spine */
    std::pair<PortId, PortId> Join(Ptr<ElectricalRailSwitch> leaf,
                                   Ptr<ElectricalRailSwitch> spine,
                                   DataRate rate) const;
    /** Connects leaves and spines, and fills their tables. */
    void FinishFabric(const Rail& rail,
                      const std::vector<Ptr<ElectricalRailSwitch>>& leaves,
                      const std::vector<Ptr<ElectricalRailSwitch>>& spines) const;

    uint32_t m_radix{64};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ELECTRICAL_RAIL_HELPER_H */
