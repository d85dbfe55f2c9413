/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_APP_H
#define PHOTONIC_RAILS_OPUS_SHIM_APP_H

#include "local-shim.h"

#include "ns3/cabling.h"
#include "ns3/circuit-policy.h"
#include "ns3/communication-group.h"
#include "ns3/deadline-timer.h"
#include "ns3/event-id.h"
#include "ns3/giant-rings.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

class OpusBroker;
class RankLink;
class ShimCore;
class ShimLink;
struct LinkUpNote;
struct ShimNote;
struct ShimOutcome;
struct ShimSettings;

/**
 * @ingroup photonic-rails
 * @brief The shim of a job on a server. It takes the calls of the job's ranks there, and requests
 * circuits from a controller for them. Its ShimCore decides.
 *
 * It runs on the server's node. Ranks are on other nodes: each has an OpusBroker, and a call or an
 * answer takes HostLatency, also between processes of a distributed simulation (ShimLink,
 * RankLink). The shim has no access to NICs, switches or rank programs.
 *
 * The requests of one instant leave as one message for each phase. With a ProcessingTime, messages
 * and calls are processed one after another, and outgoing messages leave when the last one of an
 * instant is processed. The controller in charge is the
 * sender of the greatest term that has arrived.
 *
 * **Restarts.** The process of the shim may end and begin anew (EndProcess(), BeginProcess()). Its
 * ranks go on: calls that they make meanwhile wait in memory that they share with the shim, and are
 * taken in their order when it is back. The state of the ShimCore is on the disk of the server.
 * What is lost is what has arrived and was not processed. So the shim sends a JOIN to its
 * controller, which begins another term: the shim then states what its ranks hold, and requests
 * again what they wait for.
 *
 * OpusHelper installs it.
 */
class OpusShimApp : public LocalShim
{
  public:
    /** When it requests circuits, see ShimMode. */
    enum Mode
    {
        ON_DEMAND,
        PROVISIONED,
        CO_SCHEDULED,
    };

    /** The treatment of a stage without an answer, see ShimSettings. */
    enum WhenGivenUp
    {
        SEND,
        HOST,
        FAIL,
        RING,
    };

    /** @return the type */
    static TypeId GetTypeId();

    OpusShimApp();
    ~OpusShimApp() override;

    /** @param job of the ranks */
    void SetJob(JobId job);
    /** @param server of this shim */
    void SetServer(ServerId server);
    /** @return the job of the ranks */
    JobId GetJob() const;
    /** @return the server */
    ServerId GetServer() const;
    /** @return the number of ranks */
    uint32_t GetRanks() const;
    /** @param cabling of the fibers, as at the set-up of the job */
    void SetCabling(std::shared_ptr<const Cabling> cabling);
    /** @param policy of the controllers, for the choices of its ranks; null: not known */
    void SetPolicy(Ptr<const CircuitPolicy> policy);
    /** @param agent of a rail of its ranks, for WhenGivenUp Ring */
    void AddAgent(RailId rail, const OpusPeer& agent);
    /** @param rings of the job; by default it finds them when it starts */
    void SetRings(std::shared_ptr<const GiantRings> rings);
    /** @param peer address of the controller that is in charge at first */
    void SetController(const OpusPeer& peer);

    /**
     * @param rank on this server
     * @param gpu node of the rank
     * @return the rank's broker
     */
    Ptr<OpusBroker> MakeBroker(RankId rank, Ptr<Node> gpu);

    /** @return when it requests circuits */
    Mode GetMode() const
    {
        return m_mode;
    }

    /** @return the core that decides; aborts before the start */
    const ShimCore& GetCore() const;

    using OpusEndpoint::BeginProcess;
    using OpusEndpoint::EndProcess;

    // LocalShim
    Time GetHostLatency() const override;
    PathCosts GetCosts() const override;
    void Join(RankId rank, CommunicationGroup group) override;
    void BeginIteration(RankId rank) override;
    void Request(CircuitRequest request) override;
    void Finish(CircuitRequest request) override;
    void Called(CallNotice notice) override;
    void Hint(CircuitHint hint) override;
    void LinkUp(CircuitRequest request, LinkUpWatch::Outcome outcome) override;
    void PortIsUp(CarrierWatch watch) override;
    bool ReportsOutages() const override;
    void LinkFailed(CircuitRequest request, RankCircuit circuit) override;
    void Leave(RankId rank) override;

