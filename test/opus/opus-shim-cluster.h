/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H
#define PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H

#include "opus-fake-switches.h"
#include "opus-flat-message.h"

#include "ns3/call-profile.h"
#include "ns3/circuit-broker.h"
#include "ns3/controller-outbox.h"
#include "ns3/controller-settings.h"
#include "ns3/shim-settings.h"
#include "ns3/shim-statistics.h"
#include "ns3/span-union.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class ControllerCore;
class ShimCore;

/** An operation that ranks call together: a collective, or a send. */
struct ShimOperation
{
    CircuitRequest request;       //!< its rank and stage are filled in
    std::vector<CallPairs> pairs; //!< by stage
};

/** A step of a rank's program. */
struct ShimStep
{
    bool isMarker{false}; //!< an iteration begins, when all is over; else an operation
    std::size_t operation{0};
    bool isAside{false}; //!< the program goes on while it is under way
};

/** How long things take in a ShimCluster. */
struct ShimDelays
{
    bool isExact{false}; //!< just as long; else up to that, drawn
    Picoseconds message{30'000'000};
    Picoseconds reconfiguration{100'000'000};
    Picoseconds computing{100'000'000};          //!< before an operation
    Picoseconds sending{80'000'000};             //!< once all have been answered
    std::map<RankId, Picoseconds> computingMore; //!< of some ranks
};

/**
 * Shims of several servers, a controller with a standby, agents with switches that reconfigure, and
 * ranks that run programs of operations, one after the other or side by side. Messages take their
 * time, and between two peers arrive in order. An operation of a rank is through some time after
 * all answers that it needs. The times that shims note must add up.
 */
class ShimCluster
{
  public:
    ShimCluster(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                const ControllerSettings& settings,
                ShimMode mode,
                const ShimDelays& delays = {});
    ~ShimCluster();

    /** A rank takes part in a group. */
    void Join(RankId rank, const CommunicationGroup& group);
    /** @return a new operation */
    std::size_t Add(const ShimOperation& operation);

    std::vector<ShimStep>& ProgramOf(RankId rank)
    {
        return m_ranks[rank].program;
    }

    /** @return whether a rank sends or receives in an operation */
    bool TakesPart(RankId rank, std::size_t operation) const;
    void Run(bool takeover);
    /** Fails if something is not over. */
    void ExpectAllOver() const;
    /** @return the sum of a counter over all shims */
    uint64_t Count(uint64_t ShimCounters::*counter) const;

    /** @return the notes of shims so far */
    const std::vector<ShimNote>& GetNotes() const
    {
        return m_notes;
    }

    std::string Describe() const;

    Picoseconds GetTime() const
    {
        return m_now;
    }

  private:
    static constexpr Picoseconds MICROSECOND = 1'000'000;

    /** A stage of an operation. */
    struct Stage
    {
        std::set<RankId> missing;           //!< those that are not through with it
        std::map<RankId, uint64_t> sending; //!< those that were answered, and by which answer
    };

    struct Operation
    {
        ShimOperation what;
        std::vector<Stage> stages;
    };

    /** An operation that a rank has called. */
    struct Running
    {
        std::vector<uint32_t> stages; //!< in which it takes part
        std::size_t requested{0};     //!< of them
        std::size_t through{0};       //!< of them
        bool isAside{false};
    };

    struct Rank
    {
        std::vector<ShimStep> program;
        std::size_t next{0}; //!< step
        bool isBusy{false};  //!< with something that is not aside
        std::map<std::size_t, Running> running;
    };

    Picoseconds Draw(Picoseconds limit);
    void At(Picoseconds delay, std::function<void()> event);
    /** A message arrives, after all earlier ones between the same two. */
    void Carry(const std::string& path, std::function<void()> arrive);

    // ---- shims

    ShimCore& ShimOf(RankId rank);
    /** Fails if the times that a shim notes of an answer do not add up. */
    void TakeNotes(ServerId server);
    void Handle(ServerId server, const ShimOutcome& outcome);
    void FlushLater(ServerId server);

    // ---- the controller

    void Post(const ControllerOutbox::Messages& outbox);
    void Crash();
    /** An agent reports the circuits that stand, if nothing is reconfiguring. */
    void Accept(RailId rail);
    void TakeByAgent(const FlatMessage<OpusProgram>& program);
    void Done(OpusMessage answer);

    // ---- ranks

    std::vector<uint32_t> StagesOf(RankId rank, std::size_t operation) const;
    /** @return whether a step can begin */
    bool CanBegin(const Rank& state, const ShimStep& step) const;
    /** A rank goes on with its program as far as it can. */
    void Next(RankId rank);
    CircuitRequest MakeRequest(RankId rank, std::size_t operation, uint32_t stage) const;
    void RequestNext(RankId rank, std::size_t operation);
    void Request(RankId rank, const CircuitRequest& request);
    void Finish(RankId rank, const CircuitRequest& request);
    static OpusPhase PhaseOf(const CircuitRequest& request);
    void Answered(const ShimAnswer& answer);
    /** A rank is through with a stage, unless its circuits have been withdrawn. */
    void Through(RankId rank, std::size_t operation, uint32_t at, uint64_t number);

    std::mt19937 m_random;
    ShimDelays m_delays;
    std::vector<ShimNote> m_notes;
    std::map<ServerId, std::map<RankId, SpanUnion>> m_waits; //!< of ranks, for circuits
    std::shared_ptr<const Cabling> m_cabling;
    ControllerSettings m_settings;
    std::unique_ptr<ControllerCore> m_inCharge;
    bool m_crashed{false};
    FakeSwitches m_switches;
    ShimMode m_mode;
    std::map<ServerId, std::unique_ptr<ShimCore>> m_shims;
    std::map<RailId, uint32_t> m_terms;         //!< that agents have accepted
    std::map<RailId, uint32_t> m_reconfiguring; //!< plans
    std::set<RailId> m_owing;                   //!< an ACCEPT
    std::set<uint64_t> m_plans;
    std::set<uint64_t> m_turned;
    std::vector<Operation> m_operations;
    std::map<RankId, Rank> m_ranks;
    uint64_t m_answers{0};
    Picoseconds m_now{0};
    Picoseconds m_progress{0};
    std::map<std::string, Picoseconds> m_paths;
    std::multimap<Picoseconds, std::function<void()>> m_events;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_SHIM_CLUSTER_H */
