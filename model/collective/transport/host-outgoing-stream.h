/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_OUTGOING_STREAM_H
#define PHOTONIC_RAILS_HOST_OUTGOING_STREAM_H

#include "host-stream-owner.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of one server for another, on one TCP connection.
 *
 * Each is a HostMessageHeader and its bytes, which are zeros that take no memory, written as the
 * socket has room. The other end answers each with a HostReceipt on the way back of the same
 * connection. When the connection breaks, all that has no receipt yet fails; the other end may
 * have got what only the receipt of was lost.
 */
class HostOutgoingStream
{
  public:
    /**
     * Connects to another server.
     * @param owner told of what becomes of messages
     * @param socket a new TCP socket
     * @param server the other server's address
     * @param port its port
     * @param timeout without any sign of life for so long, while receipts are due, it ends
     */
    HostOutgoingStream(HostStreamOwner& owner,
                       Ptr<Socket> socket,
                       Ipv4Address server,
                       uint16_t port,
                       Time timeout);
    ~HostOutgoingStream();

    HostOutgoingStream(const HostOutgoingStream&) = delete;
    HostOutgoingStream& operator=(const HostOutgoingStream&) = delete;

    /** @return the address of the other server */
    Ipv4Address GetServer() const;

    /** Sends a message, after those before. @param message what */
    void Send(const TransportMessage& message);

    /** Ends it. @param why for those who have no receipt yet */
    void End(const std::string& why);

    /** @return how far it is, for people: "connecting", "sending", "waiting for a receipt" */
    std::string Describe() const;

  private:
    /** The connection is there. */
    void Connected(Ptr<Socket> socket);
    /** It will not be. */
    void Refused(Ptr<Socket> socket);
    /** The other end has closed it. */
    void Closed(Ptr<Socket> socket);
    /** It is broken. */
    void Broken(Ptr<Socket> socket);
    /** There is room again, as something was acknowledged. */
    void HasRoom(Ptr<Socket> socket, uint32_t available);
    /** Something has come back. */
    void Read(Ptr<Socket> socket);
    /** Writes as much as there is room for. */
    void Write();
    /** @return how much of a packet the socket took, which may be nothing @param packet it */
    uint32_t WritePacket(Ptr<Packet> packet);
    /** A receipt is here, whole. */
    void TakeReceipt();
    /** Something happened: timeout begins anew. */
    void SignOfLife();
    /** Looks whether timeout has run out. */
    void CheckTimeout();

    HostStreamOwner& m_owner;
    Ptr<Socket> m_socket;
    Ipv4Address m_server;
    Time m_timeout;
    bool m_connected{false};
    bool m_broken{false}; //!< TCP has given it up
    bool m_ended{false};

    std::deque<TransportMessage> m_messages; //!< that have no receipt yet
    uint64_t m_firstNumber{0};               //!< of the first of those on the connection
    std::size_t m_writing{0};                //!< index of the one that is written next, or now
    uint32_t m_headerWritten{0};             //!< bytes of its header
    uint64_t m_bytesWritten{0};              //!< and of itself
    HostReceipt::Octets m_receipt{};         //!< what has come of one
    uint32_t m_receiptRead{0};               //!< bytes of it

    Time m_lastSign;
    EventId m_timeoutEvent; //!< while receipts are due
    EventId m_refusedEvent;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_OUTGOING_STREAM_H */
