/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RELEASE_SOCKET_H
#define PHOTONIC_RAILS_RELEASE_SOCKET_H

#include "ns3/ptr.h"
#include "ns3/socket.h"

namespace ns3
{

/**
 * Takes the callbacks of a socket away, whose owner ends. The socket may not have closed yet: what
 * it receives is dropped (DropReceived()).
 */
void ReleaseSocket(Ptr<Socket> socket);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RELEASE_SOCKET_H */
