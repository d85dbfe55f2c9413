/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_ENDPOINT_H
#define PHOTONIC_RAILS_HOST_ENDPOINT_H

#include "collective-transport.h"
#include "host-incoming-stream.h"
#include "host-outgoing-stream.h"
#include "host-report.h"
#include "host-stream-owner.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/timed-inbox.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A server's end of the network of the hosts: carries the messages of its GPUs to other
 * servers by TCP, and delivers theirs to its GPUs.
 *
 * A message between two of its own GPUs goes through its memory: it arrives two HostLatency after
 * it was sent, whatever its size.
 *
 * An Application on the server's node. It opens one TCP connection to each other server that its
 * GPUs send to, with the first message. The other server opens a separate one for the other
 * direction. When a connection breaks, its messages without a receipt fail, and the next message
 * opens a new connection.
 *
 * The settings of TCP for this network (segment size, buffers, timeouts) are attributes, which
 * apply to its own sockets only.
 *
 * HostNetworkHelper makes the network and the endpoints; HostTransport is the GPU's end.
 */
class HostEndpoint : public Application, private HostStreamOwner
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    HostEndpoint();
    ~HostEndpoint() override;

    /**
     * Sets the address of a rank's server.
     * @param rank of this server or another
     * @param server address on the network of the hosts
     */
    void SetServerOf(RankId rank, Ipv4Address server);

    /**
     * Ends the process, now: connections are closed, and messages without a receipt fail. Data that
     * sockets have taken still goes out.
     */
    void EndProcess();

    /** @return whether its process runs */
    bool IsRunning() const;

    /** @return whether it has started, after which its attributes can't be set */
    bool HasStarted() const;

    /** @return the TCP port that it listens at */
    uint16_t GetPort() const;

    /** @return the latency from a GPU to this server, and back */
    Time GetHostLatency() const;

    /** @return the number of messages of this server that have the other server's receipt */
    uint64_t GetSettled() const;

    /** @return the number of messages for GPUs of this server that have arrived */
    uint64_t GetArrived() const;

    /** @return the number of messages of this server that have failed */
    uint64_t GetFailed() const;

    // For the GPU's end
    /**
     * Joins the GPU of a rank.
     * @param rank without a receiver so far
     * @param receiver gets the reports until Detach()
     */
    void Attach(RankId rank, HostReportReceiver* receiver);
    /** Ends the reports to the GPU of a rank. */
    void Detach(RankId rank);
    /** Takes a message from a GPU; it reaches the server one HostLatency later. */
    void Hand(const TransportMessage& message);
    /** @return the progress of a message, in words */
    std::string Describe(const TransportMessage& message) const;

    /** Signature of MessageSettled and MessageArrived. */
    typedef void (*MessageTracedCallback)(const TransportMessage& message);
    /** Signature of MessageFailed. */
    typedef void (*FailureTracedCallback)(const TransportMessage& message, const std::string& why);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    // HostStreamOwner
    void MessageSettled(const TransportMessage& message) override;
    void MessageFailed(const TransportMessage& message, const std::string& why) override;
    HostReceipt::Outcome MessageArrived(const TransportMessage& message) override;
    void OutgoingEnded(HostOutgoingStream* stream) override;
    void IncomingEnded(HostIncomingStream* stream) override;

    /** Delivers a message for a GPU of this server, through its memory. */
    void DeliverHere(const TransportMessage& message);
    /** Sends the messages that GPUs have handed over. */
    void TakeHanded();
    /** @return a TCP socket with the settings for this network */
    Ptr<Socket> MakeSocket() const;
    /** @return the connection to a server, new if there is none */
    HostOutgoingStream& StreamTo(Ipv4Address server);
    /** @return the address of a rank's server; aborts if it is not known */
    Ipv4Address ServerOf(RankId rank) const;
    /** Takes a connection of another server. */
    void Accepted(Ptr<Socket> socket, const Address& from);
    /** Destroys streams that have ended. */
    void RemoveClosed();
    /** Schedules RemoveClosed() for a time when no stream is inside a call. */
    void ScheduleRemoval();
    /** Drops all streams and messages without a report. */
    void Clear();

    uint16_t m_port;
    Time m_hostLatency;
    uint32_t m_segmentSize;
    uint32_t m_bufferSize;
    Time m_minimumTimeout;
    Time m_connectTimeout;
    Time m_timeout;

    bool m_running{false};
    Ptr<Socket> m_listener;
    std::map<RankId, Ipv4Address> m_servers;
    std::map<RankId, HostReportReceiver*> m_receivers;
    TimedInbox<TransportMessage> m_handed;
    std::map<Ipv4Address, std::unique_ptr<HostOutgoingStream>> m_outgoing;
    std::vector<std::unique_ptr<HostIncomingStream>> m_incoming;
    std::vector<std::unique_ptr<HostOutgoingStream>> m_endedOutgoing;
    std::vector<std::unique_ptr<HostIncomingStream>> m_endedIncoming;
    EventId m_removal;

    uint64_t m_settled{0};
    uint64_t m_arrived{0};
    uint64_t m_failed{0};
    TracedCallback<const TransportMessage&> m_messageSettled;
    TracedCallback<const TransportMessage&> m_messageArrived;
    TracedCallback<const TransportMessage&, const std::string&> m_messageFailed;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_ENDPOINT_H */
