/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The bytes that NCCL's protocols put on wires for each byte of data.

#include "ns3/collective-algorithm.h"
#include "ns3/collective-protocol.h"
#include "ns3/collective-run.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

using Protocol = CollectiveProtocol;

/** Keeps the messages that a run sends. */
struct Outbox : public CollectiveRun::Owner
{
    void SendMessage(CollectiveRun&, const CollectiveRun::Message& message) override
    {
        messages.push_back(message);
    }

    std::vector<CollectiveRun::Message> messages;
};

CollectiveParameters
MakePairOf(CollectiveKind kind)
{
    CollectiveParameters parameters;
    parameters.kind = kind;
    return parameters;
}

} // namespace

TEST(CollectiveProtocol, SimpleIsDataOnly)
{
    for (const uint64_t bytes : {0, 1, 4096, 1 << 20})
    {
        EXPECT_EQ(GetWireBytes(Protocol::SIMPLE, bytes), bytes);
        EXPECT_EQ(GetLargestMessage(Protocol::SIMPLE, bytes), bytes);
    }
}

TEST(CollectiveProtocol, LlHasAFlagBesideEachFourBytes)
{
    // 4 bytes of data and 4 of flag, twice a line
    EXPECT_EQ(GetWireBytes(Protocol::LL, 8), 16U);
    EXPECT_EQ(GetWireBytes(Protocol::LL, 1), 16U) << "lines are whole";
    EXPECT_EQ(GetWireBytes(Protocol::LL, 9), 32U);
    EXPECT_EQ(GetWireBytes(Protocol::LL, 0), 0U);
    EXPECT_EQ(GetWireBytes(Protocol::LL, 1 << 20), 2U << 20);
    // 512 threads with 8 lines, 8 bytes of data in each
    EXPECT_EQ(GetLargestMessage(Protocol::LL, 1 << 20), 512U * 8 * 8);
    EXPECT_EQ(GetLargestMessage(Protocol::LL, 100), 100U);
}

TEST(CollectiveProtocol, Ll128HasAFlagOfEightBytesALine)
{
    EXPECT_EQ(GetWireBytes(Protocol::LL128, 120), 128U);
    EXPECT_EQ(GetWireBytes(Protocol::LL128, 121), 256U) << "lines are whole";
    EXPECT_EQ(GetWireBytes(Protocol::LL128, 0), 0U);
    EXPECT_EQ(GetWireBytes(Protocol::LL128, 15 << 20), 16U << 20);
    // 640 threads with 120 words of 8 bytes, of which 15 in 16 are data
    EXPECT_EQ(GetLargestMessage(Protocol::LL128, 1 << 20), 640U * 120 * 8 / 16 * 15);
}

TEST(CollectiveProtocol, NamesAreThoseOfNccl)
{
    for (const Protocol one : GetCollectiveProtocols())
    {
        EXPECT_EQ(FindCollectiveProtocol(ToString(one)), one);
    }
    EXPECT_EQ(std::string(ToString(Protocol::LL128)), "LL128");
    EXPECT_FALSE(FindCollectiveProtocol("ll"));
}

TEST(CollectiveProtocol, ARunSendsWholeLinesAndCountsData)
{
    const auto schedule =
        CollectiveAlgorithm::GetSchedule("direct", MakePairOf(CollectiveKind::SEND_RECV));
    Outbox sent;
    CollectiveRun sender(RankSchedule::Get(schedule, 0), 1000, 600, sent, Protocol::LL128);
    sender.Start();
    sender.OpenStage(0);
    ASSERT_EQ(sent.messages.size(), 2U);
    EXPECT_EQ(sent.messages[0].bytes, 5U * 128) << "600 bytes are 5 lines";
    EXPECT_EQ(sent.messages[1].bytes, 4U * 128) << "400 bytes are 3 lines and a part of one";
    EXPECT_EQ(sender.GetBytesSent(), 1000U);
    EXPECT_EQ(sender.GetBytesOut(0), 1000U);
    Outbox nothing;
    CollectiveRun receiver(RankSchedule::Get(schedule, 1), 1000, 600, nothing, Protocol::LL128);
    EXPECT_NE(receiver.Arrived(0, 0, 0, 600), "") << "another protocol";
    EXPECT_EQ(receiver.Arrived(0, 0, 0, 5 * 128), "");
    EXPECT_EQ(receiver.Arrived(0, 0, 1, 4 * 128), "");
    EXPECT_EQ(receiver.GetBytesReceived(), 1000U);
    EXPECT_TRUE(receiver.IsOver());
}

TEST(CollectiveRun, AwaitsOnlyWhatIsNotOnHold)
{
    const auto schedule =
        CollectiveAlgorithm::GetSchedule("direct", MakePairOf(CollectiveKind::SEND_RECV));
    Outbox nothing;
    CollectiveRun receiver(RankSchedule::Get(schedule, 1), 1000, 600, nothing);
    receiver.Hold(0, 0);
    EXPECT_TRUE(receiver.Awaits(0, 0)) << "the second of two";
    receiver.Hold(0, 0);
    EXPECT_FALSE(receiver.Awaits(0, 0)) << "a third is of another operation";
    EXPECT_FALSE(receiver.HasReceivedAll());
    receiver.Release(0, 0);
    EXPECT_EQ(receiver.Arrived(0, 0, 0, 600), "");
    EXPECT_FALSE(receiver.Awaits(0, 0));
    receiver.Release(0, 0);
    EXPECT_EQ(receiver.Arrived(0, 0, 1, 400), "");
    EXPECT_TRUE(receiver.IsOver());
}
