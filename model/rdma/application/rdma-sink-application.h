/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_SINK_APPLICATION_H
#define PHOTONIC_RAILS_RDMA_SINK_APPLICATION_H

#include "ns3/application.h"
#include "ns3/nstime.h"
#include "ns3/rdma-message.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Counts the messages that come by RDMA to its node, over all queue pairs, from its start to
 * its stop.
 *
 * A message has arrived when the last bit of it has come, and all bits before it. Its frames go to
 * the RdmaEngine of the node, which acknowledges them with or without a sink. Start the sink before
 * the first message arrives.
 */
class RdmaSinkApplication : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    RdmaSinkApplication();
    ~RdmaSinkApplication() override;

    /** @return the number of messages that have arrived */
    uint64_t GetMessages() const;

    /** @return their payload, in bytes */
    uint64_t GetTotalRx() const;

    /** @return the instant of the last arrival; 0 if there was none */
    Time GetLastArrival() const;

    /** Signature of Rx. */
    typedef void (*MessageTracedCallback)(const RdmaMessage& message);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    void Arrived(const RdmaQueuePair& queuePair, const RdmaMessage& message);
    /** Disconnects from the engine: it counts no more messages. */
    void Disconnect();

    bool m_listens{false};
    uint64_t m_messages{0};
    uint64_t m_bytes{0};
    Time m_lastArrival{0};

    TracedCallback<const RdmaMessage&> m_rxTrace;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_SINK_APPLICATION_H */
