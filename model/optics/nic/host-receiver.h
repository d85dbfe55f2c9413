/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_RECEIVER_H
#define PHOTONIC_RAILS_HOST_RECEIVER_H

#include "port-traces.h"

#include "ns3/net-device.h"
#include "ns3/wire-frame.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The way of a received frame from a NIC port to the host stack.
 *
 * Promiscuous callbacks receive every frame. The host stack receives the frames to the port's own
 * address, to groups and to all.
 */
class HostReceiver
{
  public:
    /** @param callback of the host stack */
    void SetCallback(NetDevice::ReceiveCallback callback);

    /** @param callback for frames to any destination */
    void SetPromiscuousCallback(NetDevice::PromiscReceiveCallback callback);

    /**
     * Passes a frame on.
     * @param port the port that received it
     * @param own the address of the port
     * @param frame with the packet of the host stack
     * @param traces of the port
     * @return false if it has another destination address than the port's
     */
    bool Deliver(NetDevice* port,
                 Mac48Address own,
                 const WireFrame& frame,
                 const PortTraces& traces) const;

    /** Drops the callbacks. */
    void Dispose();

  private:
    NetDevice::ReceiveCallback m_receive;
    NetDevice::PromiscReceiveCallback m_promiscReceive;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_RECEIVER_H */
