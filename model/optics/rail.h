/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_H
#define PHOTONIC_RAILS_RAIL_H

#include "ns3/identifier.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/optical-fiber.h"
#include "ns3/rail-net-device.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief One rail, as a helper built it: the GPUs, their NIC ports, the fibers and the switch in
 * the middle.
 *
 * NIC port p of GPU g is joined to switch port g * (ports a GPU) + p, unless the rail is a part of
 * another one (Select()). Copies refer to the same objects.
 */
class Rail
{
  public:
    Rail() = default;

    /**
     * @param id the rail's number
     * @param gpus its GPUs, in order
     * @param portsPerGpu NIC ports of each GPU
     * @param railSwitch the node of the switch
     */
    Rail(RailId id, NodeContainer gpus, uint32_t portsPerGpu, Ptr<Node> railSwitch);

    /**
     * Adds the next NIC port, in order of GPUs and their ports.
     * @param fiber the fiber from it to the switch
     */
    void Add(Ptr<RailNetDevice> nic, Ptr<OpticalFiber> fiber);

    /**
     * @param places of GPUs, each once
     * @return the part of the rail with these GPUs, in this order; its NICs keep their ports of the
     *         switch
     */
    Rail Select(const std::vector<uint32_t>& places) const;

    /** @return the rail's number */
    RailId GetId() const;

    /** @return the number of GPUs */
    uint32_t GetGpus() const;

    /** @return the number of NIC ports of each GPU */
    uint32_t GetPortsPerGpu() const;

    /**
     * @param gpu place on the rail, from 0
     * @return its node
     */
    Ptr<Node> GetGpu(uint32_t gpu) const;

    /**
     * @param gpu its place on the rail, from 0
     * @param port index of the NIC port on its GPU, from 0
     * @return the NIC port
     */
    Ptr<RailNetDevice> GetNic(uint32_t gpu, uint32_t port = 0) const;

    /** @return all NIC ports, in order of GPUs and their ports */
    NetDeviceContainer GetNics() const;

    /**
     * @param gpu its place on the rail, from 0
     * @param port index of the NIC port on its GPU, from 0
     * @return the fiber from there to the switch
     */
    Ptr<OpticalFiber> GetFiber(uint32_t gpu, uint32_t port = 0) const;

    /**
     * @param gpu its place on the rail, from 0
     * @param port index of the NIC port on its GPU, from 0
     * @return the port of the switch at the other end of the fiber
     */
    PortId GetSwitchPort(uint32_t gpu, uint32_t port = 0) const;

    /** @return the node of the switch in the middle; of several, the one that GPU 0 is joined to */
    Ptr<Node> GetSwitchNode() const;

    /** @return the nodes of all switches: one, or leaf switches followed by spine switches */
    NodeContainer GetSwitchNodes() const;

    /** @param railSwitches the nodes of all switches, the one that GPU 0 is joined to first */
    void SetSwitchNodes(const NodeContainer& railSwitches);

    /** @return whether a GPU or a switch is on this process of a distributed simulation */
    bool IsHere() const;

    /** @return whether its GPUs are on several processes of a distributed simulation */
    bool IsSplit() const;

    /** @return the optical circuit switch in the middle, or null if it is another switch */
    Ptr<OpticalCircuitSwitch> GetOpticalSwitch() const;

  private:
    /** @return the place of a NIC port in the lists; aborts if there is none */
    uint32_t IndexOf(uint32_t gpu, uint32_t port) const;

    RailId m_id;
    NodeContainer m_gpus;
    uint32_t m_portsPerGpu{0};
    NodeContainer m_switches;
    std::vector<Ptr<RailNetDevice>> m_nics;
    std::vector<Ptr<OpticalFiber>> m_fibers;
    std::vector<PortId> m_switchPorts; //!< that the NIC ports are joined to
};

/** @return the parts of rails with these GPUs (Rail::Select()) @param places on each of them */
std::vector<Rail> SelectRails(const std::vector<Rail>& rails, const std::vector<uint32_t>& places);

/** Aborts unless there are rails, of as many GPUs each. @param user for the message */
void RequireEqualRails(const std::vector<Rail>& rails, const std::string& user);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_H */
