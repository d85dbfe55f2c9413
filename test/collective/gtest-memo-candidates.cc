/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which known operation one is like that has begun: all ranks become active and enter at the same
// times from the first entry on, over the same paths.

#include "ns3/frame-totals.h"
#include "ns3/memo-candidates.h"
#include "ns3/memo-store.h"
#include "ns3/message-frames.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

const MemoPath PATH{1, 2, 3};

/** @return what became of two ranks: the second becomes active and enters so much later */
std::shared_ptr<const MemoizedRanks>
MakeKnown(Picoseconds active, Picoseconds entered, Picoseconds ended = 1000)
{
    MemoizedRanks ranks(2);
    for (MemoizedRank& rank : ranks)
    {
        rank.path = PATH;
        rank.ended = ended;
    }
    ranks[1].active = active;
    ranks[1].entered = entered;
    return std::make_shared<const MemoizedRanks>(ranks);
}

/** @return candidates whose first rank has entered */
MemoCandidates
Begin(const MemoStore::Known& known)
{
    MemoCandidates candidates(known);
    candidates.Activate(0, 0);
    candidates.Enter(0, PATH, 0);
    return candidates;
}

} // namespace

TEST(MemoCandidates, AllEntriesMakeItKnown)
{
    const auto known = MakeKnown(0, 7);
    MemoCandidates candidates = Begin({known, MakeKnown(0, 9)});
    candidates.Activate(1, 0);
    EXPECT_EQ(candidates.GetKnown(), nullptr);
    candidates.Enter(1, PATH, 7);
    EXPECT_EQ(candidates.GetKnown(), known);
    EXPECT_EQ(candidates.GetTimeout(), NEVER);
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

TEST(MemoStore, KeepsEachOnceAndFindsWhatEndsOtherwise)
{
    MemoStore memory;
    MemoStore::Kind kind;
    kind.bytes = 100;
    EXPECT_TRUE(memory.Find(kind).empty());
    EXPECT_TRUE(memory.Add(kind, MakeKnown(0, 7)));
    EXPECT_TRUE(memory.Add(kind, MakeKnown(0, 7)));
    EXPECT_EQ(memory.Find(kind).size(), 1U);
    EXPECT_TRUE(memory.Add(kind, MakeKnown(0, 8)));
    EXPECT_EQ(memory.Find(kind).size(), 2U);
    EXPECT_FALSE(memory.Add(kind, MakeKnown(0, 8, 1001)));
    kind.bytes = 101;
    EXPECT_TRUE(memory.Find(kind).empty());
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

TEST(FrameTotals, AreThoseOfFrameAfterFrame)
{
    constexpr uint64_t WIRE_MESSAGE = MessageFrames::SEGMENT;
    for (const RdmaVerb verb : {RdmaVerb::WRITE, RdmaVerb::WRITE_WITH_IMMEDIATE, RdmaVerb::SEND})
    {
        for (const uint32_t mtu : {1024U, 4096U})
        {
            for (const uint64_t bytes : {uint64_t{0},
                                         uint64_t{1},
                                         uint64_t{mtu},
                                         uint64_t{mtu} + 1,
                                         uint64_t{2 * mtu},
                                         uint64_t{9 * mtu - 1},
                                         WIRE_MESSAGE - 1,
                                         WIRE_MESSAGE,
                                         WIRE_MESSAGE + 1,
                                         WIRE_MESSAGE + 2 * mtu,
                                         2 * WIRE_MESSAGE + 5})
            {
                std::map<std::tuple<RoceOpcode, uint32_t, uint32_t>, uint64_t> expected;
                const MessageFrames frames(verb, bytes, mtu);
                for (uint64_t f = 0; f < frames.GetCount(); ++f)
                {
                    expected[{frames.OpcodeOf(f), frames.PayloadOf(f), frames.WireBytesOf(f)}] += 7;
                }
                FrameTotals totals;
                totals.AddMessages(verb, bytes, mtu, 7);
                std::map<std::tuple<RoceOpcode, uint32_t, uint32_t>, uint64_t> found;
                for (const FrameTotal& one : totals.Get())
                {
                    found[{one.opcode, one.payload, one.wireBytes}] += one.frames;
                }
                EXPECT_EQ(found, expected) << bytes << " bytes by " << mtu;
                EXPECT_EQ(found.size(), totals.Get().size()) << "each kind once";
            }
        }
    }
}
