/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The order in which a port serves its queues: classes by rank, numbers of a class in turn.

#include "ns3/egress-turns.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** @return the lowest number above one, or the lowest of all, as a port searches */
uint32_t
NextAfter(const std::set<uint32_t>& ready, uint32_t after)
{
    const auto next = ready.upper_bound(after);
    return next == ready.end() ? *ready.begin() : *next;
}

/** @return the numbers that a port serves in a class, one frame each */
std::vector<uint32_t>
Serve(EgressTurns& turns, const std::set<uint32_t>& ready, uint32_t trafficClass, std::size_t count)
{
    std::vector<uint32_t> served;
    while (served.size() < count)
    {
        served.push_back(NextAfter(ready, turns.After(trafficClass, false)));
        turns.Serve(trafficClass, served.back());
    }
    return served;
}

/** @return the classes that are tried, until one of them serves */
std::vector<uint32_t>
GetOrder(uint32_t classes, uint32_t serving, bool& found)
{
    std::vector<uint32_t> order;
    found = EgressTurns::FindClass(classes, [&](uint32_t c) {
        order.push_back(c);
        return c == serving;
    });
    return order;
}

} // namespace

TEST(EgressTurns, TheHighestClassThatMaySendGoesFirst)
{
    bool found = false;
    EXPECT_EQ(GetOrder(1U << 7 | 1U << 4 | 1U << 3 | 1U << 0, 3, found),
              (std::vector<uint32_t>{7, 4, 3}))
        << "classes below are not asked, nor those without a frame";
    EXPECT_TRUE(found);
}

TEST(EgressTurns, IfNoClassMaySendAllWithAFrameWereTried)
{
    bool found = true;
    EXPECT_EQ(GetOrder(1U << 5 | 1U << 0, 2, found), (std::vector<uint32_t>{5, 0}));
    EXPECT_FALSE(found);
    EXPECT_TRUE(GetOrder(0, 0, found).empty());
    EXPECT_FALSE(found);
}

TEST(EgressTurns, NumbersOfAClassTakeTurnsAndWrapAround)
{
    EgressTurns turns;
    EXPECT_EQ(Serve(turns, {0, 2, 9}, 3, 5), (std::vector<uint32_t>{0, 2, 9, 0, 2}));
    // a number that becomes ready late has its turn before those that were served since
    EXPECT_EQ(Serve(turns, {0, 2, 3, 9}, 3, 3), (std::vector<uint32_t>{3, 9, 0}));
}

TEST(EgressTurns, TurnsOfAClassAreItsOwn)
{
    EgressTurns turns;
    Serve(turns, {1, 2}, 3, 1);
    EXPECT_EQ(Serve(turns, {1, 2}, 4, 1), std::vector<uint32_t>{1});
    EXPECT_EQ(Serve(turns, {1, 2}, 3, 1), std::vector<uint32_t>{2});
}

TEST(EgressTurns, AnIdleWireBeginsWithTheLowestInEveryClass)
{
    EgressTurns turns;
    for (uint32_t c = 0; c < EgressTurns::CLASSES; ++c)
    {
        turns.Serve(c, c + 1);
        EXPECT_EQ(NextAfter({0, c + 1, c + 2}, turns.After(c, true)), 0U);
        EXPECT_EQ(NextAfter({0, c + 1, c + 2}, turns.After(c, false)), c + 2) << "it only looked";
    }
    turns.Restart();
    for (uint32_t c = 0; c < EgressTurns::CLASSES; ++c)
    {
        EXPECT_EQ(NextAfter({0, c + 1, c + 2}, turns.After(c, false)), 0U);
    }
}
