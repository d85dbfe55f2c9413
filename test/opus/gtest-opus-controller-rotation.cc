/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Circuits that change slot by slot, independent of the wishes of phases.

#include "opus-controller-bench.h"
#include "opus-fake-cluster.h"
#include "opus-test-rotor.h"

#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

constexpr Picoseconds MICROSECOND = 1'000'000;

using Bench = OpusControllerBench;

/** @return settings with a rotor of that slot */
ControllerSettings
RotorSettings(Picoseconds slot)
{
    UsePicoseconds();
    ControllerSettings settings;
    settings.policy = MakePolicyFactory("ns3::OpusTestRotor");
    settings.policy.Set("Slot", TimeValue(ToTime(slot)));
    return settings;
}

/** Slots of 1000 ps. */
class OpusControllerRotation : public testing::Test
{
  protected:
    Bench::Outbox PassUntil(Picoseconds now)
    {
        m_bench.now = now;
        return m_bench.Core().TimePassed(now);
    }

    Bench m_bench{5, 1, 1, RotorSettings(1000)};
    OpusPhase m_even = Bench::Send(0, 1);
    OpusPhase m_odd = Bench::Send(1, 2);
};

} // namespace

TEST_F(OpusControllerRotation, PhasesAreGrantedInTheirSlotsAndCalledBackAtTheEnd)
{
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), NEVER) << "nobody wants anything";
    m_bench.now = 2500;
    const auto first = m_bench.Request(0, m_even, m_bench.Between(0, 1), false, 0, 9);
    ASSERT_EQ(Bench::Count(first, PROGRAM), 1) << "slot 2";
    EXPECT_EQ(first[0].message.Get<OpusProgram>().up.size(), 2);
    m_bench.now = 2600;
    EXPECT_TRUE(m_bench.Answer(first[0].message).empty());
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), 3000);
    EXPECT_EQ(Bench::Count(m_bench.Request(1, m_even, m_bench.Between(0, 1), false, 0, 9), GRANT),
              2);
    EXPECT_TRUE(m_bench.RequestBoth(1, 2, m_odd).empty()) << "in another slot";
    const auto other = m_bench.RequestBoth(2, 3, Bench::Send(2, 3));
    EXPECT_EQ(Bench::Count(other, GRANT), 2) << "though one that waits is before it at 2";

    const auto recalls = PassUntil(3000);
    ASSERT_EQ(recalls.size(), 4);
    for (const OutgoingMessage& outgoing : recalls)
    {
        ASSERT_EQ(outgoing.message.GetType(), RECALL);
        EXPECT_TRUE(outgoing.message.Get<OpusRecall>().isWhole);
    }
    m_bench.now = 3100;
    for (const uint32_t server : {2, 3})
    {
        m_bench.Release(server, Bench::Send(2, 3), m_bench.Between(2, 3));
    }
    EXPECT_TRUE(m_bench.Release(0, m_even, m_bench.Between(0, 1), true).empty());
    EXPECT_TRUE(m_bench.Request(0, m_even, m_bench.Between(0, 1), false, 1, 9).empty());
    const auto second = m_bench.Release(1, m_even, m_bench.Between(0, 1), true);
    ASSERT_EQ(Bench::Count(second, PROGRAM), 1) << "nothing is in flight any more";
    EXPECT_EQ(second.size(), 1);
    EXPECT_TRUE(m_bench.Request(1, m_even, m_bench.Between(0, 1), false, 1, 9).empty());
    m_bench.now = 3200;
    const auto grants = Bench::Select<OpusGrant>(m_bench.Answer(second[0].message));
    ASSERT_EQ(grants.size(), 2);
    EXPECT_TRUE(grants[0].phase == m_odd);
    EXPECT_EQ(grants[0].reconfiguration, 0) << "not turned for it";
    EXPECT_EQ(Bench::Count(m_bench.RequestBoth(0, 2, Bench::Send(0, 2)), REFUSE), 2)
        << "in no slot";
    m_bench.Release(1, m_odd, m_bench.Between(1, 2));
    m_bench.Release(2, m_odd, m_bench.Between(1, 2));
    // nothing to recall
    const auto third = PassUntil(4000);
    ASSERT_EQ(third.size(), 1);
    const auto again = Bench::Select<OpusGrant>(m_bench.Answer(third[0].message));
    ASSERT_EQ(again.size(), 2);
    EXPECT_EQ(again[0].number, 1);
    EXPECT_EQ(again[0].until, 9);
}

