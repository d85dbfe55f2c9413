/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_HEALTH_MONITOR_H
#define PHOTONIC_RAILS_HEALTH_MONITOR_H

#include "failure-diagnosis.h"
#include "failure-sign.h"
#include "health-socket.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/instant-queue.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/** A sign of a failure, and when the monitor had it. */
struct ReceivedSign
{
    FailureReport report;
    Time received{0};
};

/**
 * @ingroup photonic-rails
 * @brief Finds that servers of a job have failed, from the heartbeats and reports of their
 * HealthAgents.
 *
 * A server that has sent nothing for `MissingAfter` is silent, which is a sign as well.
 * `GatherTime` after the first sign of an attempt it has a diagnosis (Diagnose()), of all signs by
 * then. So what it knows, it knows from datagrams only.
 *
 * Stop() orders all servers to stop an attempt. The order is sent at once, and again in answer to
 * each heartbeat of a server that still runs it. When all servers have reported that they do not,
 * or are silent, the attempt is over.
 */
class HealthMonitor : public Application
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    HealthMonitor();
    ~HealthMonitor() override;

    /** Adds the agent of a server. */
    void AddServer(uint32_t server, Ipv4Address agent);

    /**
     * Watches the servers of an attempt, from now on.
     * @param attempt greater than those before
     * @param servers of the attempt
     * @param left GPUs that were tied in earlier diagnoses
     * @param diagnosed called once, when the attempt has failed
     */
    void Watch(uint32_t attempt,
               const std::set<uint32_t>& servers,
               const std::set<GpuPlace>& left,
               const std::function<void(const FailureDiagnosis&)>& diagnosed);

    /** The attempt has ended: nothing is watched any more. */
    void Release();

    /**
     * Orders all servers of the present attempt to stop it.
     * @param stopped called when it is over
     */
    void Stop(const std::function<void()>& stopped);

    /** @return the signs of the present attempt, in the order in which they came */
    const std::vector<ReceivedSign>& GetSigns() const
    {
        return m_signs;
    }

    /** @return whether a server has sent a heartbeat within MissingAfter, or the run has just begun
     */
    bool IsPresent(uint32_t server) const;

    /** Signature of SignReceived. */
    typedef void (*SignCallback)(const FailureReport& report, Time received);

  protected:
    void DoDispose() override;

  private:
    /** What is known of a server. */
    struct Server
    {
        Ipv4Address agent;
        std::optional<Time> contact; //!< of the last heartbeat; none: since the watch began
        uint32_t attempt{0};         //!< that runs there, by its last heartbeat
        uint32_t sequence{0};        //!< of the last heartbeat
        bool isSilent{false};
    };

    void StartApplication() override;
    void StopApplication() override;

    /** A heartbeat arrives. */
    void Receive(const HealthHeader& heartbeat);
    /** Takes a heartbeat. */
    void Take(const HealthHeader& heartbeat);
    /** Has a sign. */
    void Add(const FailureReport& report);
    /** Looks for servers that are silent, and comes back when the next one may be. */
    void Check();
    /** @return the watched servers that are silent */
    std::set<uint32_t> GetSilent() const;
    /** Notes the servers that are silent now. */
    void NoteSilent();
    /** Sends an order to a server. */
    void Order(const Server& to, uint32_t number);
    /** Ends the gathering of signs. */
    void Conclude();
    /** Calls back if all servers have stopped. */
    void ReportIfStopped();

    Time m_missingAfter;
    Time m_gatherTime;
    std::map<uint32_t, Server> m_servers;
    HealthSocket m_socket;
    InstantQueue m_instant;
    uint32_t m_sequence{0};
    uint32_t m_attempt{0};        //!< that is watched; 0: none
    uint32_t m_least{0};          //!< attempt that may run
    std::set<uint32_t> m_watched; //!< servers of the attempt
    std::set<GpuPlace> m_left;
    std::vector<ReceivedSign> m_signs;
    std::set<FailureReport> m_reports; //!< the same signs
    std::function<void(const FailureDiagnosis&)> m_diagnosed;
    std::function<void()> m_stopped;
    EventId m_check;
    EventId m_conclude;
    TracedCallback<const FailureReport&, Time> m_signReceived;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_HEALTH_MONITOR_H */
