/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_PORT_H
#define PHOTONIC_RAILS_FIBER_PORT_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/wire-frame.h"

namespace ns3
{

class OpticalFiber;

/**
 * @ingroup photonic-rails
 * @brief A NetDevice with one end of a fiber in it: a NIC port or a port of a switch.
 *
 * It says what a fiber tells its ends, and answers what ns-3 asks of every NetDevice in the way of
 * a device without a network stack. A port of a switch leaves it at that; a NIC overrides.
 */
class FiberPort : public NetDevice
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    FiberPort();
    ~FiberPort() override;

    /**
     * A frame has come out of the fiber, down to its last bit or as far as GetHandOver() says, now.
     * @param frame the frame; its times are those at this port
     */
    virtual void ReceiveFrame(WireFrame&& frame) = 0;

    /**
     * @param frame a frame on its way; its times are those at this port
     * @return when this port wants it: at its last bit, or before that and after its first
     */
    virtual Picoseconds GetHandOver(const WireFrame& frame) const
    {
        return frame.last;
    }

    /**
     * The light that comes out of the fiber has come or gone, now.
     * @param light whether there is light
     */
    virtual void ReceiveLight(bool light) = 0;

    /**
     * The light has been like this since before the simulation began. Called while a scenario is
     * built, never during a run.
     * @param light whether there is light
     */
    virtual void PresetLight(bool light) = 0;

    /** @return whether this port sends light into its fiber from the start */
    virtual bool EmitsLight() const = 0;

    /**
     * The fiber's delay is about to change, in the course of the simulation. A port that has
     * worked something out from the present one stops the run.
     * @param delay the new one
     */
    virtual void CheckDelayChange(Time /* delay */) const
    {
    }

    /**
     * Called by the fiber when it is attached.
     * @param fiber the fiber
     */
    void SetFiber(Ptr<OpticalFiber> fiber);

    /** @return the fiber, or null if none is attached */
    Ptr<OpticalFiber> GetFiber() const;

    /** @return the same, without a reference of its own, for use on the spot */
    OpticalFiber* PeekFiber() const
    {
        return PeekPointer(m_fiber);
    }

    // NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

    Ptr<OpticalFiber> m_fiber; //!< null until attached
    Ptr<Node> m_node;
    Mac48Address m_address;
    uint32_t m_ifIndex{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIBER_PORT_H */
