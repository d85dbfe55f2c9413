/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RAIL_HELPER_H
#define PHOTONIC_RAILS_RAIL_HELPER_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/rail.h"
#include "ns3/trace-helper.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Builds rails: NIC ports on the GPUs, a switch in the middle, fibers between them.
 *
 * The derived helpers define the switch; all else is the same, so that a comparison of two kinds of
 * rail compares the switches.
 *
 * A GPU with NIC ports on a rail is a node. Every port is a RailNetDevice, in order of GPUs and
 * ports; the helper gives it an address and a NetDeviceQueueInterface.
 *
 * A switch is on the process of a distributed simulation on which its GPUs are
 * (Node::GetSystemId()), and no fiber of a GPU leads to another process.
 */
class RailHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    RailHelper() = default;
    ~RailHelper() override = default;

    /**
     * Sets the NIC ports of a GPU by a profile's name.
     * @param profile "1x400", "2x200", "4x100", or any count and rate in Gb/s in that form
     */
    void SetProfile(const std::string& profile);

    /**
     * Sets the NIC ports of a GPU.
     * @param portsPerGpu 1 or more
     * @param rate of each port
     */
    void SetPorts(uint32_t portsPerGpu, DataRate rate);

    /**
     * @param metres from a NIC to the switch; light takes 4.895 ns a metre
     */
    void SetFiberLength(double metres);

    /**
     * @param name an attribute of RailNetDevice
     * @param value each port gets its own random variable if this is the text of one
     */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param has whether NIC ports have a NetDeviceQueueInterface, which takes 10 kB a port and
     *        serves hosts with an internet stack only; true by default. AssignIpv4() adds it
     */
    void SetQueueInterfaces(bool has);

    /** @param name an attribute of OpticalFiber */
    void SetFiberAttribute(const std::string& name, const AttributeValue& value);

    /** @param name an attribute of the switch in the middle */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Sets an attribute of the switch in the middle that the user has not set, here or by
     * Config::SetDefault().
     * @param tid type of the switch
     * @param name an attribute of that type
     */
    void SuggestSwitchAttribute(TypeId tid, const std::string& name, const AttributeValue& value);

    /**
     * Builds one rail.
     * @param gpus the GPUs of the rail, 1 or more
     * @param id the rail's number
     * @return the rail
     */
    Rail Install(const NodeContainer& gpus, RailId id = RailId(0)) const;

    /** Builds a rail of a single GPU. */
    Rail Install(Ptr<Node> gpu, RailId id = RailId(0)) const;

    /** Builds a rail of a single GPU. @param gpu a node, by its name in ns-3's Names */
    Rail Install(const std::string& gpu, RailId id = RailId(0)) const;

    /**
     * Builds all rails of a cluster: rail r connects the GPUs of local rank r.
     * @param gpus all GPUs, server by server
     * @param gpusPerServer GPUs of a server; the number of GPUs is a multiple of it
     * @return the rails, by number
     */
    std::vector<Rail> InstallRails(const NodeContainer& gpus, uint32_t gpusPerServer) const;

    /**
     * Assigns an IPv4 address to every NIC port of a rail and fills the neighbor caches of all
     * hosts. The nodes need an internet stack.
     * @param network such as "10.1.0.0"
     * @param mask such as "255.255.0.0"
     * @return the interfaces, in the order of the NIC ports
     */
    static Ipv4InterfaceContainer AssignIpv4(const Rail& rail,
                                             const std::string& network,
                                             const std::string& mask);

    /**
     * Writes the IP and MAC addresses of a rail's NIC ports into each other's neighbor caches,
     * permanently: ARP does not work without a circuit. AssignIpv4() does this; call it after
     * assigning addresses by other means. A rail of n ports takes n (n - 1) entries.
     */
    static void FillNeighborCaches(const Rail& rail);

    /**
     * Fixes all random draws of a rail.
     * @param stream the first stream number
     * @return the number of streams used
     */
    static int64_t AssignStreams(const Rail& rail, int64_t stream);

    /** The same for several rails, one after another. @return the number of streams used */
    static int64_t AssignStreams(const std::vector<Rail>& rails, int64_t stream);

  protected:
    /** Attributes to set, in order. */
    using Attributes = std::vector<std::pair<std::string, Ptr<const AttributeValue>>>;

    /** Sets attributes; an unknown one aborts with a list of the known ones. */
    static void SetAttributes(Ptr<Object> object, const Attributes& attributes);

    /**
     * Makes the switch in the middle.
     * @param processes of a distributed simulation, on which the GPUs are, by required port
     * @return its node
     */
    virtual Ptr<Node> CreateSwitch(const std::vector<uint32_t>& processes) const = 0;

    /** @return the process of the GPUs of one switch; several abort @param processes by port */
    static uint32_t FindProcess(const std::vector<uint32_t>& processes);

    /**
     * @param railSwitch the node that CreateSwitch() made
     * @return its next port, for a fiber
     */
    virtual Ptr<FiberPort> AddSwitchPort(Ptr<Node> railSwitch) const = 0;

    /** Completes the switch after all NIC ports were connected. */
    virtual void FinishSwitch(Rail& rail) const;

    /** @return the rate of NIC ports, unless the user sets it as an attribute */
    DataRate GetPortRate() const;

    Attributes m_switchAttributes; //!< of the switch in the middle
    Attributes m_fiberAttributes;  //!< of the fibers

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    uint32_t m_portsPerGpu{1};
    std::optional<DataRate> m_rate; //!< none: by the attribute of the NIC
    bool m_hasQueueInterfaces{true};
    Attributes m_nicAttributes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RAIL_HELPER_H */
