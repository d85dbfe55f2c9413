/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RDMA_CLIENT_APPLICATION_H
#define PHOTONIC_RAILS_RDMA_CLIENT_APPLICATION_H

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/rdma-message.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sends a number of Messages by RDMA to a NIC port, MessageSize bytes each.
 *
 * When the application starts, it makes a queue pair between a port of its node and the NIC port
 * whose address is Remote; both nodes need an RdmaEngine. The first message is posted at that
 * instant, each other one an Interval after the one before, sent or not: the queue pair sends them
 * one after the other. When the application stops, it posts no more; posted messages continue.
 *
 * A message is a SEND. Its acknowledgement completes it. If the queue pair fails, because its peer
 * was unreachable for too long, all messages that are posted and not completed fail, and no more
 * are posted.
 *
 * Not modelled: an exchange with the peer before the first message, and a limit of messages in
 * flight.
 *
 * @code
 * RdmaSinkHelper().Install(hosts.Get(1));
 * RdmaClientHelper client(rail.GetNic(1)->GetAddress());
 * client.SetAttribute("MessageSize", UintegerValue(1 << 20));
 * client.Install(hosts.Get(0)).Start(MicroSeconds(10));
 * @endcode
 */
class RdmaClientApplication : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    RdmaClientApplication();
    ~RdmaClientApplication() override;

    /** @return the number of messages that are posted */
    uint64_t GetPosted() const;

    /** @return the number of messages that are acknowledged */
    uint64_t GetCompleted() const;

    /** @return the instant of the last acknowledgement of a message; 0 if there was none */
    Time GetLastCompletion() const;

    /** Signature of Tx and Completed. */
    typedef void (*MessageTracedCallback)(const RdmaMessage& message);
    /** Signature of Failed. */
    typedef void (*FailureTracedCallback)(const RdmaMessage& message, const std::string& why);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** @return whether attributes have been read */
    bool HasStarted() const;
    /** Aborts if attributes contradict each other. */
    void CheckAttributes() const;
    /** Makes the queue pair. */
    void Connect();
    /** Posts a message, and schedules the next one. */
    void Post();
    void Settled(Ptr<RdmaQueuePair> queuePair, const RdmaMessage& message);
    void Failed(Ptr<RdmaQueuePair> queuePair, const RdmaMessage& message, const std::string& why);

    Mac48Address m_remote;
    uint32_t m_port;
    uint64_t m_messageSize;
    uint64_t m_messages;
    Time m_interval;

    Ptr<RdmaQueuePair> m_queuePair; //!< null before the start
    EventId m_next;                 //!< posts the next message
    uint64_t m_posted{0};
    uint64_t m_completed{0};
    Time m_lastCompletion{0};

    TracedCallback<const RdmaMessage&> m_txTrace;
    TracedCallback<const RdmaMessage&> m_completedTrace;
    TracedCallback<const RdmaMessage&, const std::string&> m_failedTrace;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RDMA_CLIENT_APPLICATION_H */
