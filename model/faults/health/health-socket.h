/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEALTH_SOCKET_H
#define PHOTONIC_RAILS_HEALTH_SOCKET_H

#include "health-header.h"

#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The UDP socket of a HealthAgent or a HealthMonitor: HealthHeaders out and in.
 *
 * Datagrams that are none, or of the other type, are dropped.
 */
class HealthSocket
{
  public:
    /** The UDP port of agents and monitors. */
    static constexpr uint16_t PORT = 4799;

    HealthSocket() = default;
    ~HealthSocket();
    HealthSocket(const HealthSocket&) = delete;
    HealthSocket& operator=(const HealthSocket&) = delete;

    /**
     * Opens it. Aborts if the port of the node is taken.
     * @param node of the application
     * @param type that it takes
     * @param taken called with each header that arrives
     */
    void Open(Ptr<Node> node,
              HealthHeader::Type type,
              std::function<void(const HealthHeader&)> taken);
    /** Sends a header. @param to the address of the other end */
    void Send(const HealthHeader& header, Ipv4Address to);
    /** Closes it, if it is open. */
    void Close();

  private:
    /** A datagram arrives. */
    void Receive(Ptr<Socket> socket);

    HealthHeader::Type m_type{HealthHeader::Type::HEARTBEAT};
    std::function<void(const HealthHeader&)> m_taken;
    Ptr<Socket> m_socket; //!< null: it is closed
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEALTH_SOCKET_H */
