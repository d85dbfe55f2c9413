/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ring-queue.h"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <utility>

using namespace ns3;

TEST(RingQueue, BehavesAsADeque)
{
    std::mt19937_64 random(1);
    RingQueue<int> ring;
    std::deque<int> deque;
    for (int i = 0; i < 20'000; ++i)
    {
        if (deque.empty() || random() % 100 < (i / 5000 % 2 == 0 ? 60U : 40U))
        {
            ring.push_back(i);
            deque.push_back(i);
        }
        else
        {
            ring.pop_front();
            deque.pop_front();
        }
        ASSERT_EQ(ring.size(), deque.size());
        if (!deque.empty())
        {
            ASSERT_EQ(ring.front(), deque.front());
            ASSERT_EQ(ring.back(), deque.back());
            const std::size_t any = random() % deque.size();
            ASSERT_EQ(ring[any], deque[any]);
        }
    }
}

TEST(RingQueue, ACopyHasTheSameElements)
{
    RingQueue<int> ring;
    for (int i = 0; i < 7; ++i)
    {
        ring.push_back(i);
    }
    ring.pop_front();
    ring.pop_back();
    RingQueue<int> copy = ring;
    const RingQueue<int> taken = std::move(ring);
    copy.push_back(6);
    EXPECT_EQ(copy.size(), 6U);
    EXPECT_EQ(copy.front(), 1);
    EXPECT_EQ(copy.back(), 6);
    EXPECT_EQ(taken.size(), 5U);
    EXPECT_EQ(taken.back(), 5);
    ring = RingQueue<int>(); // a queue that was taken from can be used again
    ring.push_back(8);
    EXPECT_EQ(ring.front(), 8);
    EXPECT_EQ(ring.size(), 1U);
}

TEST(RingQueue, WhatIsTakenAwayIsGone)
{
    auto value = std::make_shared<int>(1);
    RingQueue<std::shared_ptr<int>> ring;
    ring.push_back(value);
    ring.pop_front();
    EXPECT_EQ(value.use_count(), 1);
    ring.push_back(value);
    ring.clear();
    EXPECT_EQ(value.use_count(), 1);
    EXPECT_TRUE(ring.empty());
}
