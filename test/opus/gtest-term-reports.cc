/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The reports of agents and shims to a controller that begins a term, one question at a time.

#include "opus-controller-parts.h"

#include "ns3/circuit-policy.h"
#include "ns3/held-phases.h"
#include "ns3/job-starts.h"
#include "ns3/report-admission.h"
#include "ns3/reported-refusals.h"
#include "ns3/resumed-phases.h"
#include "ns3/term-takeover.h"
#include "ns3/unnamed-ranks.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** A term has begun, and nothing is known. */
class TermReports : public testing::Test
{
  protected:
    TermReports()
    {
        m_parts.ledger.BeginTerm();
    }

    /** @return the HOLD of a rank for operation 3 of ranks 0 and 1, which are joined */
    static OpusHold Hold(uint32_t rank, uint64_t until = 3)
    {
        auto hold = Parts::Naming<OpusHold>(rank, 3, {0, 1});
        hold.until = until;
        hold.circuits = {Parts::Between(0, 1)};
        return hold;
    }

    /** @return the report that a rank is through with an operation */
    static OpusHold Through(uint32_t rank, uint64_t operation)
    {
        OpusHold through;
        through.phase = Parts::Operation(operation);
        through.ranks = {RankId(rank)};
        return through;
    }

    /** @return the report that a rank was refused operation 3 */
    static OpusRefuse Refusal(uint32_t rank)
    {
        return {Parts::Operation(3), {RankId(rank)}, "a port failed", true};
    }

    /** Takes the circuits that stand, between some pairs of ranks. */
    void Accept(const std::vector<JoinedRanks>& joined)
    {
        std::vector<Circuit> circuits;
        for (const auto& [one, other] : joined)
        {
            circuits.emplace_back(m_parts.cabling->GetPorts(one).front(),
                                  m_parts.cabling->GetPorts(other).front());
        }
        m_parts.ledger.Learn(RailId(0), circuits);
    }

    /** Takes the ends of the reports of ranks' shims. */
    void End(const std::vector<uint32_t>& ranks)
    {
        for (const uint32_t rank : ranks)
        {
            m_parts.ledger.Learn(JobId(0), ServerId(rank));
        }
    }

    /** @return operation 3, which must be open */
    ControllerPhase& Phase()
    {
        return m_parts.phases.At(Parts::Operation(3));
    }

    Parts m_parts;
    ReportAdmission m_reports{m_parts.cabling, m_parts.ledger, m_parts.record};
    HeldPhases m_held{m_reports,
                      m_parts.ranks,
                      m_parts.voting,
                      m_parts.endings,
                      m_parts.grants,
                      m_parts.setup};
    ReportedRefusals m_refusals{m_reports, m_parts.phases, m_parts.endings, m_parts.outcomes};
    ResumedPhases m_resumed{m_parts.cabling,
                            m_parts.phases,
                            m_parts.ledger,
                            m_parts.setup,
                            m_parts.extent,
                            m_parts.recalls,
                            m_parts.grants};
    UnnamedRanks m_unnamed{m_parts.phases, m_parts.ranks, m_parts.voting};
};

} // namespace

TEST_F(TermReports, OnlyThePossibleIsAdmitted)
{
    EXPECT_TRUE(m_reports.IsAdmitted(ServerId(0), Hold(0)));
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(1), Hold(0))) << "rank 0 is on server 0";
    OpusHold noPort = Hold(0);
    noPort.circuits[0].onePort = 1;
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(0), noPort)) << "its NIC has port 0 only";
    OpusHold noPairs = Hold(0);
    noPairs.pairs.clear();
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(0), noPairs));
    EXPECT_TRUE(m_reports.IsAdmitted(ServerId(0), Refusal(0)));
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(1), Refusal(0)));
    EXPECT_EQ(m_parts.record.counters.unknown, 4U);
}

TEST_F(TermReports, AfterTheEndOfItsReportAShimHoldsNothingMore)
{
    End({0});
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(0), Hold(0)));
    EXPECT_FALSE(m_reports.IsAdmitted(ServerId(0), Refusal(0)));
    EXPECT_TRUE(m_reports.IsAdmitted(ServerId(0), Through(0, 3))) << "that takes nothing";
}

