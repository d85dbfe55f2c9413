/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEALTH_AGENT_H
#define PHOTONIC_RAILS_HEALTH_AGENT_H

#include "failure-sign.h"
#include "health-socket.h"

#include "ns3/application.h"
#include "ns3/collective-application.h"
#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/rdma-queue-pair.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The launcher of ranks on a server: it watches their processes, reports to a HealthMonitor,
 * and stops them by its order.
 *
 * It sends a heartbeat with all signs of failures that it has every `Interval`, and one at once
 * when it gets another sign. Signs are
 * - PROCESS_EXIT: the process of a rank has ended (CollectiveApplication::EndProcess()). Processes
 * are checked every `ProcessPoll`, at multiples of it since the simulation began.
 * - RETRY_LIMIT and NO_CARRIER: a queue pair gave messages up. The GPU at its other end is the
 *   suspect.
 * - NO_CIRCUITS: an operation of a rank failed because its circuits were refused.
 * - TIMEOUT: nothing has happened at a rank for its StallLimit.
 *
 * Ranks are on other nodes than the agent: what happens there is known here, and an order from here
 * is carried out there, `HostLatency` later. A rank that is stopped by order leaves its broker; its
 * queue pairs go to error (RdmaEngine::Reset()).
 *
 * The agent reports that an attempt runs until all of its ranks have been stopped. Attempts of a
 * job are counted from 1.
 */
class HealthAgent : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    HealthAgent();
    ~HealthAgent() override;

    /** The GPU of each NIC port of the cluster. */
    using Places = std::map<Mac48Address, GpuPlace>;

    /**
     * @param server of the cluster
     * @param monitor its address
     * @param places of all NIC ports: the cluster's installation record
     */
    void Set(uint32_t server, Ipv4Address monitor, std::shared_ptr<const Places> places);

    /**
     * Launches the ranks of an attempt on this server: watches them from now on.
     * @param attempt greater than those before
     * @param ranks of the server, by GPU
     */
    void Watch(uint32_t attempt, const std::map<uint32_t, Ptr<CollectiveApplication>>& ranks);

    /** The ranks of the attempt have ended: nothing is watched any more. */
    void Release();

    /** The server is lost, or the agent ends: nothing is sent any more. */
    void Crash();

    /** Begins anew after a crash, without ranks. */
    void Restart();

    /** Signature of SignFound. */
    typedef void (*ReportCallback)(const FailureReport& report);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** A heartbeat is due: it is sent when the instant is over. */
    void Beat();
    /** The instant is over: sends a heartbeat if one is due, and the next one an interval later. */
    void SendIfDue();
    /** An order arrives. */
    void Receive(const HealthHeader& order);
    /** Obeys an order. @param attempt the least that may run */
    void Obey(uint32_t attempt);
    /** All ranks of the attempt have been stopped. */
    void Stopped(uint32_t attempt);
    /** Has a sign. */
    void Add(const FailureReport& report);
    /** Notes a sign of a rank, on the agent's node. */
    void Found(uint32_t attempt, FailureReport report);
    /** Passes a sign of a rank from its node to the agent's. */
    void Pass(const FailureReport& report, Time later);

    // of ranks, on their nodes
    void ProcessEnded(uint32_t gpu, RankId rank);
    void OperationFailed(uint32_t gpu, const OperationRecord& record);
    void Stalled(uint32_t gpu, const std::string& report);
    void MessageFailed(uint32_t gpu,
                       const RdmaQueuePair& queuePair,
                       const RdmaMessage& message,
                       const std::string& why);
    /** @return a report of a GPU of this server */
    FailureReport MakeReport(FailureSign sign, uint32_t gpu) const;

    bool m_reportsQueuePairs;
    Time m_interval;
    Time m_processPoll;
    Time m_hostLatency;
    uint32_t m_server{0};
    Ipv4Address m_monitor;
    HealthSocket m_socket;
    InstantQueue m_instant;
    EventId m_beat;
    Time m_lastBeat{TimeStep(0)}; //!< of the last heartbeat
    bool m_mustBeat{false};
    std::optional<Time> m_since; //!< the next interval counts from then; none: from the beat on
    uint32_t m_sequence{0};
    bool m_running{false};
    bool m_crashed{false};
    uint32_t m_attempt{0};  //!< that runs here; 0: none
    uint32_t m_stopping{0}; //!< the attempt whose ranks are being stopped; 0: none
    uint32_t m_least{0};    //!< attempt that may run
    std::map<uint32_t, Ptr<CollectiveApplication>> m_ranks; //!< of the attempt, by GPU
    std::set<uint32_t> m_ended;    //!< GPUs whose process has ended, as it is there
    std::set<uint32_t> m_listened; //!< GPUs to whose engines it listens
    std::shared_ptr<const Places> m_places;
    std::set<FailureReport> m_reports; //!< of the attempt
    TracedCallback<const FailureReport&> m_signFound;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEALTH_AGENT_H */
