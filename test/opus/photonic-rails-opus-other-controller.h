/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_OTHER_CONTROLLER_H
#define PHOTONIC_RAILS_OPUS_OTHER_CONTROLLER_H

#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * A node on the management network that is no shim, controller or agent.
 */

namespace ns3
{

class Node;
class Socket;
struct OpusMessage;
struct OpusPeer;

/** Sends any bytes to a port of the control plane. */
class OtherController
{
  public:
    /** @param node where it is */
    explicit OtherController(Ptr<Node> node);

    ~OtherController();

    /** Sends octets, now. */
    void Send(std::vector<uint8_t> octets, OpusPeer to);

  private:
    Ptr<Socket> m_socket;
};

/** @return a whole datagram that carries a message */
std::vector<uint8_t> MakeDatagram(const OpusMessage& message, uint64_t sequence);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_OTHER_CONTROLLER_H */
