/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The inputs of a controller at an instant have an order of their own, whatever the order of
// arrival.

#include "ns3/controller-inbox.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

template <typename Content>
OpusMessage
FromAgent(uint32_t rail, uint32_t term)
{
    return {term, ServerId(), RailId(rail), Content()};
}

OpusMessage
FromShim(uint32_t job, uint32_t server, uint32_t term)
{
    OpusRequest request;
    request.phase.job = JobId(job);
    return {term, ServerId(server), RailId(), request};
}

/** @return the terms of messages, which stand for the messages here */
std::vector<uint32_t>
GetTerms(const std::vector<OpusMessage>& messages)
{
    std::vector<uint32_t> terms;
    for (const OpusMessage& message : messages)
    {
        terms.push_back(message.term);
    }
    return terms;
}

} // namespace

TEST(ControllerInbox, AgentsComeBeforeShimsAndBothInOrderWhateverTheOrderOfArrival)
{
    std::vector<OpusMessage> messages{FromAgent<OpusDone>(0, 0),
                                      FromAgent<OpusAlarm>(1, 1),
                                      FromAgent<OpusAccept>(2, 2),
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
        EXPECT_EQ(GetTerms(inbox.TakeMessages()), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
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
    EXPECT_EQ(GetTerms(inbox.TakeMessages()), (std::vector<uint32_t>{9, 8, 7, 3}));
}

TEST(ControllerInbox, APhaseWithSeveralUndeliveredGrantsIsTakenOnce)
{
    ControllerInbox inbox;
    OpusPhase phase;
    phase.operation = 4;
    inbox.AddUndelivered(phase);
    inbox.AddUndelivered(phase);
    EXPECT_EQ(inbox.TakeUndelivered().size(), 1U);
    EXPECT_TRUE(inbox.TakeUndelivered().empty());
}
