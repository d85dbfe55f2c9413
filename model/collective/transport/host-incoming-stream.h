/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_INCOMING_STREAM_H
#define PHOTONIC_RAILS_HOST_INCOMING_STREAM_H

#include "host-stream-owner.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of another server, read from one TCP connection as a stream of bytes.
 *
 * Segments begin and end anywhere. A complete message goes to the owner, and its HostReceipt is
 * written when the GPU has it too. An incomplete message is dropped when the connection breaks: it
 * has failed at the other end.
 */
class HostIncomingStream
{
  public:
    /**
     * @param owner gets the messages
     * @param socket of an accepted connection
     * @param latency from the server to its GPUs
     */
    HostIncomingStream(HostStreamOwner& owner, Ptr<Socket> socket, Time latency);
    ~HostIncomingStream();

    HostIncomingStream(const HostIncomingStream&) = delete;
    HostIncomingStream& operator=(const HostIncomingStream&) = delete;

    /** Ends the stream. */
    void End();

  private:
    /** The other end has closed the connection. */
    void Closed(Ptr<Socket> socket);
    /** The connection is broken. */
    void Broken(Ptr<Socket> socket);
    /** The socket has room for receipts. */
    void HasRoom(Ptr<Socket> socket, uint32_t available);
    /** Reads the bytes that have arrived. */
    void Read(Ptr<Socket> socket);
    /** Handles a complete header. */
    void TakeHeader();
    /** Handles a complete message. */
    void TakeMessage();
    /** Writes the receipts of the messages that GPUs have by now. */
    void WriteReceipts();

    HostStreamOwner& m_owner;
    Ptr<Socket> m_socket;
    Time m_latency;
    bool m_broken{false}; //!< TCP has given up the connection
    bool m_ended{false};

    HostMessageHeader::Octets m_header{}; //!< the part of a header that has arrived
    uint32_t m_headerRead{0};             //!< bytes of that part
    TransportMessage m_message;           //!< the message of the header, if that is complete
    uint64_t m_bytesLeft{0};              //!< of the message
    uint64_t m_number{0};                 //!< of the message

    std::deque<std::pair<Time, HostReceipt>> m_receipts; //!< with the times when they are due
    std::vector<uint8_t> m_unwritten;                    //!< of receipts that are due
    EventId m_receiptEvent;                              //!< fires when the first is due
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_INCOMING_STREAM_H */
