/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a controller hears at an instant has an order of its own, whatever the order of arrival.

#include "ns3/controller-inbox.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

OpusMessage
FromAgent(OpusMessage::Type type, uint32_t rail, uint64_t plan)
{
    OpusMessage message;
    message.type = type;
    message.rail = RailId(rail);
    message.plan = plan;
    return message;
}

OpusMessage
FromShim(uint32_t job, uint32_t server, uint64_t plan)
{
    OpusMessage message;
    message.type = OpusMessage::Type::REQUEST;
    message.phase.job = JobId(job);
    message.server = ServerId(server);
    message.plan = plan;
    return message;
}

/** @return the plans of messages, which stand for the messages here */
std::vector<uint64_t>
GetPlans(const std::vector<OpusMessage>& messages)
{
    std::vector<uint64_t> plans;
    for (const OpusMessage& message : messages)
    {
        plans.push_back(message.plan);
    }
    return plans;
}

} // namespace

TEST(ControllerInbox, AgentsComeBeforeShimsAndBothInOrderWhateverTheOrderOfArrival)
{
    std::vector<OpusMessage> messages{FromAgent(OpusMessage::Type::DONE, 0, 0),
                                      FromAgent(OpusMessage::Type::ALARM, 1, 1),
                                      FromAgent(OpusMessage::Type::ACCEPT, 2, 2),
                                      FromShim(0, 0, 3),
                                      FromShim(0, 1, 4),
                                      FromShim(1, 0, 5)};
    std::vector<uint32_t> order{0, 1, 2, 3, 4, 5};
    do
    {
        ControllerInbox inbox;
        for (const uint32_t i : order)
        {
            inbox.Add(messages[i]);
        }
        EXPECT_EQ(inbox.CountMessages(), 6U);
        EXPECT_EQ(GetPlans(inbox.TakeMessages()), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
        EXPECT_EQ(inbox.CountMessages(), 0U);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ControllerInbox, MessagesOfOneSenderStayInTheOrderInWhichTheyWereSent)
{
    ControllerInbox inbox;
    inbox.Add(FromShim(0, 1, 7));
    inbox.Add(FromShim(0, 0, 9));
    inbox.Add(FromShim(0, 1, 3));
    inbox.Add(FromShim(0, 0, 8));
    EXPECT_EQ(GetPlans(inbox.TakeMessages()), (std::vector<uint64_t>{9, 8, 7, 3}));
}

TEST(ControllerInbox, APhaseOfWhichSeveralRanksWereNotToldIsTakenOnce)
{
    ControllerInbox inbox;
    OpusPhase phase;
    phase.operation = 4;
    inbox.AddUntold(phase);
    inbox.AddUntold(phase);
    EXPECT_EQ(inbox.TakeUntold().size(), 1U);
    EXPECT_TRUE(inbox.TakeUntold().empty());
}