TEST_F(TermReports, AHeldPhaseIsGrantedAndItsPortsAreInUse)
{
    Accept(Parts::Chain({0, 1}));
    End({2, 3});
    m_held.TakeHold(ServerId(0), Hold(0, 9));
    EXPECT_EQ(Phase().state, ControllerPhase::State::GRANTED);
    EXPECT_TRUE(Phase().isResumed) << "rank 1 has not reported";
    EXPECT_EQ(Phase().votes.GetHolding(), std::vector<RankId>{RankId(0)});
    for (const uint32_t rank : {0U, 1U})
    {
        const RailPort port{RailId(0), m_parts.cabling->GetPorts(RankId(rank)).front()};
        EXPECT_EQ(m_parts.ledger.GetPhases(port), std::vector<OpusPhase>{Phase().phase});
    }
    m_held.TakeHold(ServerId(1), Hold(1, 5));
    EXPECT_EQ(Phase().until, 5U) << "no further than the first of its ranks";
    EXPECT_EQ(Phase().circuits.size(), 1U) << "both have named the same circuit";
    EXPECT_EQ(Phase().votes.CountHolding(), 2U);
    EXPECT_TRUE(m_parts.outbox.Take().empty());
}

TEST_F(TermReports, WhatWasGrantedReplacesARequestForOtherPairs)
{
    m_parts.Call(3, {1, 2});
    m_held.TakeHold(ServerId(0), Hold(0));
    EXPECT_EQ(Phase().pairs, Parts::Chain({0, 1}));
    const auto refusals = m_parts.TakeSent<OpusRefuse>();
    EXPECT_EQ(refusals.size(), 2U);
    EXPECT_FALSE(refusals.at(0).isFinal);
    EXPECT_EQ(m_parts.outcomes.Find(Parts::Operation(3)), std::nullopt);
}

TEST_F(TermReports, AHeldPhaseThatWasRequestedTooKeepsItsRanks)
{
    m_parts.Call(3, {0, 1});
    m_parts.voting.Update(Phase());
    m_held.TakeHold(ServerId(0), Hold(0));
    EXPECT_EQ(Phase().state, ControllerPhase::State::GRANTED);
    EXPECT_FALSE(Phase().queued);
    EXPECT_EQ(Phase().votes.Get(RankId(1)), PhaseVote::REQUESTED) << "it is missing its grant";
    EXPECT_FALSE(Phase().votes.IsHolding(RankId(1)));
}

TEST_F(TermReports, ARankThatIsThroughIsNotAwaited)
{
    ControllerPhase& phase = m_parts.Call(3, {0, 1});
    phase.votes.Release(RankId(1), true, 0); // its vote is missing
    PhaseRequest request;
    request.number = 1;
    phase.votes.Request(RankId(0), request);
    m_held.TakeHold(ServerId(1), Through(1, 3));
    EXPECT_EQ(Phase().votes.Get(RankId(1)), PhaseVote::FINISHED);
    EXPECT_EQ(Phase().state, ControllerPhase::State::WAITING) << "all votes are known";
}

TEST_F(TermReports, AHeldPhaseGoesOnWhenItsAgentAndItsShimsHaveReported)
{
    m_held.TakeHold(ServerId(0), Hold(0));
    Accept(Parts::Chain({0, 1}));
    End({0, 2, 3});
    m_resumed.GoOn();
    EXPECT_TRUE(Phase().isResumed) << "rank 1 may have released it, or go less far";
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    End({1});
    m_resumed.GoOn();
    EXPECT_FALSE(Phase().isResumed);
    EXPECT_EQ(m_parts.TakeSent<OpusGrant>().size(), 1U) << "to rank 0; rank 1 does not want it";
    m_resumed.GoOn();
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "once";
}

TEST_F(TermReports, APhaseIsCalledBackIfOneOfItsPairsHasNoCircuit)
{
    auto hold = Parts::Naming<OpusHold>(0, 3, {0, 1, 2});
    hold.circuits = {Parts::Between(0, 1)};
    m_held.TakeHold(ServerId(0), hold);
    Accept(Parts::Chain({0, 1}));
    End({0, 1, 2});
    m_resumed.GoOn();
    EXPECT_TRUE(Phase().recalled) << "there is no circuit between ranks 1 and 2";
    EXPECT_EQ(m_parts.TakeSent<OpusRecall>().size(), 1U);
}

