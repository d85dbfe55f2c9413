/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_APP_H
#define PHOTONIC_RAILS_OPUS_SHIM_APP_H

#include "local-shim.h"

#include "ns3/cabling.h"
#include "ns3/communication-group.h"
#include "ns3/deadline-timer.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

class OpusBroker;
class ShimCore;
struct ShimNote;
struct ShimOutcome;
struct ShimSettings;

/**
 * @ingroup photonic-rails
 * @brief The shim of a job on a server: it takes the calls of the job's ranks there, and asks a
 * controller for circuits on their behalf, as its ShimCore decides.
 *
 * It runs on the server's node. Ranks are other nodes: each has an OpusBroker, and what they say to
 * each other takes HostLatency. It knows calls and messages; no NIC, switch or rank program.
 *
 * What is asked for in one instant leaves as one message for each phase. It believes the controller
 * with the greatest term that it has heard of.
 *
 * OpusHelper makes these.
 */
class OpusShimApp : public LocalShim
{
  public:
    /** When it asks for circuits, see ShimMode. */
    enum Mode
    {
        ON_DEMAND,
        PROVISIONED,
        CO_SCHEDULED,
    };

    /** What becomes of a stage for which no answer comes, see ShimSettings. */
    enum WhenGivenUp
    {
        SEND,
        HOST,
        FAIL,
    };

    /** @return the type */
    static TypeId GetTypeId();

    OpusShimApp();
    ~OpusShimApp() override;

    /** @param job whose ranks it serves */
    void SetJob(JobId job);
    /** @param server that it is on */
    void SetServer(ServerId server);
    /** @return whose ranks it serves */
    JobId GetJob() const;
    /** @return the server that it is on */
    ServerId GetServer() const;
    /** @return how many ranks it serves */
    uint32_t GetRanks() const;
    /** @param cabling where fibers lead, as the job was told when it was set up */
    void SetCabling(std::shared_ptr<const Cabling> cabling);
    /** @param peer where the controller listens that is in charge at first */
    void SetController(const OpusPeer& peer);

    /**
     * @param rank one on this server
     * @param gpu its node
     * @return what it is to call
     */
    Ptr<OpusBroker> MakeBroker(RankId rank, Ptr<Node> gpu);

    /** @return what it has decided so far; aborts before it has started */
    const ShimCore& GetCore() const;

    // LocalShim
    Time GetHostLatency() const override;
    PathCosts GetCosts() const override;
    void Join(RankId rank, CommunicationGroup group) override;
    void BeginIteration(RankId rank) override;
    void Request(CircuitRequest request) override;
    void Finish(CircuitRequest request) override;
    void Hint(CircuitHint hint) override;
    void Leave(RankId rank) override;

    /** Signature of Answered. */
    typedef void (*NoteCallback)(const ShimNote& note);
    /** Signature of WrongPrediction: the server, and how many there were so far. */
    typedef void (*PredictionCallback)(ServerId server, uint64_t count);

  protected:
    void DoDispose() override;
    void Begin() override;
    void End() override;
    void Take(const OpusMessage& message, const OpusPeer& peer) override;
    bool IsWorthRepeating(const OpusMessage& message) const override;
    void InstantOver() override;

  private:
    /** What a rank calls, in the order in which calls of one instant are taken. */
    enum Call : uint64_t
    {
        JOIN,
        FINISH,
        BEGIN_ITERATION,
        REQUEST,
        LEAVE,
        CALLS,
    };

    /** Takes a rank's call when the present instant is over. */
    void WhenCalled(RankId rank, Call call, uint64_t order, std::function<void()> action);
    /** The same for one that is about a stage of an operation. */
    void WhenCalled(const CircuitRequest& request, Call call, std::function<void()> action);
    /** @return settings as the attributes say */
    ShimSettings MakeSettings() const;
    /** Hands answers to ranks. */
    void Handle(const ShimOutcome& outcome);
    /** A wait is over. */
    void HandleTimer();
    void SetTimer();
    void ReportNotes();

    Mode m_mode;
    uint32_t m_profileIterations;
    bool m_hostNetwork;
    Time m_giveUpAfter;
    WhenGivenUp m_whenGivenUp;
    Time m_keepIdle;
    Time m_hostLatency;
    Time m_reconfigurationTime;
    uint64_t m_hostBytesPerSecond;
    Time m_hostHopLatency;

    JobId m_job;
    ServerId m_server;
    std::shared_ptr<const Cabling> m_cabling;
    OpusPeer m_controller;
    std::unique_ptr<ShimCore> m_core;
    std::map<RankId, Ptr<OpusBroker>> m_brokers;
    std::set<RankId> m_here; //!< ranks that have joined a group, and not left
    bool m_leaves{false};    //!< the last of them has left, and the controller is to be told
    DeadlineTimer m_timer;
    uint64_t m_wrongPredictions{0}; //!< that were told of
    TracedCallback<const ShimNote&> m_answered;
    TracedCallback<ServerId, uint64_t> m_wrongPrediction;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_APP_H */
