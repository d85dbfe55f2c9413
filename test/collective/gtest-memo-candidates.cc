/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which known operation one is like that has begun: all ranks become active and enter at the same
// times from the first entry on, over the same paths.

#include "ns3/frame-totals.h"
#include "ns3/memo-candidates.h"
#include "ns3/memo-store.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

const MemoPath PATH{1, 2, 3};

/** @return what became of two ranks: the second becomes active and enters so much later */
std::vector<MemoizedRank>
MakeTwo(Picoseconds active, Picoseconds entered, Picoseconds ended = 1000)
{
    std::vector<MemoizedRank> ranks(2);
    for (MemoizedRank& rank : ranks)
    {
        rank.path = PATH;
        rank.active = 0;
        rank.entered = 0;
        rank.ended = ended;
    }
    ranks[1].active = active;
    ranks[1].entered = entered;
    return ranks;
}

/** @return the same as a course that is over */
MemoStore::Course
MakeKnown(Picoseconds active, Picoseconds entered, Picoseconds ended = 1000)
{
    return std::make_shared<MemoizedCourse>(MakeTwo(active, entered, ended));
}

/** @return sends of which each has entered at an instant */
MemoStore::Course
MakeSends(const std::vector<Picoseconds>& entered)
{
    std::vector<MemoizedRank> ranks(entered.size());
    for (std::size_t place = 0; place < entered.size(); ++place)
    {
        ranks[place].path = PATH;
        ranks[place].active = ranks[place].entered = entered[place];
        ranks[place].ended = 1000;
    }
    return std::make_shared<MemoizedCourse>(ranks);
}

/** @return a rank that has entered */
MemoizedRank
MakeEntered(Picoseconds at)
{
    MemoizedRank rank;
    rank.path = PATH;
    rank.active = rank.entered = at;
    return rank;
}

/** @return candidates whose first rank has entered */
MemoCandidates
Begin(const std::vector<MemoStore::Course>& known)
{
    MemoCandidates candidates(known);
    candidates.Activate(0, 0);
    candidates.Enter(0, PATH, 0);
    return candidates;
}

/** One more rank enters. */
void
Enter(MemoCandidates& candidates, uint32_t place, Picoseconds at)
{
    candidates.Activate(place, at);
    candidates.Enter(place, PATH, at);
}

} // namespace

TEST(MemoCandidates, AllEntriesMakeItKnown)
{
    const auto known = MakeKnown(0, 7);
    MemoCandidates candidates = Begin({known, MakeKnown(0, 9)});
    candidates.Activate(1, 0);
    EXPECT_EQ(candidates.GetKnown(6), nullptr);
    candidates.Enter(1, PATH, 7);
    EXPECT_EQ(candidates.GetKnown(7), known);
}

TEST(MemoCandidates, AnotherInstantOrPathIsUnlike)
{
    for (const Picoseconds at : {6, 8})
    {
        MemoCandidates candidates = Begin({MakeKnown(0, 7)});
        candidates.Activate(1, 0);
        candidates.Enter(1, PATH, at);
        EXPECT_TRUE(candidates.AreNone());
    }
    MemoCandidates candidates = Begin({MakeKnown(0, 7)});
    candidates.Activate(1, 0);
    candidates.Enter(1, {1, 2, 4}, 7);
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoCandidates, AnotherActivationIsUnlike)
{
    MemoCandidates candidates = Begin({MakeKnown(3, 7)});
    candidates.Activate(1, 4);
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoCandidates, TheTimeoutIsBehindTheNextEntryOfTheLastOfThem)
{
    MemoCandidates candidates = Begin({MakeKnown(0, 7), MakeKnown(0, 9)});
    candidates.Activate(1, 0);
    EXPECT_EQ(candidates.GetTimeout(), 10);
    candidates.Drop(8);
    EXPECT_FALSE(candidates.AreNone());
    candidates.Drop(10);
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoCandidates, AnActivationThatIsMissingEndsIt)
{
    MemoCandidates candidates = Begin({MakeKnown(3, 7)});
    EXPECT_EQ(candidates.GetTimeout(), 4);
    candidates.Drop(4);
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoCandidates, OneMoreSendMayEnterUntilItsTimeIsOver)
{
    const auto one = MakeSends({0, 2});
    MemoCandidates candidates = Begin({one, MakeSends({0, 2, 50})});
    Enter(candidates, 1, 2);
    EXPECT_EQ(candidates.GetKnown(2), nullptr) << "a third one may enter at 50";
    EXPECT_EQ(candidates.GetTimeout(), 51);
    candidates.Drop(51);
    EXPECT_EQ(candidates.GetKnown(51), one);
}

