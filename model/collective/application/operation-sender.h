/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_SENDER_H
#define PHOTONIC_RAILS_OPERATION_SENDER_H

#include "message-poster.h"
#include "operation-circuits.h"
#include "operation-record.h"
#include "rank-connections.h"

#include "ns3/collective-run.h"
#include "ns3/collective-transport.h"
#include "ns3/identifier.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Posts the messages of one operation of a rank, each on the path that its stage is granted:
 * the fabric inside the server, a rail, or the network of the hosts.
 */
class OperationSender
{
  public:
    /**
     * @param record of the operation
     * @param group id of its group
     * @param ranks that take part, by place
     * @param poster of the rank
     */
    OperationSender(const RankConnections& connections,
                    const OperationRecord& record,
                    GroupId group,
                    const std::vector<RankId>& ranks,
                    OperationCircuits& circuits,
                    MessagePoster& poster);

    /** Sends a message of the run. Its stage must be granted if it takes a rail. */
    void Send(const CollectiveRun::Message& message);

    /**
     * Sends the sender of a receive the report that SendRendezvous requires.
     * @param part of the schedule; the report goes back on the path of its first incoming message
     */
    void SendClearToSend(const RankSchedule& part);

    /** @param replaying whether messages are only noted from now on: they are sent already */
    void SetReplaying(bool replaying)
    {
        m_replaying = replaying;
    }

    /** @return what the last message passes through, in words */
    std::string DescribeLast() const;

    /** @return what a message passes through, in words */
    std::string DescribePath(const TransportMessage& message) const;

  private:
    /** Posts a message on a network, unless it is sent already. */
    void Post(TransportKind kind, Ptr<Transport> transport, const TransportMessage& message);
    /** Sends a transport message on the path of a message of the run. */
    void SendOn(const CollectiveRun::Message& path, const TransportMessage& message);

    const RankConnections& m_connections;
    const OperationRecord& m_record;
    GroupId m_group;
    const std::vector<RankId>& m_ranks;
    OperationCircuits& m_circuits;
    MessagePoster& m_poster;
    TransportMessage m_last;
    Ptr<Transport> m_lastOn; //!< that has the last message
    bool m_replaying{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_SENDER_H */
