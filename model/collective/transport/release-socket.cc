/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "release-socket.h"

#include "drop-received.h"

#include <cstdint>

namespace ns3
{

void
ReleaseSocket(Ptr<Socket> socket)
{
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               MakeNullCallback<void, Ptr<Socket>>());
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              MakeNullCallback<void, Ptr<Socket>>());
    socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    socket->SetRecvCallback(MakeCallback(&DropReceived));
}

} // namespace ns3
