/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The requests of a phase's ranks come to one list of pairs, or end in a refusal.

#include "opus-controller-parts.h"

#include "ns3/pair-agreement.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** Requests for operation 3, whose ranks are in a chain. */
class PairsAgreed : public testing::Test
{
  protected:
    /** @return the phase that a request joins, and votes for; null if it does not agree */
    ControllerPhase* Join(uint32_t rank, const std::vector<uint32_t>& chain, bool isAhead = false)
    {
        auto request = Parts::Naming<OpusRequest>(rank, 3, chain);
        WholePairs(request.pairs).Name(request);
        request.isAhead = isAhead;
        ControllerPhase* phase = m_agreement.Join(ServerId(rank), request);
        if (phase)
        {
            PhaseRequest vote;
            vote.vote = isAhead ? PhaseVote::SPECULATIVE : PhaseVote::REQUESTED;
            phase->votes.Request(RankId(rank), vote);
        }
        return phase;
    }

    Parts m_parts;
    PairAgreement m_agreement{m_parts.cabling,
                              m_parts.ranks,
                              m_parts.voting,
                              m_parts.endings,
                              m_parts.recalls,
                              m_parts.outcomes};
    const OpusPhase m_phase{Parts::Operation(3)};
};

} // namespace

TEST_F(PairsAgreed, AllPairsAreNamedWhenAllRanksHaveRequested)
{
    ControllerPhase* phase = Join(0, {0, 1, 2});
    ASSERT_NE(phase, nullptr);
    EXPECT_EQ(phase->votes.CountKnown(), 2U) << "rank 0 names itself and rank 1";
    EXPECT_FALSE(phase->named.IsWhole());
    EXPECT_EQ(Join(2, {0, 1, 2}), phase);
    EXPECT_TRUE(phase->named.IsWhole()) << "rank 1 would name the same two pairs";
    EXPECT_EQ(phase->named.Get(), Parts::Chain({0, 1, 2}));
    EXPECT_TRUE(m_parts.outbox.Take().empty());
}

TEST_F(PairsAgreed, ARankThatIsThroughCountsSoWhenItIsNamed)
{
    m_parts.voting.Raise(m_phase, RankId(1), 3);
    ControllerPhase* phase = Join(0, {0, 1});
    ASSERT_NE(phase, nullptr);
    EXPECT_EQ(phase->votes.Get(RankId(1)), PhaseVote::FINISHED);
}

TEST_F(PairsAgreed, ACallReplacesAGuess)
{
    Join(0, {0, 1}, true);
    ControllerPhase* phase = Join(2, {1, 2});
    ASSERT_NE(phase, nullptr);
    EXPECT_EQ(phase->named.GetDigest(), GetDigest(Parts::Chain({1, 2})));
    for (const OpusRefuse& refusal : m_parts.TakeSent<OpusRefuse>())
    {
        EXPECT_FALSE(refusal.isFinal) << "they may call it yet";
    }
}

TEST_F(PairsAgreed, AGuessDoesNotReplaceACall)
{
    ControllerPhase* phase = Join(0, {0, 1});
    EXPECT_EQ(Join(2, {1, 2}, true), nullptr);
    EXPECT_EQ(m_parts.phases.Find(m_phase), phase);
    const auto refusals = m_parts.TakeSent<OpusRefuse>();
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_EQ(refusals[0].ranks, std::vector<RankId>{RankId(2)});
    EXPECT_FALSE(refusals[0].isFinal);
}

TEST_F(PairsAgreed, TwoCallsForDifferentPairsAreRefusedToAllForGood)
{
    Join(0, {0, 1});
    EXPECT_EQ(Join(2, {1, 2}), nullptr);
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 3U) << "to ranks 0, 1 and 2";
    EXPECT_EQ(m_parts.phases.Find(m_phase), nullptr);
    EXPECT_NE(m_parts.outcomes.Find(m_phase), std::nullopt);
}

TEST_F(PairsAgreed, APhaseThatIsUnderWayStaysWhatOthersWant)
{
    m_parts.Grant(3, {0, 1});
    EXPECT_EQ(Join(2, {1, 2}), nullptr);
    const auto refusals = m_parts.TakeSent<OpusRefuse>();
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_TRUE(refusals[0].isFinal);
    EXPECT_NE(m_parts.phases.Find(m_phase), nullptr);
}

TEST_F(PairsAgreed, AGrantedGuessIsCalledBackForACall)
{
    Join(0, {0, 1}, true);
    ControllerPhase& guess = *Join(1, {0, 1}, true);
    m_parts.setup.TakeOver(guess);
    m_parts.grants.Grant(guess);
    m_parts.outbox.Take();
    EXPECT_EQ(Join(2, {1, 2}), nullptr) << "until the guess is gone";
    EXPECT_TRUE(guess.recalled);
    EXPECT_FALSE(m_parts.TakeSent<OpusRefuse>().at(0).isFinal) << "it requests again";
}

TEST_F(PairsAgreed, ARequestWhoseRankIsInNoPairOpensNothing)
{
    auto request = Parts::Naming<OpusRequest>(2, 3, {0, 1});
    EXPECT_EQ(m_agreement.Join(ServerId(2), request), nullptr);
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 1U);
    EXPECT_EQ(m_parts.phases.Find(m_phase), nullptr);
}

TEST_F(PairsAgreed, PairsThatDoNotHaveTheirDigestAreRefusedToAll)
{
    auto request = Parts::Naming<OpusRequest>(0, 3, {0, 1});
    request.digest += 1;
    EXPECT_NE(m_agreement.Join(ServerId(0), request), nullptr) << "rank 1 may name more pairs";
    request.ranks = {RankId(1)};
    EXPECT_EQ(m_agreement.Join(ServerId(1), request), nullptr) << "it does not";
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 2U);
    EXPECT_EQ(m_parts.phases.Find(m_phase), nullptr);
}
