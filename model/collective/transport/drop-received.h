/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_DROP_RECEIVED_H
#define PHOTONIC_RAILS_DROP_RECEIVED_H

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

namespace ns3
{

/**
 * Drops what a socket has received: a receive callback for the sockets of a process that has ended.
 * Without it the peers of a TCP socket would probe its full window for ever, as ns-3's sockets do
 * not refuse data once they are closed.
 */
inline void
DropReceived(Ptr<Socket> socket)
{
    Ptr<Packet> packet = socket->Recv();
    while (packet && packet->GetSize() > 0) // TCP returns an empty one at the end of a stream
    {
        packet = socket->Recv();
    }
}

} // namespace ns3

#endif /* PHOTONIC_RAILS_DROP_RECEIVED_H */
