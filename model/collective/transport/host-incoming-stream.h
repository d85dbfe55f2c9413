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
 * Segments begin and end anywhere. A message that is whole is handed to the owner, and its
 * HostReceipt is written when the GPU has it too. What is not whole when the connection breaks is
 * dropped: the other end knows it as failed.
 */
class HostIncomingStream
{
  public:
    /**
     * @param owner told of messages
     * @param socket of a connection that was accepted
     * @param latency from the server to its GPUs
     */
    HostIncomingStream(HostStreamOwner& owner, Ptr<Socket> socket, Time latency);
    ~HostIncomingStream();

    HostIncomingStream(const HostIncomingStream&) = delete;
    HostIncomingStream& operator=(const HostIncomingStream&) = delete;

    /** Ends it. */
    void End();

  private:
    /** The other end has closed it. */
    void Closed(Ptr<Socket> socket);
    /** It is broken. */
    void Broken(Ptr<Socket> socket);
    /** There is room for receipts. */
    void HasRoom(Ptr<Socket> socket, uint32_t available);
    /** Something is there. */
    void Read(Ptr<Socket> socket);
    /** A header is here, whole. */
    void TakeHeader();
    /** A message is here, whole. */
    void TakeMessage();
    /** Writes the receipts of what the GPUs have by now. */
    void WriteReceipts();

    HostStreamOwner& m_owner;
    Ptr<Socket> m_socket;
    Time m_latency;
    bool m_broken{false}; //!< TCP has given it up
    bool m_ended{false};

    HostMessageHeader::Octets m_header{}; //!< what has come of one
    uint32_t m_headerRead{0};             //!< bytes of it
    TransportMessage m_message;           //!< the one of the header, if that is whole
    uint64_t m_bytesLeft{0};              //!< of that
    uint64_t m_number{0};                 //!< of that

    std::deque<std::pair<Time, HostReceipt>> m_receipts; //!< and when they are due
    std::vector<uint8_t> m_unwritten;                    //!< of receipts that are due
    EventId m_receiptEvent;                              //!< when the first is due
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_INCOMING_STREAM_H */
