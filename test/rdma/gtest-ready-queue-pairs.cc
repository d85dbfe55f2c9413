/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ready-queue-pairs.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

/** The queue pairs of class 3, in the order in which they have their turn. */
std::vector<uint32_t>
InTurn(const ReadyQueuePairs& ready, uint32_t after)
{
    std::vector<uint32_t> order;
    bool wrappedBefore = false;
    EXPECT_FALSE(ready.FindInTurn(3, after, [&](uint32_t id, bool wrapped) {
        EXPECT_TRUE(wrapped || !wrappedBefore);
        wrappedBefore = wrapped;
        order.push_back(id);
        return false;
    }));
    return order;
}

/** Queue pairs with the numbers 2 to 9, in the order of their numbers. */
ReadyQueuePairs
MakeReady()
{
    ReadyQueuePairs ready;
    for (uint32_t id = 2; id < 10; ++id)
    {
        ready.Create(id, {});
    }
    return ready;
}

} // namespace

TEST(ReadyQueuePairs, AClassIsReadyWhileAListHasAnEntry)
{
    ReadyQueuePairs ready;
    EXPECT_EQ(ready.GetClasses(), 0U);
    ready.AddData(3, 2);
    ready.AddAnswers(3, 2);
    ready.AddAnswers(7, 5);
    EXPECT_EQ(ready.GetClasses(), 1U << 3 | 1U << 7);
    ready.RemoveData(3, 2);
    EXPECT_EQ(ready.GetClasses(), 1U << 3 | 1U << 7);
    ready.RemoveAnswers(3, 2);
    EXPECT_EQ(ready.GetClasses(), 1U << 7);
    ready.RemoveAnswers(7, 4); // not there
    EXPECT_EQ(ready.GetClasses(), 1U << 7);
}

TEST(ReadyQueuePairs, TurnsGoByNumberFromTheOneAfterTheLast)
{
    ReadyQueuePairs ready = MakeReady();
    for (const uint32_t id : {9, 2, 5, 5})
    {
        ready.AddData(3, id);
    }
    for (const uint32_t id : {5, 7})
    {
        ready.AddAnswers(3, id);
    }
    EXPECT_EQ(InTurn(ready, 0), (std::vector<uint32_t>{2, 5, 7, 9}));
    EXPECT_EQ(InTurn(ready, 5), (std::vector<uint32_t>{7, 9, 2, 5}));
    EXPECT_EQ(InTurn(ready, 6), (std::vector<uint32_t>{7, 9, 2, 5}));
    EXPECT_EQ(InTurn(ready, 9), (std::vector<uint32_t>{2, 5, 7, 9}));
}

TEST(ReadyQueuePairs, TheSearchEndsWithTheFirstThatHasARun)
{
    ReadyQueuePairs ready = MakeReady();
    ready.AddData(3, 2);
    ready.AddData(3, 4);
    ready.AddData(3, 6);
    std::vector<uint32_t> requested;
    EXPECT_TRUE(ready.FindInTurn(3, 2, [&](uint32_t id, bool) {
        requested.push_back(id);
        return id == 6;
    }));
    EXPECT_EQ(requested, (std::vector<uint32_t>{4, 6}));
}

TEST(ReadyQueuePairs, TurnsGoByTheOrderInWhateverSequenceTheyAreCreated)
{
    // numbers 2, 3, 4, 5 with orders 30, 10, 20, 10: the order decides, then the number
    ReadyQueuePairs ready;
    ready.Create(2, {0, 30});
    ready.Create(3, {0, 10});
    ready.AddData(3, 2);
    ready.AddData(3, 3);
    EXPECT_EQ(InTurn(ready, 0), (std::vector<uint32_t>{3, 2}));
    ready.Create(4, {0, 20}); // between the two that are in the list
    ready.Create(5, {0, 10});
    ready.AddAnswers(3, 4);
    ready.AddData(3, 5);
    EXPECT_EQ(InTurn(ready, 0), (std::vector<uint32_t>{3, 5, 4, 2}));
    EXPECT_EQ(InTurn(ready, 5), (std::vector<uint32_t>{4, 2, 3, 5}));
    EXPECT_EQ(InTurn(ready, ~0U), (std::vector<uint32_t>{3, 5, 4, 2}));
}

TEST(ReadyQueuePairs, TheOnlyOneHasWrappedUnlessItIsAfterTheLast)
{
    ReadyQueuePairs ready = MakeReady();
    ready.AddData(3, 5);
    for (const auto& [after, wraps] : {std::pair{0U, false}, {4U, false}, {5U, true}, {~0U, true}})
    {
        EXPECT_TRUE(ready.FindInTurn(3, after, [&, expected = wraps](uint32_t id, bool wrapped) {
            EXPECT_EQ(id, 5U);
            EXPECT_EQ(wrapped, expected);
            return true;
        }));
    }
}
