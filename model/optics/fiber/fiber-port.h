/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIBER_PORT_H
#define PHOTONIC_RAILS_FIBER_PORT_H

#include "fiber-end.h"

#include "ns3/mac48-address.h"
#include "ns3/node.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A NetDevice with one end of a fiber in it: a NIC port or a port of a switch.
 *
 * It holds its fiber, and implements the interface of NetDevice as a device without a network
 * stack. A port of a switch uses these implementations; a NIC overrides them.
 */
class FiberPort : public FiberEnd
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    FiberPort();
    ~FiberPort() override;

    /** @return the fiber, or null if none is attached */
    Ptr<OpticalFiber> GetFiber() const;

    /** @return the same, without a new reference */
    OpticalFiber* PeekFiber() const
    {
        return PeekPointer(m_fiber);
    }

    // FiberEnd
    void SetFiber(Ptr<OpticalFiber> fiber) override;

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
