/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/controller-succession.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** A controller that notes the actions that a change of its role needs. */
class NotedActions : public SuccessionActions
{
  public:
    void ChangeRole(ControllerRole role, uint32_t) override
    {
        roles.push_back(role);
    }

    void StopDeciding() override
    {
        ++stops;
    }

    void SendJoin(uint32_t) override
    {
        ++joins;
    }

    void SendClaims(uint32_t term, bool isProposal) override
    {
        claims.emplace_back(term, isProposal);
        claimed = Simulator::Now();
    }

    void BeginTerm(uint32_t term, const std::vector<OpusMessage>& accepts) override
    {
        terms.emplace_back(term, accepts.size());
    }

    std::vector<ControllerRole> roles;
    uint32_t stops{0};
    uint32_t joins{0};
    std::vector<std::pair<uint32_t, bool>> claims;
    Time claimed;
    std::vector<std::pair<uint32_t, std::size_t>> terms;
};

/** @return an agent's answer to a claim */
OpusMessage
Accept(uint32_t rail, uint32_t term, bool isProposal)
{
    OpusAccept accept;
    accept.isQuery = isProposal;
    return {term, ServerId(), RailId(rail), accept};
}

class ControllerSuccessionTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        UsePicoseconds();
        for (uint32_t rail = 0; rail < 3; ++rail)
        {
            succession.AddAgent(RailId(rail));
        }
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    NotedActions actions;
    ControllerSuccession succession{actions};
};

} // namespace

TEST_F(ControllerSuccessionTest, AStandbyIsACandidateAfterTheLimitOfSilence)
{
    succession.BeStandby();
    succession.Begin(MilliSeconds(50));
    Simulator::Schedule(MilliSeconds(30), [this]() { succession.TakeHeartbeat(0, false); });
    Simulator::Run();
    EXPECT_EQ(succession.GetRole(), ControllerRole::CANDIDATE);
    EXPECT_EQ(actions.claimed, MilliSeconds(30 + 50));
    ASSERT_EQ(actions.claims.size(), 1U);
    EXPECT_EQ(actions.claims[0], std::make_pair(1U, true)); // odd terms are the second one's
}

TEST_F(ControllerSuccessionTest, AnIdleControllerMayBeSilent)
{
    succession.BeStandby();
    succession.Begin(MilliSeconds(50));
    EXPECT_TRUE(succession.TakeHeartbeat(0, true));
    Simulator::Run();
    EXPECT_EQ(succession.GetRole(), ControllerRole::STANDBY);
    EXPECT_EQ(Simulator::Now(), Time(0)) << "no event is left";
}

TEST_F(ControllerSuccessionTest, ACandidateIsInChargeWhenMostAgentsHaveAccepted)
{
    succession.BeStandby();
    succession.Begin(MilliSeconds(50));
    Simulator::Run();
    succession.TakeAccept(Accept(0, 1, true));
    EXPECT_EQ(actions.claims.size(), 1U) << "1 of 3 is no majority";
    succession.TakeAccept(Accept(2, 1, true));
    ASSERT_EQ(actions.claims.size(), 2U);
    EXPECT_EQ(actions.claims[1], std::make_pair(1U, false));
    succession.TakeAccept(Accept(0, 1, false));
    EXPECT_TRUE(actions.terms.empty());
    succession.TakeAccept(Accept(1, 1, false));
    EXPECT_EQ(succession.GetRole(), ControllerRole::IN_CHARGE);
    ASSERT_EQ(actions.terms.size(), 1U);
    EXPECT_EQ(actions.terms[0], std::make_pair(1U, std::size_t{2})) << "with both reports";
}

TEST_F(ControllerSuccessionTest, AGreaterTermRetiresTheOneInCharge)
{
    succession.HasStandby();
    succession.Begin(MilliSeconds(50));
    succession.NoteTerm(0);
    EXPECT_EQ(succession.GetRole(), ControllerRole::IN_CHARGE);
    succession.NoteTerm(1);
    EXPECT_EQ(succession.GetRole(), ControllerRole::RETIRED);
    EXPECT_EQ(actions.stops, 1U);
    EXPECT_EQ(actions.joins, 1U);
    EXPECT_FALSE(succession.TakeHeartbeat(0, false)) << "of a controller that is replaced";
    EXPECT_TRUE(succession.TakeHeartbeat(1, true));
    EXPECT_EQ(succession.GetRole(), ControllerRole::STANDBY);
    EXPECT_FALSE(succession.JoinFailed()) << "it is the standby already";
}

TEST_F(ControllerSuccessionTest, WithoutAnotherOneARestartedControllerIsACandidate)
{
    succession.Retired();
    succession.Begin(MilliSeconds(50));
    EXPECT_EQ(succession.GetRole(), ControllerRole::CANDIDATE);
    EXPECT_EQ(actions.joins, 0U);
}

TEST_F(ControllerSuccessionTest, WhenTheOtherOneIsGoneARetiredOneIsACandidate)
{
    succession.HasStandby();
    succession.Retired();
    succession.Begin(MilliSeconds(50));
    EXPECT_EQ(actions.joins, 1U);
    EXPECT_EQ(succession.GetRole(), ControllerRole::RETIRED);
    EXPECT_TRUE(succession.JoinFailed());
    EXPECT_EQ(succession.GetRole(), ControllerRole::CANDIDATE);
}