TEST_F(OpusControllerRotation, ItRestsWithoutRequestsAndGoesOnByTheClock)
{
    m_bench.AnswerAll(m_bench.RequestBoth(0, 1, m_even));
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), 1000);
    m_bench.Release(0, m_even, m_bench.Between(0, 1));
    m_bench.Release(1, m_even, m_bench.Between(0, 1));
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), NEVER);
    m_bench.now = 100'500;
    EXPECT_TRUE(m_bench.Request(0, Bench::Send(0, 1, 1), m_bench.Between(0, 1)).empty())
        << "the circuits of slot 100 stand";
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), 101'000);
    EXPECT_EQ(Bench::Count(PassUntil(101'000), PROGRAM), 1) << "a vote is wanted still";
}

TEST_F(OpusControllerRotation, ItRestsWhenOnlyRanksThatAreThroughAreLeft)
{
    m_bench.AnswerAll(m_bench.RequestBoth(0, 1, m_even));
    m_bench.Release(0, m_even, m_bench.Between(0, 1));
    m_bench.Release(1, m_even, m_bench.Between(0, 1), true);
    EXPECT_EQ(m_bench.Core().GetPhases().size(), 1) << "1 may come back";
    EXPECT_TRUE(PassUntil(1000).empty());
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), NEVER);
    m_bench.now = 1500;
    EXPECT_EQ(Bench::Count(m_bench.Request(1, m_even, m_bench.Between(0, 1), false, 1), PROGRAM),
              1);
}

TEST_F(OpusControllerRotation, WhatReconfiguresTooLongStandsForARestOfASlot)
{
    const auto first = m_bench.RequestBoth(0, 1, m_even);
    m_bench.now = 5400;
    EXPECT_EQ(Bench::Count(m_bench.Answer(first.at(0).message), GRANT), 2);
    EXPECT_EQ(m_bench.Core().GetNextDeadline(), 6000);
}

TEST_F(OpusControllerRotation, ASwitchThatDoesNotAnswerStaysBehind)
{
    const auto first = m_bench.RequestBoth(0, 1, m_even);
    EXPECT_TRUE(m_bench.Answer(first.at(0).message, "the mirrors are stuck").empty());
    EXPECT_EQ(m_bench.Core().GetCounters().refusals, 0);
    const auto second = PassUntil(1000);
    ASSERT_EQ(Bench::Count(second, PROGRAM), 1);
    PassUntil(1000 + ControllerLimits().program);
    EXPECT_EQ(m_bench.Core().GetCounters().refusals, 0);
    EXPECT_GT(m_bench.Core().GetNextDeadline(), 1000 + ControllerLimits().program);
    EXPECT_EQ(Bench::Count(PassUntil(m_bench.Core().GetNextDeadline()), PROGRAM), 0) << "in doubt";
}

TEST_F(OpusControllerRotation, ItsDarkTimeIsExposedFromTheFirstWait)
{
    m_bench.now = 100;
    const auto first = m_bench.Request(0, m_even, m_bench.Between(0, 1));
    m_bench.now = 130;
    m_bench.Request(1, m_even, m_bench.Between(0, 1));
    m_bench.now = 200;
    m_bench.Answer(first.at(0).message);
    uint32_t found = 0;
    for (const ControllerNote& note : m_bench.Core().TakeNotes())
    {
        if (note.kind == ControllerNote::Kind::RECONFIGURED)
        {
            ++found;
            EXPECT_EQ(note.dark, ToTime(100));
            EXPECT_EQ(note.exposed, ToTime(70));
        }
    }
    EXPECT_EQ(found, 1);
}

TEST(OpusControllerRotationRandom, AllThatIsJoinedInSomeSlotGetsThrough)
{
    constexpr uint32_t RAILS = 2;
    uint64_t recalls = 0;
    for (uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(4, RAILS, 1));
        for (uint32_t rank = 0; rank < 4 * RAILS; ++rank)
        {
            cabling->Own(JobId(0), RankId(rank));
        }
        FakeFaults faults;
        faults.duplicates = random() % 20;
        faults.losses = random() % 20;
        faults.promises = random() % 100;
        faults.takeover = random() % 2 == 0;
        FakeCluster cluster(seed, cabling, RotorSettings(500 * MICROSECOND), faults, 30);
        for (uint32_t number = 0; number < 24; ++number)
        {
            const uint32_t one = random() % 4;
            const uint32_t other = (one + 1) % 4;
            OpusPhase phase = Bench::Send(one, other, number);
            std::vector<JoinedRanks> pairs;
            for (uint32_t rail = 0; rail < 1 + random() % RAILS; ++rail)
            {
                pairs.emplace_back(RankId(one * RAILS + rail), RankId(other * RAILS + rail));
            }
            cluster.AddPhase(phase, pairs);
        }
        cluster.Run();
        cluster.ExpectAllEnded();
        EXPECT_EQ(cluster.GetRefused(), 0);
        EXPECT_EQ(cluster.GetController().GetCounters().notReleased, 0);
        recalls += cluster.GetController().GetCounters().recalls;
    }
    EXPECT_GT(recalls, 60);
}
