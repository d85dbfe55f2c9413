/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages that have failed count as not sent, and go when their stage is open again.

#include "ns3/collective-algorithm.h"
#include "ns3/collective-run.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/** The root of a broadcast to one rank, and the messages that it has sent. */
class Root : public CollectiveRun::Owner
{
  public:
    explicit Root(uint64_t messages)
        : m_run(MakePart(), messages * SIZE, SIZE, *this)
    {
        m_run.OpenStage(0);
        m_run.Start();
    }

    void SendMessage(CollectiveRun&, const CollectiveRun::Message& message) override
    {
        sent.push_back(message.ordinal);
    }

    CollectiveRun& Run()
    {
        return m_run;
    }

    static constexpr uint64_t SIZE = 1000;
    std::vector<uint32_t> sent;

  private:
    static std::shared_ptr<const RankSchedule> MakePart()
    {
        CollectiveParameters parameters;
        parameters.kind = CollectiveKind::BROADCAST;
        parameters.ranks = 2;
        return RankSchedule::Get(CollectiveAlgorithm::GetSchedule("ring", parameters), 0);
    }

    CollectiveRun m_run;
};

} // namespace

TEST(CollectiveRunAgain, WhatHasFailedIsSentOnceMoreInOrder)
{
    Root root(4);
    EXPECT_EQ(root.sent, (std::vector<uint32_t>{0, 1, 2, 3}));
    root.Run().Settled(1, 0, 0);
    root.Run().Failed(1, 0, 3); // reported in any order
    root.Run().Failed(1, 0, 1);
    EXPECT_EQ(root.Run().GetUnsettled(), 1U) << "number 2 is under way";
    EXPECT_EQ(root.Run().GetUnsettledOf(0), 1U);
    EXPECT_EQ(root.Run().GetWaiting(), 2U);
    EXPECT_EQ(root.Run().GetMessagesSent(), 2U);
    EXPECT_EQ(root.Run().GetBytesSent(), 2 * Root::SIZE);
    EXPECT_FALSE(root.Run().IsOver());
    root.sent.clear();
    root.Run().Settled(1, 0, 2);
    EXPECT_TRUE(root.sent.empty()) << "the stage is closed";
    EXPECT_FALSE(root.Run().IsStageOver(0));
    root.Run().OpenStage(0);
    EXPECT_EQ(root.sent, (std::vector<uint32_t>{1, 3}));
    root.Run().Settled(1, 0, 1);
    root.Run().Settled(1, 0, 3);
    EXPECT_TRUE(root.Run().IsOver());
    EXPECT_EQ(root.Run().GetBytesSent(), 4 * Root::SIZE) << "each is counted once";
}
