/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-traces.h"

namespace ns3
{

void
PortTraces::Update()
{
    m_observed = !(frameSent.IsEmpty() && frameReceived.IsEmpty() && macTx.IsEmpty() &&
                   macRx.IsEmpty() && macPromiscRx.IsEmpty() && phyTxBegin.IsEmpty() &&
                   phyRxEnd.IsEmpty() && sniffer.IsEmpty() && promiscuousSniffer.IsEmpty());
}

void
PortTraces::FireSent(const WireFrame& frame, Ptr<const Packet> bytes) const
{
    phyTxBegin(bytes);
    sniffer(bytes);
    promiscuousSniffer(bytes);
    frameSent(frame);
}

void
PortTraces::FireReceived(const WireFrame& frame, Ptr<const Packet> bytes, bool mine) const
{
    phyRxEnd(bytes);
    promiscuousSniffer(bytes);
    if (mine || frame.destination.IsGroup())
    {
        sniffer(bytes);
    }
}

} // namespace ns3
