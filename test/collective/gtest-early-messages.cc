/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/collective-algorithm.h"
#include "ns3/early-messages.h"
#include "ns3/message-tag.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/** A transport that sends nothing. */
class Mute : public CollectiveRun::Owner
{
  public:
    void SendMessage(CollectiveRun&, const CollectiveRun::Message&) override
    {
    }
};

/** Rank 1 receives bytes in messages of 100 from rank 0. */
std::unique_ptr<CollectiveRun>
MakeReceive(uint64_t bytes, Mute& owner)
{
    CollectiveParameters parameters;
    parameters.kind = CollectiveKind::SEND_RECV;
    parameters.ranks = 2;
    const auto schedule = CollectiveAlgorithm::GetSchedule("direct", parameters);
    CollectiveRun::Owner& self = owner;
    return std::make_unique<CollectiveRun>(RankSchedule::Get(schedule, 1), bytes, 100, self);
}

} // namespace

TEST(EarlyMessages, AnOperationTakesItsOwnAndTheRestStaysInOrder)
{
    EarlyMessages early;
    // two messages of one operation, one of the next, and one on a channel that has no transfers
    EXPECT_EQ(early.Keep({MessageTag::Make(0, 0), 0, 0, 100}), 1U);
    EXPECT_EQ(early.Keep({MessageTag::Make(0, 0), 0, 5, 100}), 2U);
    EXPECT_EQ(early.Keep({MessageTag::Make(0, 1), 0, 0, 50}), 3U);
    EXPECT_EQ(early.Keep({MessageTag::Make(1, 0), 0, 0, 100}), 4U);
    Mute mute;
    std::vector<uint32_t> taken;
    for (const uint64_t bytes : {150, 100})
    {
        const std::unique_ptr<CollectiveRun> run = MakeReceive(bytes, mute);
        early.Take(*run, [&](const FlowMessage& message) {
            taken.push_back(message.tag);
            EXPECT_EQ(run->Arrived(message.peer,
                                   message.channel,
                                   MessageTag::GetOrdinal(message.tag),
                                   message.bytes),
                      "");
        });
        EXPECT_TRUE(run->HasReceivedAll());
    }
    EXPECT_EQ(taken,
              (std::vector<uint32_t>{MessageTag::Make(0, 0),
                                     MessageTag::Make(0, 1),
                                     MessageTag::Make(1, 0)}));
    EXPECT_EQ(early.Keep({}), 2U); // beside the one on the other channel
}

TEST(MessageTag, NamesTheMessageAndTheOperation)
{
    const uint32_t last = CollectiveRun::MOST_MESSAGES - 1;
    for (const uint64_t number : {uint64_t{0}, uint64_t{1}, uint64_t{16383}, uint64_t{1} << 40})
    {
        for (const uint32_t ordinal : {0U, 1U, last})
        {
            const uint32_t tag = MessageTag::Make(number, ordinal);
            EXPECT_EQ(MessageTag::GetOrdinal(tag), ordinal);
            EXPECT_TRUE(MessageTag::IsOf(tag, number));
            EXPECT_FALSE(MessageTag::IsOf(tag, number + 1));
            EXPECT_TRUE(MessageTag::IsOf(tag, number + 16384)); // 14 bits hold no more
        }
    }
}
