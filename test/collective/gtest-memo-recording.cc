/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An operation that begins like one that goes by messages right now, and waits for what becomes of
// it: what both have done so far is equal, or they are unlike a picosecond later.

#include "ns3/followed-recordings.h"
#include "ns3/memo-candidates.h"
#include "ns3/memo-recording.h"
#include "ns3/memo-store.h"

#include <gtest/gtest.h>
#include <utility>

using namespace ns3;

namespace
{

const MemoPath WAY{1, 2, 3};
constexpr Picoseconds BEGIN = 5000;

/** Counts notifications. */
class Listener : public MemoRecording::Listener
{
  public:
    void RecordingChanged() override
    {
        ++notified;
    }

    int notified{0};
};

/** @return a recording of two ranks, the first of which has entered */
Ptr<MemoRecording>
MakeRecording(Picoseconds begin = BEGIN)
{
    auto recording = Create<MemoRecording>(begin, 2);
    recording->Activate(0, 0);
    recording->Enter(0, WAY, 0);
    return recording;
}

/** @return candidates whose first rank has entered */
MemoCandidates
EnterLike(const MemoRecording& recording)
{
    MemoCandidates candidates({recording.GetRanks()});
    candidates.Activate(0, 0);
    candidates.Enter(0, WAY, 0);
    return candidates;
}

} // namespace

TEST(MemoRecording, WhatHasNotHappenedIsNever)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    const MemoizedRanks& ranks = *recording->GetRanks();
    EXPECT_EQ(ranks[0].entered, 0);
    EXPECT_EQ(ranks[0].ended, NEVER);
    EXPECT_EQ(ranks[1].active, NEVER);
    EXPECT_EQ(ranks[1].entered, NEVER);
}

TEST(MemoRecording, IsNotKnownBeforeAllOfItsRanksHaveEntered)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    MemoCandidates candidates = EnterLike(*recording);
    EXPECT_EQ(candidates.GetTimeout(), NEVER) << "equal so far, and nobody is late";
    EXPECT_EQ(candidates.GetKnown(), nullptr);
    recording->Activate(1, 7);
    recording->Enter(1, WAY, 9);
    EXPECT_EQ(candidates.GetTimeout(), 8) << "the second rank is to be active at 7";
    candidates.Activate(1, 7);
    EXPECT_EQ(candidates.GetTimeout(), 10);
    candidates.Enter(1, WAY, 9);
    EXPECT_EQ(candidates.GetTimeout(), NEVER);
    EXPECT_EQ(candidates.GetKnown(), recording->GetRanks());
}

TEST(MemoRecording, MayDoTheSameLaterInTheInstant)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    MemoCandidates candidates = EnterLike(*recording);
    candidates.Activate(1, 7);
    ASSERT_FALSE(candidates.AreNone()) << "it may still become active at 7";
    EXPECT_EQ(candidates.GetTimeout(), 8);
    MemoCandidates other = candidates;
    candidates.Drop(7);
    EXPECT_FALSE(candidates.AreNone());
    candidates.Drop(8);
    EXPECT_TRUE(candidates.AreNone()) << "it was not";
    recording->Activate(1, 7);
    other.Drop(8);
    EXPECT_FALSE(other.AreNone());
    EXPECT_EQ(other.GetTimeout(), NEVER);
}

TEST(MemoRecording, MayGoAnotherPath)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    MemoCandidates candidates = EnterLike(*recording);
    candidates.Activate(1, 7);
    const MemoPath other{1, 2, 4};
    candidates.Enter(1, other, 7);
    recording->Activate(1, 7);
    candidates.Compare();
    EXPECT_FALSE(candidates.AreNone());
    recording->Enter(1, WAY, 7);
    candidates.Compare();
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoRecording, IsRemovedAloneFromCandidates)
{
    const Ptr<MemoRecording> one = MakeRecording();
    const Ptr<MemoRecording> two = MakeRecording();
    MemoCandidates candidates({one->GetRanks(), two->GetRanks()});
    candidates.Remove(one->GetRanks());
    EXPECT_FALSE(candidates.AreNone());
    candidates.Remove(two->GetRanks());
    EXPECT_TRUE(candidates.AreNone());
}

TEST(MemoRecording, NotifiesThoseWhoWaitAndNoOthers)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    Listener listener;
    recording->Add(listener);
    EXPECT_TRUE(recording->HasListeners());
    recording->Activate(1, 7);
    recording->Enter(1, WAY, 7);
    recording->End(0, {});
    EXPECT_EQ(listener.notified, 3);
    recording->Remove(listener);
    EXPECT_FALSE(recording->HasListeners());
    recording->Break();
    EXPECT_EQ(listener.notified, 3);
    EXPECT_TRUE(recording->IsBroken());
}

TEST(MemoRecording, ThatIsCompleteIsNotBrokenAnyMore)
{
    const Ptr<MemoRecording> recording = MakeRecording();
    const auto ranks = recording->GetRanks();
    MemoizedRanks all(2);
    all[1].ended = 77;
    recording->Complete(std::move(all));
    recording->Break();
    EXPECT_TRUE(recording->IsComplete());
    EXPECT_FALSE(recording->IsBroken());
    EXPECT_EQ((*ranks)[1].ended, 77) << "who waits has it";
}

TEST(FollowedRecordings, BeganNoLater)
{
    Listener listener;
    FollowedRecordings followed(listener);
    const Ptr<MemoRecording> earlier = MakeRecording(BEGIN - 1);
    const Ptr<MemoRecording> now = MakeRecording(BEGIN);
    const Ptr<MemoRecording> later = MakeRecording(BEGIN + 1);
    const MemoStore::Known known = followed.Follow({earlier, now, later}, BEGIN);
    EXPECT_EQ(known, (MemoStore::Known{earlier->GetRanks(), now->GetRanks()}));
    EXPECT_FALSE(later->HasListeners());
    followed.KeepOnly(now->GetRanks());
    EXPECT_FALSE(earlier->HasListeners());
    EXPECT_TRUE(now->HasListeners());
    followed.Clear();
    EXPECT_FALSE(now->HasListeners());
}

TEST(FollowedRecordings, ThatAreBrokenAreTakenOnce)
{
    Listener listener;
    FollowedRecordings followed(listener);
    const Ptr<MemoRecording> one = MakeRecording();
    const Ptr<MemoRecording> two = MakeRecording();
    followed.Follow({one, two}, BEGIN);
    EXPECT_TRUE(followed.TakeBroken().empty());
    two->Break();
    EXPECT_EQ(followed.TakeBroken(), MemoStore::Known{two->GetRanks()});
    EXPECT_TRUE(followed.TakeBroken().empty());
    EXPECT_TRUE(one->HasListeners());
}

TEST(MemoStore, HasTheRecordingsOfAKindWhileTheyGoOn)
{
    MemoStore memory;
    MemoStore::Kind kind;
    kind.bytes = 100;
    MemoStore::Kind other;
    other.bytes = 101;
    const Ptr<MemoRecording> one = MakeRecording();
    const Ptr<MemoRecording> two = MakeRecording();
    memory.AddRecording(kind, one);
    memory.AddRecording(kind, two);
    EXPECT_EQ(memory.FindRecordings(kind), (MemoStore::Recordings{one, two}));
    EXPECT_TRUE(memory.FindRecordings(other).empty());
    memory.RemoveRecording(kind, one);
    EXPECT_EQ(memory.FindRecordings(kind), MemoStore::Recordings{two});
    memory.RemoveRecording(other, two); // it is not of that kind
    memory.RemoveRecording(kind, two);
    EXPECT_TRUE(memory.FindRecordings(kind).empty());
}
