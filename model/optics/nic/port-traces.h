/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PORT_TRACES_H
#define PHOTONIC_RAILS_PORT_TRACES_H

#include "ns3/packet.h"
#include "ns3/traced-callback.h"
#include "ns3/wire-frame.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The trace sources of a NIC port that fire for every frame, and whether one is connected.
 *
 * RailNetDevice declares the sources and calls Update() after each connect and disconnect. While
 * none is connected the port does not build the bytes of its frames, and its frames may go in
 * trains.
 */
class PortTraces
{
  public:
    /** A source was connected or disconnected. */
    void Update();

    /** @return whether a source is connected */
    bool IsObserved() const
    {
        return m_observed;
    }

    /**
     * A frame goes on the wire.
     * @param bytes from Ethernet header to padding
     */
    void FireSent(const WireFrame& frame, Ptr<const Packet> bytes) const;

    /**
     * A frame has come in whole. FrameReceived fires before its bytes are built, by the port.
     * @param bytes from Ethernet header to padding
     * @param mine whether it has the port's own destination address
     */
    void FireReceived(const WireFrame& frame, Ptr<const Packet> bytes, bool mine) const;

    TracedCallback<const WireFrame&> frameSent;           //!< FrameSent
    TracedCallback<const WireFrame&> frameReceived;       //!< FrameReceived
    TracedCallback<Ptr<const Packet>> macTx;              //!< MacTx
    TracedCallback<Ptr<const Packet>> macRx;              //!< MacRx
    TracedCallback<Ptr<const Packet>> macPromiscRx;       //!< MacPromiscRx
    TracedCallback<Ptr<const Packet>> phyTxBegin;         //!< PhyTxBegin
    TracedCallback<Ptr<const Packet>> phyRxEnd;           //!< PhyRxEnd
    TracedCallback<Ptr<const Packet>> sniffer;            //!< Sniffer
    TracedCallback<Ptr<const Packet>> promiscuousSniffer; //!< PromiscSniffer

  private:
    bool m_observed{false}; //!< one of these is connected
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PORT_TRACES_H */
