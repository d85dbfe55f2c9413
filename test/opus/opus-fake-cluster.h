/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H
#define PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H

#include "opus-fake-network.h"
#include "opus-fake-rank.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/**
 * A FakeNetwork with ranks that run programs of operations, guess the next one, request it and more
 * operations than they will run, and release circuits that they do not use, that others wait for
 * and that are recalled.
 */
class FakeCluster : public FakeNetwork
{
  public:
    /** @param guesses percent of operations that are guessed before they are called */
    FakeCluster(uint32_t seed,
                std::shared_ptr<const Cabling> cabling,
                const ControllerSettings& settings,
                FakeFaults faults,
                uint32_t guesses);
    ~FakeCluster() override;
    /**
     * An operation that the ranks in its pairs have next in their programs.
     * @param sender need not wait for the others, if any
     */
    void AddPhase(const OpusPhase& phase,
                  const std::vector<JoinedRanks>& pairs,
                  std::optional<RankId> sender = std::nullopt);
    void Run();
    /** Fails if a rank is not through, or a phase was granted to some and refused to others. */
    void ExpectAllEnded() const;

    std::size_t GetRefused() const
    {
        return m_refused.size();
    }

  private:
    using Rank = FakeRank;

    void NoteTerm() override;
    /**
     * A server receives the new term, and reports what its ranks hold, are through with and want.
     */
    void NoteContact(ServerId server);
    void ReportHolds(RankId rank);
    void ReportRefused(RankId rank);
    void ReportThrough(RankId rank);

    template <typename Content>
    FlatMessage<Content> MessageOf(RankId rank, const OpusPhase& phase)
    {
        FlatMessage<Content> message;
        message.term = m_ranks.at(rank).term;
        message.server = m_cabling->GetServer(rank);
        message.phase = phase;
        message.ranks = {rank};
        return message;
    }

    static std::size_t Count(const std::map<OpusPhase, std::set<RankId>>& ranks,
                             const OpusPhase& phase);

    /** @return whether a phase is for what the rank has called */
    static bool IsNext(const Rank& state, const OpusPhase& phase);
    void Request(RankId rank, bool speculative);
    void SendRelease(RankId rank, const OpusPhase& phase, const FakeHold& hold);
    /** Releases circuits that are idle. */
    void GiveBack(RankId rank, const OpusPhase& phase);
    /** Releases all circuits that are idle. */
    void GiveBackIdle(RankId rank);
    /** A request is not wanted any more. */
    void Withdraw(RankId rank);
    /** The program comes to its next operation, or again to one that was interrupted. */
    void Call(RankId rank);
    void TakeByShim(const OpusMessage& message) override;
    void TakeRefusal(RankId rank, const OpusRefuse& refusal);
    void TakeGrant(RankId rank, const OpusGrant& grant);
    /** All is to be given back. */
    void TakeRecall(RankId rank, const OpusRecall& message);
    /** It is only for some operations, or while it is not idle. */
    void TakeLimit(RankId rank, const OpusRecall& message);
    /** Releases circuits, under way or not; an operation that was under way is called anew. */
    void Interrupt(RankId rank, const OpusPhase& phase);
    void ExpectInTime(const Rank& state) const;

    bool HaveAllBegun(const OpusPhase& operation) const;
    void Begin(RankId rank);
    void End(RankId rank, uint64_t run);
    /** Requests in advance one of the next operations. */
    void Guess(RankId rank, std::size_t first, uint32_t chance);
    /** Guesses the next operation, and computes until it is called. */
    void Next(RankId rank);

    uint32_t m_guesses;
    ControllerLimits m_limits;
    std::map<RankId, Rank> m_ranks;
    std::map<ServerId, uint32_t> m_terms; //!< that each server knows
    std::map<OpusPhase, std::vector<JoinedRanks>> m_pairs;
    std::map<OpusPhase, std::optional<RankId>> m_senders;
    std::map<OpusPhase, std::set<RankId>> m_begun; //!< or done
    std::map<OpusPhase, std::set<RankId>> m_done;
    std::map<OpusPhase, std::set<RankId>> m_refused;
    std::set<OpusPhase> m_torn; //!< some may be through with it though others never are
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_FAKE_CLUSTER_H */