TEST_F(TermReports, ThePairsOfRanksThatMissedTheGrantUseWhatStands)
{
    auto hold = Parts::Naming<OpusHold>(0, 3, {0, 1});
    hold.pairs.emplace_back(RankId(2), RankId(3));
    hold.whole = 4;
    hold.digest = GetDigest(hold.pairs);
    hold.circuits = {Parts::Between(0, 1)};
    m_held.TakeHold(ServerId(0), hold);
    Accept(hold.pairs);
    End({0, 1, 2, 3});
    m_resumed.GoOn();
    EXPECT_EQ(Phase().circuits.size(), 2U);
    EXPECT_FALSE(Phase().recalled);
    const RailPort port{RailId(0), m_parts.cabling->GetPorts(RankId(3)).front()};
    EXPECT_EQ(m_parts.ledger.GetPhases(port), std::vector<OpusPhase>{Phase().phase});
}

TEST_F(TermReports, ARefusalOfAnEarlierTermIsTheOutcomeInThisOne)
{
    m_refusals.TakeRefusal(ServerId(0), Refusal(0));
    EXPECT_EQ(m_parts.outcomes.Find(Parts::Operation(3)), "a port failed");
    EXPECT_TRUE(m_parts.outbox.Take().empty()) << "no rank has requested it in this term";
}

TEST_F(TermReports, ARefusalEndsARequestAndNoGrant)
{
    m_parts.Call(3, {0, 1});
    m_refusals.TakeRefusal(ServerId(0), Refusal(0));
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 2U);
    EXPECT_EQ(m_parts.phases.Find(Parts::Operation(3)), nullptr);
    m_held.TakeHold(ServerId(1), Hold(1));
    m_refusals.TakeRefusal(ServerId(0), Refusal(0));
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    EXPECT_EQ(Phase().state, ControllerPhase::State::GRANTED) << "its circuits may be in use";
}

TEST_F(TermReports, RanksThatAreThroughAndThatNoRankNamesAreFoundByTheirGroup)
{
    ControllerPhase& phase = m_parts.ranks.Open(Parts::Operation(3), 4, 0).first;
    m_parts.ranks.Name(phase, {RankId(0)}, Parts::Chain({0, 1}));
    phase.votes.Request(RankId(0), {});
    for (const uint32_t rank : {1U, 2U, 3U})
    {
        m_held.TakeHold(ServerId(rank), Through(rank, 3));
    }
    m_unnamed.Find();
    EXPECT_EQ(phase.state, ControllerPhase::State::VOTING) << "two ranks are not known";
    m_parts.Register(0, {0, 1, 2, 3}, "dp 0");
    m_unnamed.Find();
    EXPECT_EQ(phase.votes.Count(PhaseVote::FINISHED), 3U);
    EXPECT_EQ(phase.state, ControllerPhase::State::WAITING)
        << "rank 0 wants it, others are through";
}

TEST_F(TermReports, JobsStartWhenAllIsKnownAndAReportThatComesTwiceIsADuplicate)
{
    const Ptr<CircuitPolicy> policy =
        CircuitPolicy::Create(m_parts.settings.policy, m_parts.cabling);
    JobStarts starts({}, *policy, m_parts.phases, m_parts.ledger, m_parts.setup, m_parts.record);
    TermTakeover takeover(m_parts.ledger,
                          m_resumed,
                          m_unnamed,
                          starts,
                          m_parts.turns,
                          m_parts.record);
    takeover.Begin();
    EXPECT_TRUE(starts.IsPostponed());
    takeover.TakeAccept(RailId(0), {});
    takeover.TakeAccept(RailId(0), {});
    takeover.TakeAccept(RailId(1), {});
    EXPECT_EQ(m_parts.record.counters.duplicates, 2U) << "there is no second rail";
    for (const uint32_t server : {0U, 1U, 2U, 3U})
    {
        takeover.TakeTerm(ServerId(server), {JobId(0)});
    }
    EXPECT_TRUE(starts.IsPostponed()) << "job 1 is on server 4";
    takeover.TakeTerm(ServerId(4), {JobId(1)});
    EXPECT_FALSE(starts.IsPostponed());
}