    /** Signature of Answered. */
    typedef void (*NoteCallback)(const ShimNote& note);
    /** Signature of LinkUp. */
    typedef void (*LinkUpCallback)(const LinkUpNote& note);
    /** Signature of WrongPrediction: the server, and the number so far. */
    typedef void (*PredictionCallback)(ServerId server, uint64_t count);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    void Restarted() override;
    void Take(const OpusMessage& message, const OpusPeer& peer) override;
    bool IsWorthRepeating(const OpusMessage& message) const override;
    void InstantOver() override;
    bool ProcessesGroups() const override;

  private:
    /** Calls of a rank, in the order in which those of one instant are taken. */
    enum Call : uint64_t
    {
        LINK_UP,     //!< a report of the NIC, which comes before the end of its call
        LINK_FAILED, //!< before the rank gives the call back
        JOIN,
        FINISH,
        BEGIN_ITERATION,
        HINT, //!< before a call that it covers
        REQUEST,
        CALLED,
        LEAVE,
        CALLS,
    };

    /** A rank's call that is not processed yet. */
    struct WaitingCall
    {
        Picoseconds at{0};
        std::array<uint64_t, 2> key{};
        std::function<void()> action;
    };

    /** Takes a call when the present instant is over. @param number in m_waiting */
    void Enqueue(uint64_t number);
    /** Takes a call, unless that was done. @param number in m_waiting */
    void TakeCall(uint64_t number);
    /** Takes the calls that have waited for the process. */
    void TakeWaiting();
    /** Takes a rank's call when the present instant is over. */
    void WhenCalled(RankId rank, Call call, uint64_t order, std::function<void()> action);
    /** Takes a call about a stage of an operation, at its place in the rank's program. */
    void WhenCalled(const CircuitRequest& request, Call call, std::function<void()> action);
    /** @return settings from the attributes */
    ShimSettings MakeSettings() const;
    /** Has the NICs of its ranks watched for an agent. */
    void TakeWatch(const OpusWatch& watch, RailId rail, const OpusPeer& agent);
    /** Reports watched ports that are up. */
    void ReportPorts();
    /** Notifies the agents that the shim has left the controller, and its ranks hold nothing. */
    void SendFallbacks();
    /** Has calls to and from a rank on another process take a link. */
    void Link(const Ptr<OpusBroker>& broker);
    /** Calls a method of a rank's broker, HostLatency from now. */
    template <auto Method, typename... Arguments>
    void CallRank(const Ptr<OpusBroker>& broker, const Arguments&... arguments);
    /** Sends answers to ranks. */
    void Handle(const ShimOutcome& outcome);
    /** Ends the waits of the core that are over their limit, after the calls of the instant. */
    void HandleTimer();
    /** Sets the timer to the core's next deadline. */
    void SetTimer();
    /** Reports the notes of the core to traces and to the log. */
    void ReportNotes();

    Mode m_mode;
    uint32_t m_profileIterations;
    bool m_hostNetwork;
    Time m_giveUpAfter;
    WhenGivenUp m_whenGivenUp;
    Time m_keepIdle;
    bool m_reportsOutages;
    Time m_hostLatency;
    Time m_reconfigurationTime;
    uint64_t m_hostBytesPerSecond;
    Time m_hostHopLatency;

    JobId m_job;
    ServerId m_server;
    std::shared_ptr<const Cabling> m_cabling;
    std::shared_ptr<const GiantRings> m_rings;
    Ptr<const CircuitPolicy> m_policy;
    std::map<RailId, OpusPeer> m_agents; //!< of rails of its ranks
    OpusPeer m_controller;
    std::unique_ptr<ShimCore> m_core;
    std::map<RankId, Ptr<OpusBroker>> m_brokers;
    Ptr<ShimLink> m_link;           //!< of ranks on other processes; null: there are none
    Ptr<RankLink> m_rankLink;       //!< to them
    std::set<RankId> m_here;        //!< ranks that have joined a group and not left
    bool m_leaves{false};           //!< the last of them has left: a LEAVE is due
    std::vector<CarrierWatch> m_up; //!< watched ports that are up, not reported yet
    DeadlineTimer m_timer;
    std::map<uint64_t, WaitingCall> m_waiting; //!< calls that are not processed, by number
    uint64_t m_calls{0};                       //!< of ranks so far
    uint64_t m_wrongPredictions{0};            //!< that the trace has reported
    TracedCallback<const ShimNote&> m_answered;
    TracedCallback<const LinkUpNote&> m_linkUp;
    TracedCallback<ServerId, uint64_t> m_wrongPrediction;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_APP_H */
