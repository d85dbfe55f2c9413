/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The waits of a rank for carrier, and the link-up that passes without a wait.

#include "ns3/link-up-watch.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

using Outcomes = std::vector<LinkUpWatch::Outcome>;

/** @return a callback that adds outcomes to a list */
LinkUpWatch::Ended
AddTo(Outcomes& outcomes)
{
    return [&outcomes](const LinkUpWatch::Outcome& outcome) { outcomes.push_back(outcome); };
}

} // namespace

TEST(LinkUpWatch, ARankWaitsFromItsAnswerToTheCarrierOfItsLastPort)
{
    LinkUpWatch watch(2);
    Outcomes outcomes;
    watch.Answer(1, {0, 1}, 40, 100, AddTo(outcomes));
    EXPECT_TRUE(outcomes.empty());
    watch.Gain(0, 250, 200); // light at 50
    EXPECT_EQ(watch.GetWaits(), 1U);
    watch.Gain(1, 300, 200);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].answered, 100);
    EXPECT_EQ(outcomes[0].waited, 300 - 100);
    EXPECT_EQ(outcomes[0].exposedFrom, 100 - 40) << "it waits since then, and there is light";
    EXPECT_EQ(outcomes[0].exposedTo, 300);
    EXPECT_EQ(outcomes[0].hidden, (100 - 40) - 50);
    EXPECT_EQ(watch.GetWaits(), 0U);
}

TEST(LinkUpWatch, ALinkUpBeforeTheCallIsHiddenAndCountsOnce)
{
    LinkUpWatch watch(1);
    Outcomes outcomes;
    watch.Gain(0, 300, 200);
    watch.Answer(1, {0}, 0, 1000, AddTo(outcomes));
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].waited, 0);
    EXPECT_EQ(outcomes[0].exposedFrom, outcomes[0].exposedTo);
    EXPECT_EQ(outcomes[0].hidden, 200);
    watch.Answer(2, {0}, 0, 1100, AddTo(outcomes));
    EXPECT_EQ(outcomes.size(), 1U) << "an earlier grant has had it";
}

TEST(LinkUpWatch, APortThatTheCircuitsDoNotUseIsNotAwaited)
{
    LinkUpWatch watch(2);
    Outcomes outcomes;
    watch.Preset(1, true);
    watch.Answer(1, {1}, 10, 1000, AddTo(outcomes));
    EXPECT_TRUE(outcomes.empty()) << "neither a wait nor a link-up";
    EXPECT_EQ(watch.GetWaits(), 0U);
}

TEST(LinkUpWatch, TheEndOfACallEndsItsWaitAndNoOther)
{
    LinkUpWatch watch(1);
    Outcomes first;
    Outcomes second;
    watch.Answer(1, {0}, 0, 100, AddTo(first));
    watch.Answer(2, {0}, 0, 120, AddTo(second));
    watch.Finish(1, 150);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].waited, 150 - 100);
    EXPECT_EQ(first[0].exposedTo - first[0].exposedFrom, 150 - 100);
    EXPECT_EQ(first[0].hidden, 0);
    watch.Finish(1, 160); // nothing is left of it
    watch.Gain(0, 400, 70);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0].waited, 400 - 120);
    EXPECT_EQ(first.size(), 1U);
}

TEST(LinkUpWatch, APortThatLosesItsCarrierIsAwaitedAgain)
{
    LinkUpWatch watch(1);
    Outcomes outcomes;
    watch.Gain(0, 50, 0);
    watch.Lose(0);
    watch.Answer(1, {0}, 0, 100, AddTo(outcomes));
    EXPECT_TRUE(outcomes.empty());
    watch.Gain(0, 180, 30);
    ASSERT_EQ(outcomes.size(), 1U);
    EXPECT_EQ(outcomes[0].waited, 80);
}

TEST(LinkUpWatch, EachInstantOfALinkUpIsExposedOrHidden)
{
    // counted instant by instant: the rank waits, or it does not; there is light and no carrier
    for (int seed = 1; seed <= 2000; ++seed)
    {
        std::mt19937 random(seed);
        const Picoseconds lit = random() % 60;
        const Picoseconds locked = lit + random() % 60;
        const Picoseconds from = random() % 60;
        const Picoseconds answered = from + random() % 60;
        LinkUpWatch watch(1);
        Outcomes outcomes;
        if (locked <= answered && random() % 2 == 0) // either order at one instant
        {
            watch.Gain(0, locked, locked - lit);
            watch.Answer(1, {0}, answered - from, answered, AddTo(outcomes));
        }
        else if (locked < answered)
        {
            continue;
        }
        else
        {
            watch.Answer(1, {0}, answered - from, answered, AddTo(outcomes));
            watch.Gain(0, locked, locked - lit);
        }
        Picoseconds waited = 0;
        Picoseconds exposed = 0;
        Picoseconds hidden = 0;
        for (Picoseconds t = 0; t < 200; ++t)
        {
            const bool isLinking = t >= lit && t < locked;
            const bool waitsAfter = t >= answered && t < locked;
            const bool waits = (t >= from && t < answered) || waitsAfter;
            waited += waitsAfter;
            exposed += waitsAfter || (isLinking && waits);
            hidden += isLinking && !waits;
        }
        if (outcomes.empty())
        {
            EXPECT_EQ(waited + exposed + hidden, 0) << "seed " << seed;
            continue;
        }
        ASSERT_EQ(outcomes.size(), 1U);
        EXPECT_EQ(outcomes[0].waited, waited) << "seed " << seed;
        EXPECT_EQ(outcomes[0].exposedTo - outcomes[0].exposedFrom, exposed) << "seed " << seed;
        EXPECT_EQ(outcomes[0].hidden, hidden) << "seed " << seed;
    }
}
