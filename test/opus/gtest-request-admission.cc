/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Requests that are not possible, whatever the state of their phase; and the answers to requests
// that do not count.

#include "opus-controller-parts.h"

#include "ns3/circuit-policy.h"
#include "ns3/group-registrations.h"
#include "ns3/job-starts.h"
#include "ns3/request-admission.h"
#include "ns3/request-checks.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** Group 0 of job 0 has ranks 0 to 2. */
class RequestAdmitted : public testing::Test
{
  protected:
    RequestAdmitted()
    {
        m_parts.Register(0, {0, 1, 2}, "dp 0");
    }

    /** @return a request of a rank for an operation of ranks in a chain */
    static OpusRequest Request(uint32_t rank, const std::vector<uint32_t>& chain)
    {
        return Parts::Naming<OpusRequest>(rank, 3, chain);
    }

    Parts m_parts;
    Ptr<CircuitPolicy> m_policy{CircuitPolicy::Create(m_parts.settings.policy, m_parts.cabling)};
    JobStarts m_starts{{},
                       *m_policy,
                       m_parts.phases,
                       m_parts.ledger,
                       m_parts.setup,
                       m_parts.record};
    RequestChecks m_checks{m_parts.cabling, m_parts.groups, m_starts};
    RequestAdmission m_admission{m_checks,
                                 m_parts.phases,
                                 m_parts.voting.GetProgress(),
                                 m_parts.endings,
                                 m_parts.outcomes,
                                 m_parts.record};
    const ServerId m_sender{0};
    const OpusPhase m_phase{Parts::Operation(3)};
};

} // namespace

TEST_F(RequestAdmitted, ARequestWithoutAMistakeIsAdmittedAndNotAnswered)
{
    EXPECT_EQ(m_checks.FindObjection(m_sender, Request(0, {0, 1})).reason, "");
    EXPECT_TRUE(m_admission.IsAdmitted(m_sender, Request(0, {0, 1})));
    EXPECT_TRUE(m_parts.outbox.Take().empty());
}

TEST_F(RequestAdmitted, ARequestOfOtherServersRanksOrWithoutPairsMeansNothing)
{
    EXPECT_FALSE(m_checks.HasMeaning(m_sender, Request(1, {0, 1})));
    OpusRequest empty = Request(0, {0, 1});
    empty.pairs.clear();
    EXPECT_FALSE(m_checks.HasMeaning(m_sender, empty));
    EXPECT_FALSE(m_admission.IsAdmitted(m_sender, empty));
    EXPECT_EQ(m_parts.record.counters.unknown, 1U);
    EXPECT_TRUE(m_parts.outbox.Take().empty());
}

TEST_F(RequestAdmitted, PairsThatCannotBeJoinedConcernAllRanksUnlessTheyAreAGuess)
{
    const RequestObjection foreign = m_checks.FindObjection(m_sender, Request(0, {0, 4}));
    EXPECT_TRUE(foreign.isForeign) << "rank 4 is of job 1";
    EXPECT_TRUE(foreign.isForAll);
    const RequestObjection outside = m_checks.FindObjection(m_sender, Request(0, {0, 3}));
    EXPECT_FALSE(outside.reason.empty()) << "rank 3 is not in the group";
    EXPECT_FALSE(outside.isForeign);
    EXPECT_TRUE(outside.isForAll);
    OpusRequest guess = Request(0, {0, 3});
    guess.isAhead = true;
    EXPECT_FALSE(m_checks.FindObjection(m_sender, guess).isForAll);
    const RequestObjection other = m_checks.FindObjection(ServerId(4), Request(4, {4, 0}));
    EXPECT_TRUE(other.isForeign);
    EXPECT_FALSE(other.isForAll) << "rank 4 has no part in job 0, and cannot end its phases";
}

TEST_F(RequestAdmitted, AGroupThatTheServerHasNotRegisteredConcernsItAlone)
{
    const RequestObjection objection = m_checks.FindObjection(ServerId(3), Request(3, {3, 0}));
    EXPECT_FALSE(objection.reason.empty());
    EXPECT_FALSE(objection.isForAll);
    EXPECT_FALSE(m_admission.IsAdmitted(ServerId(3), Request(3, {3, 0})));
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 1U);
    EXPECT_EQ(m_parts.outcomes.Find(m_phase), std::nullopt);
}

TEST_F(RequestAdmitted, WrongPairsOfAPhaseThatIsNotOpenAreTheOutcomeForLaterRequests)
{
    EXPECT_FALSE(m_admission.IsAdmitted(m_sender, Request(0, {0, 4})));
    EXPECT_EQ(m_parts.record.counters.foreign, 1U);
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 1U);
    EXPECT_FALSE(m_admission.IsAdmitted(ServerId(1), Request(1, {0, 1})))
        << "server 1 has no wrong pair, and gets the outcome";
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 1U);
    EXPECT_EQ(m_parts.record.counters.duplicates, 1U);
}

TEST_F(RequestAdmitted, WrongPairsRefuseAnOpenPhaseToAllAndAGrantedOneToTheSender)
{
    m_parts.Call(3, {0, 3});
    EXPECT_FALSE(m_admission.IsAdmitted(m_sender, Request(0, {0, 3})));
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 2U);
    EXPECT_EQ(m_parts.phases.Find(m_phase), nullptr);
    ControllerPhase& granted = m_parts.Grant(5, {1, 2});
    OpusRequest late = Request(0, {0, 3});
    late.phase = granted.phase;
    EXPECT_FALSE(m_admission.IsAdmitted(m_sender, late));
    EXPECT_EQ(m_parts.TakeSent<OpusRefuse>().size(), 1U);
    EXPECT_NE(m_parts.phases.Find(granted.phase), nullptr);
}

TEST_F(RequestAdmitted, RanksThatAreThroughGetNoAnswerWhateverTheOutcome)
{
    m_parts.outcomes.RefuseUnopened(m_phase, "refused to others later");
    m_parts.voting.Raise(m_phase, RankId(0), 3);
    EXPECT_FALSE(m_admission.IsAdmitted(m_sender, Request(0, {0, 1})));
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    EXPECT_EQ(m_parts.record.counters.duplicates, 1U);
}

TEST_F(RequestAdmitted, ARegistrationThatDoesNotFitIsRefusedAndARepeatedOneIsADuplicate)
{
    GroupRegistrations registrations(m_parts.groups, m_parts.outcomes, m_parts.record);
    OpusRegisterGroup registration;
    registration.ranks = {RankId(0)};
    registration.whole = 3;
    registration.digest = GetDigest(std::vector<RankId>{RankId(0), RankId(1), RankId(2)});
    registrations.TakeRegistration(m_sender, registration);
    EXPECT_EQ(m_parts.record.counters.duplicates, 1U);
    EXPECT_TRUE(m_parts.outbox.Take().empty());
    registration.whole = 2;
    registrations.TakeRegistration(m_sender, registration);
    const auto sent = m_parts.TakeSent<OpusRefuse>();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].phase.group, GroupId(0));
    EXPECT_EQ(m_parts.groups.FindAll(m_phase, 3).size(), 3U) << "the group is as it was";
}
