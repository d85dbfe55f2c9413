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
 * socket has room. The other end answers each with a HostReceipt in the other direction of the same
 * connection. When the connection breaks, all messages without a receipt fail; the other end may
 * have such a message if only its receipt was lost.
 */
class HostOutgoingStream
{
  public:
    /**
     * Connects to another server.
     * @param owner gets the outcomes of messages
     * @param socket a new TCP socket
     * @param server the other server's address
     * @param port the other server's port
     * @param timeout the stream ends after such a time without progress while receipts are due
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

    /** Sends a message, after the messages sent before. */
    void Send(const TransportMessage& message);

    /** Ends the stream. @param why the reason for messages without a receipt */
    void End(const std::string& why);

    /** @return the state in words: "connecting", "sending", "waiting for a receipt" */
    std::string Describe() const;

  private:
    /** The connection is established. */
    void Connected(Ptr<Socket> socket);
    /** The connection was refused. */
    void Refused(Ptr<Socket> socket);
    /** The other end has closed the connection. */
    void Closed(Ptr<Socket> socket);
    /** The connection is broken. */
    void Broken(Ptr<Socket> socket);
    /** The socket has room again, because bytes were acknowledged. */
    void HasRoom(Ptr<Socket> socket, uint32_t available);
    /** Reads the bytes that have arrived. */
    void Read(Ptr<Socket> socket);
    /** Writes as much as the socket has room for. */
    void Write();
    /** @return the number of bytes of a packet that the socket took, which may be 0 */
    uint32_t WritePacket(Ptr<Packet> packet);
    /** Handles a complete receipt. */
    void TakeReceipt();
    /** Notes progress: the timeout starts anew. */
    void SignOfLife();
    /** Ends the stream if the timeout is over. */
    void CheckTimeout();

    HostStreamOwner& m_owner;
    Ptr<Socket> m_socket;
    Ipv4Address m_server;
    Time m_timeout;
    bool m_connected{false};
    bool m_broken{false}; //!< TCP has given up the connection
    bool m_ended{false};

    std::deque<TransportMessage> m_messages; //!< that have no receipt yet
    uint64_t m_firstNumber{0};               //!< number of the first of them on the connection
    std::size_t m_writing{0};                //!< index of the message that is written now or next
    uint32_t m_headerWritten{0};             //!< bytes of its header that are written
    uint64_t m_bytesWritten{0};              //!< bytes of its data that are written
    HostReceipt::Octets m_receipt{};         //!< the part of a receipt that has arrived
    uint32_t m_receiptRead{0};               //!< bytes of that part

    Time m_lastSign;
    EventId m_timeoutEvent; //!< while receipts are due
    EventId m_refusedEvent;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_OUTGOING_STREAM_H */
