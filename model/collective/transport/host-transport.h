/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HOST_TRANSPORT_H
#define PHOTONIC_RAILS_HOST_TRANSPORT_H

#include "collective-transport.h"
#include "host-endpoint.h"
#include "host-report.h"

#include "ns3/node.h"
#include "ns3/timed-inbox.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Carries the messages of a rank over the network of the hosts, by TCP. This path always
 * exists, and it is slow.
 *
 * A message goes from the GPU to its server in one HostLatency (an attribute of HostEndpoint), from
 * server to server as a header and its bytes on a TCP connection of real packets, and to the other
 * GPU in one HostLatency. It has arrived then. The other server writes a receipt when the GPU has
 * the message; the message is settled one HostLatency after this receipt is back. All messages
 * between two servers keep their order. A message fails when TCP gives up; the receiver may have it
 * even so, if only its receipt was lost.
 *
 * Not modelled: the copy to the server's memory as a load on PCIe (HostLatency does not depend on
 * bytes), and the work of the processors.
 *
 * @code
 * Ptr<HostTransport> transport = CreateObject<HostTransport>();
 * transport->Join(endpointOfItsServer, RankId(4), gpu);
 * @endcode
 */
class HostTransport : public Transport, private HostReportReceiver
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    HostTransport();
    ~HostTransport() override;

    /**
     * Joins the rank's GPU to its server.
     * @param endpoint the server's end of the network of the hosts
     * @param rank that owns this transport
     * @param gpu the rank's node
     */
    void Join(Ptr<HostEndpoint> endpoint, RankId rank, Ptr<Node> gpu);

    void Send(const TransportMessage& message) override;
    std::string Describe(const TransportMessage& message) const override;

  protected:
    void DoDispose() override;

  private:
    // HostReportReceiver: the report reaches the GPU one HostLatency later
    void Report(const HostReport& report) override;

    /** Detaches the rank from its server. */
    void Leave();
    /** Passes on the reports that have reached the GPU. */
    void TakeReports();

    Ptr<HostEndpoint> m_endpoint;
    RankId m_rank;
    uint32_t m_node{0};
    TimedInbox<HostReport> m_reports;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HOST_TRANSPORT_H */