TEST(MemoCandidates, OneMoreSendThanAllIsUnlike)
{
    MemoCandidates candidates = Begin({MakeSends({0, 2}), MakeSends({0, 2, 50})});
    Enter(candidates, 1, 2);
    Enter(candidates, 2, 49);
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoCandidates, ACourseUnderWayIsKnownWhenItIsOver)
{
    const auto leader = std::make_shared<MemoizedCourse>(0, 100);
    leader->Enter(0, MakeEntered(0));
    leader->Enter(1, MakeEntered(5));
    MemoCandidates candidates = Begin({leader});
    EXPECT_EQ(candidates.GetTimeout(), 6) << "its second one entered at 5";
    Enter(candidates, 1, 5);
    EXPECT_EQ(candidates.GetTimeout(), NEVER);
    EXPECT_EQ(candidates.GetKnown(5), nullptr);
    leader->NoteEnd(900);
    EXPECT_EQ(candidates.GetTimeout(), 900) << "then it must be over";
    leader->Finish(MakeTwo(5, 5));
    EXPECT_EQ(candidates.GetKnown(890), leader);
}

TEST(MemoCandidates, ACourseThatIsNotOverInTimeOrIsVoidIsUnlike)
{
    for (const bool isVoid : {false, true})
    {
        const auto leader = std::make_shared<MemoizedCourse>(0, 100);
        leader->Enter(0, MakeEntered(0));
        MemoCandidates candidates = Begin({leader});
        leader->NoteEnd(900);
        candidates.Drop(899);
        EXPECT_FALSE(candidates.AreNone());
        if (isVoid)
        {
            leader->Abandon();
        }
        candidates.Drop(isVoid ? 899 : 900);
        EXPECT_TRUE(candidates.AreNone());
    }
}

TEST(MemoCandidates, WhatIsKnownDoesNotWaitForACourseUnderWay)
{
    const auto leader = std::make_shared<MemoizedCourse>(0, 100);
    leader->Enter(0, MakeEntered(0));
    const auto known = MakeSends({0});
    MemoCandidates candidates = Begin({known, leader});
    EXPECT_EQ(candidates.GetKnown(999), nullptr);
    EXPECT_EQ(candidates.GetTimeout(), 1000) << "the first end";
    EXPECT_EQ(candidates.GetKnown(1000), known);
}

TEST(MemoStore, KeepsEachOnceAndFindsWhatEndsOtherwise)
{
    MemoStore memory;
    MemoStore::Kind kind;
    kind.bytes = 100;
    const auto add = [&](const std::vector<MemoizedRank>& ranks) {
        return memory.Finish(kind, memory.Begin(kind, ranks.size(), 100), ranks);
    };
    EXPECT_TRUE(memory.Find(kind, 100).empty());
    EXPECT_TRUE(add(MakeTwo(0, 7)));
    EXPECT_TRUE(add(MakeTwo(0, 7)));
    EXPECT_EQ(memory.Find(kind, 100).size(), 1U);
    EXPECT_TRUE(add(MakeTwo(0, 8)));
    EXPECT_EQ(memory.Find(kind, 100).size(), 2U);
    EXPECT_FALSE(add(MakeTwo(0, 8, 1001)));
    kind.bytes = 101;
    EXPECT_TRUE(memory.Find(kind, 100).empty());
}

TEST(MemoStore, OthersFollowACourseUntilItIsOverOrVoid)
{
    MemoStore memory;
    const MemoStore::Kind kind;
    const MemoStore::Course course = memory.Begin(kind, 2, 100);
    EXPECT_EQ(memory.Find(kind, 100).size(), 1U);
    EXPECT_TRUE(memory.Find(kind, 99).empty()) << "it is not ahead of one that began before";
    memory.Abandon(kind, course);
    EXPECT_EQ(course->GetState(), MemoizedCourse::State::VOID);
    EXPECT_TRUE(memory.Find(kind, 100).empty());
}

TEST(FrameTotals, AMessageIsAFirstMiddlesAndALast)
{
    FrameTotals totals;
    // 10,000 bytes in frames of 4,096: two whole ones and 1,808 bytes
    totals.AddMessages(RdmaVerb::WRITE_WITH_IMMEDIATE, 10'000, 4096, 3);
    ASSERT_EQ(totals.Get().size(), 3U);
    EXPECT_EQ(totals.GetFrames(), 9U);
    uint64_t payload = 0;
    for (const FrameTotal& total : totals.Get())
    {
        EXPECT_EQ(total.frames, 3U);
        payload += total.frames * total.payload;
    }
    EXPECT_EQ(payload, 30'000U);
    totals.AddAcknowledgements(2);
    EXPECT_EQ(totals.GetFrames(), 11U);
    EXPECT_EQ(totals.Get().back().wireBytes, 86U);
}
