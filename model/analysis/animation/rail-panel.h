/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_PANEL_H
#define PHOTONIC_RAILS_RAIL_PANEL_H

#include "animation-scene.h"

#include "ns3/identifier.h"
#include "ns3/nstime.h"
#include "ns3/rail.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The nodes of a rail in an animation, in rings: the ports of the switch inside, the NIC
 * ports around them, and the GPUs outside.
 *
 * GPUs follow each other clockwise, and the first one is on the left. The rails of servers have a
 * server in the same direction each. A packet switch has a node in the middle instead of ports, and
 * leaves are around the spines.
 */
class RailPanel
{
  public:
    // of Okabe and Ito, which differ for readers who are colour-blind
    static constexpr AnimationColour LIT{0, 158, 115};           //!< a circuit with light
    static constexpr AnimationColour RECONFIGURING{230, 159, 0}; //!< a port of the switch
    static constexpr AnimationColour FREE{255, 255, 255};        //!< no circuit
    static constexpr AnimationColour DARK{0, 0, 0};              //!< by a fault, or no carrier
    static constexpr AnimationColour CARRIER{86, 180, 233};      //!< a NIC port
    static constexpr AnimationColour IDLE{190, 190, 190};        //!< a GPU
    static constexpr AnimationColour BUSY{0, 114, 178};          //!< a GPU: operations over rails
    static constexpr AnimationColour SWITCH{204, 121, 167};      //!< a packet switch

    /** A GPU in the animation. */
    struct Gpu
    {
        uint32_t node{0}; //!< its node
        uint32_t text{0}; //!< the text beside it
    };

    /** Adds the panel of a rail, now. @param when the present instant */
    RailPanel(Time when, AnimationScene& scene, const Rail& rail);

    /** @return the node of a port of the optical switch; none: it leads to no NIC port of the rail
     */
    std::optional<uint32_t> FindPort(PortId port) const;
    /** @return the node of a NIC port */
    uint32_t GetNic(uint32_t gpu, uint32_t port) const;
    /** @return a GPU */
    const Gpu& GetGpu(uint32_t gpu) const;
    /** @return the text that has the rail's name */
    uint32_t GetTitle() const;

  private:
    /** @return the direction of a NIC port, in radians. @param port may be between two ports */
    double GetAngle(uint32_t gpu, double port) const;
    /** Adds a GPU with its NIC ports. */
    void AddGpu(AnimationScene& scene, const Rail& rail, uint32_t gpu);
    /** Adds a NIC port, with the port of an optical switch that it leads to. */
    void AddPort(AnimationScene& scene, const Rail& rail, uint32_t gpu, uint32_t port);
    /** Adds packet switches, and joins them to the NIC ports and to each other. */
    void AddPacketSwitches(AnimationScene& scene, const Rail& rail);
    /** @return by packet switch of the rail: its NIC ports, as places in the order of all */
    std::vector<std::vector<uint32_t>> ListPortsOfSwitches(const Rail& rail) const;
    /** Adds what the colours mean. */
    static void AddKeys(AnimationScene& scene, const Rail& rail);

    uint32_t m_gpus;
    uint32_t m_portsPerGpu;
    double m_ring; //!< radius of the ports of the switch
    uint32_t m_panel{0};
    uint32_t m_title{0};
    std::map<PortId, uint32_t> m_ports;
    std::vector<uint32_t> m_nics;
    std::vector<Gpu> m_gpuNodes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_PANEL_H */
