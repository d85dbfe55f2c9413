/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/operation-circuits.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>

using namespace ns3;

namespace
{

using State = OperationCircuits::State;

/** Links that differ from one grant to the next: the port is that of the grant. */
class NumberedLinks : public Connectivity
{
  public:
    explicit NumberedLinks(uint32_t port)
        : m_port(port)
    {
    }

    std::vector<RailLink> GetLinks(RankId, RankId) const override
    {
        ++m_lookups;
        return {RailLink{m_port, m_port}};
    }

    mutable uint32_t m_lookups{0}; //!< how often links were looked up

  private:
    uint32_t m_port;
};

CircuitRequest
StageOf(uint32_t stage)
{
    CircuitRequest request;
    request.stage = stage;
    return request;
}

CircuitAnswer
GrantOf(std::shared_ptr<const Connectivity> links)
{
    CircuitAnswer answer;
    answer.links = std::move(links);
    return answer;
}

} // namespace

TEST(OperationCircuits, TheTimeWithoutAnyCircuitsIsWaited)
{
    OperationCircuits circuits;
    circuits.Begin(100);
    circuits.Add(StageOf(0));
    circuits.Open(0, CircuitAnswer(), 130); // 30 without
    circuits.Add(StageOf(1));
    circuits.Open(1, CircuitAnswer(), 150); // stage 0 has circuits
    EXPECT_EQ(circuits.GetWaited(), 30);
    circuits.Close(0, true, 160); // stage 1 has circuits
    circuits.Close(1, false, 170);
    EXPECT_FALSE(circuits.AreOver());
    circuits.Open(1, CircuitAnswer(), 175); // 5 without
    circuits.Close(1, true, 180);
    EXPECT_EQ(circuits.GetWaited(), 35);
    EXPECT_TRUE(circuits.AreOver());
}

TEST(OperationCircuits, AWithdrawnStageHasCircuitsUntilItGivesThemBack)
{
    OperationCircuits circuits;
    circuits.Add(StageOf(0));
    EXPECT_FALSE(circuits.Withdraw(0)); // there is nothing to withdraw yet
    EXPECT_FALSE(circuits.GetStages()[0].HasCircuits());
    circuits.Open(0, CircuitAnswer(), 1);
    EXPECT_TRUE(circuits.Withdraw(0));
    EXPECT_FALSE(circuits.Withdraw(0)); // once is enough
    EXPECT_TRUE(circuits.GetStages()[0].HasCircuits());
    circuits.Close(0, false, 2);
    EXPECT_EQ(circuits.GetStages()[0].state, State::REQUESTED);
}

TEST(OperationCircuits, LinksAreLookedUpOnceAGrant)
{
    OperationCircuits circuits;
    circuits.Add(StageOf(2)); // a rank need not take part in all stages
    circuits.Add(StageOf(5));
    const auto first = std::make_shared<NumberedLinks>(1);
    const auto other = std::make_shared<NumberedLinks>(2);
    const auto again = std::make_shared<NumberedLinks>(3);
    circuits.Open(0, GrantOf(first), 1);
    circuits.Open(1, GrantOf(other), 1);
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(circuits.GetLinks(2, RankId(0), RankId(1)).links.front().here, 1U);
        EXPECT_EQ(circuits.GetLinks(5, RankId(0), RankId(1)).links.front().here, 2U);
    }
    EXPECT_EQ(first->m_lookups, 1U);
    EXPECT_EQ(other->m_lookups, 1U);
    circuits.GetLinks(2, RankId(0), RankId(7)); // to another rank
    EXPECT_EQ(first->m_lookups, 2U);
    circuits.Open(0, GrantOf(again), 2);
    EXPECT_EQ(circuits.GetLinks(2, RankId(0), RankId(1)).links.front().here, 3U);
    EXPECT_EQ(circuits.GetLinks(5, RankId(0), RankId(1)).links.front().here, 2U);
    EXPECT_EQ(other->m_lookups, 1U);
}

TEST(OperationCircuits, OneStageOnTheHostsNetworkIsEnough)
{
    OperationCircuits circuits;
    circuits.Add(StageOf(0));
    circuits.Add(StageOf(1));
    circuits.Open(0, CircuitAnswer(), 1);
    EXPECT_FALSE(circuits.UseHostNetwork());
    CircuitAnswer host;
    host.network = CircuitAnswer::Network::HOST;
    circuits.Open(1, host, 1);
    EXPECT_TRUE(circuits.UseHostNetwork());
    EXPECT_EQ(circuits.GetAnswer(0).network, CircuitAnswer::Network::RAIL);
    EXPECT_EQ(circuits.GetAnswer(1).network, CircuitAnswer::Network::HOST);
}
