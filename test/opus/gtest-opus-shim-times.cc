/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long ranks wait for the reconfiguration of circuits: shims, a controller and a switch, with
// all durations as configured.

#include "../support/time-units.h"
#include "opus-shim-bench.h"
#include "opus-shim-cluster.h"

#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr Picoseconds MESSAGE = 10 * US;
constexpr Picoseconds RECONFIGURING = 100 * US;
constexpr Picoseconds ROUND_TRIP = 2 * MESSAGE;

/**
 * Four ranks with a port each, on servers of their own. In an iteration the data-parallel pairs 0-1
 * and 2-3 gather, the pipeline's pairs 0-2 and 1-3 go by, and the first scatter.
 */
class Loop
{
  public:
    Loop(ShimMode mode, SpeculationRule rule, Picoseconds computing, Picoseconds late = 0)
    {
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(4, 1, 1));
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            cabling->Own(JobId(0), RankId(rank));
        }
        ControllerSettings settings;
        settings.speculation = rule;
        ShimDelays delays;
        delays.isExact = true;
        delays.message = MESSAGE;
        delays.reconfiguration = RECONFIGURING;
        delays.computing = computing;
        delays.sending = 50 * US;
        delays.computingMore[RankId(3)] = late;
        m_cluster = std::make_unique<ShimCluster>(1, cabling, settings, mode, delays);
        for (const auto& [one, other] : {std::make_pair(0U, 1U), {2U, 3U}})
        {
            MakeGroup(10 + one, "dp", one, other);
        }
        for (const auto& [one, other] : {std::make_pair(0U, 2U), {1U, 3U}})
        {
            MakeGroup(20 + one, "pp", one, other);
        }
    }

    void Run(uint32_t iterations)
    {
        for (uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                m_cluster->ProgramOf(RankId(rank)).push_back({true, 0, false});
            }
            for (uint32_t half = 0; half < 2; ++half)
            {
                Add(10, 0, 1, 2 * iteration + half);
                Add(12, 2, 3, 2 * iteration + half);
                if (half == 0)
                {
                    Add(20, 0, 2, iteration);
                    Add(21, 1, 3, iteration);
                }
            }
        }
        m_cluster->Run(false);
        m_cluster->ExpectAllOver();
        EXPECT_EQ(m_cluster->Count(&ShimCounters::wrongPredictions), 0U);
    }

    /** @return the notes on a parallelism from some operation on */
    std::vector<ShimNote> NotesOf(const std::string& parallelism, uint64_t operation) const
    {
        std::vector<ShimNote> notes;
        for (const ShimNote& note : m_cluster->GetNotes())
        {
            if (note.parallelism == parallelism && note.phase.operation >= operation)
            {
                notes.push_back(note);
            }
        }
        return notes;
    }

    const ShimCluster& Cluster() const
    {
        return *m_cluster;
    }

  private:
    void MakeGroup(uint32_t id, const std::string& name, uint32_t one, uint32_t other)
    {
        const std::vector<RankId> ranks{RankId(one), RankId(other)};
        for (const RankId rank : ranks)
        {
            m_cluster->Join(rank, CommunicationGroup(GroupId(id), name + " 0", ranks));
        }
    }

    void Add(uint32_t group, uint32_t one, uint32_t other, uint64_t number)
    {
        ShimOperation operation;
        operation.request.group = GroupId(group);
        operation.request.operation = number;
        operation.pairs.push_back(std::make_shared<const std::vector<std::pair<RankId, RankId>>>(
            1,
            std::make_pair(RankId(one), RankId(other))));
        const std::size_t index = m_cluster->Add(operation);
        for (const uint32_t rank : {one, other})
        {
            m_cluster->ProgramOf(RankId(rank)).push_back({false, index, false});
        }
    }

    std::unique_ptr<ShimCluster> m_cluster;
};

} // namespace

TEST(OpusShimTimes, OnDemandAllOfTheReconfigurationIsWaitedFor)
{
    Loop loop(ShimMode::ON_DEMAND, SpeculationRule::PREPARE, 300 * US);
    loop.Run(4);
    const auto notes = loop.NotesOf("pp", 0);
    ASSERT_EQ(notes.size(), 16U);
    for (const ShimNote& note : notes)
    {
        // to the controller, to the agent, reconfiguration, and back; both pairs at the same time
        EXPECT_EQ(note.reconfiguration, ToTime(RECONFIGURING + ROUND_TRIP));
        EXPECT_EQ(note.exposed, ToTime(RECONFIGURING + 2 * ROUND_TRIP));
        EXPECT_EQ(note.hidden, ToTime(0));
        EXPECT_EQ(note.others, ToTime(0));
    }
}

TEST(OpusShimTimes, WhatALateRankTakesIsNotCountedAsWaitingForCircuits)
{
    constexpr Picoseconds LATE = 70 * US;
    Loop loop(ShimMode::ON_DEMAND, SpeculationRule::PREPARE, 300 * US, LATE);
    loop.Run(2);
    // 2 and 3 call the first together, 3 the later by so much
    uint32_t seen = 0;
    for (const ShimNote& note : loop.NotesOf("dp", 0))
    {
        if (note.phase.operation == 0 && note.rank.Get() >= 2)
        {
            ++seen;
            EXPECT_EQ(note.others, ToTime(note.rank == RankId(2) ? LATE : 0));
            EXPECT_EQ(note.exposed, ToTime(RECONFIGURING + 2 * ROUND_TRIP));
        }
    }
    EXPECT_EQ(seen, 2U);
}

TEST(OpusShimTimes, AGuessThatIsGrantedInTimeHidesAll)
{
    Loop loop(ShimMode::PROVISIONED, SpeculationRule::GRANT, 300 * US);
    loop.Run(5);
    for (const std::string parallelism : {"pp", "dp"})
    {
        // from the second iteration on; between dp's last and first of the next nothing is
        // reconfigured
        uint32_t turned = 0;
        const auto notes = loop.NotesOf(parallelism, parallelism == "pp" ? 2 : 4);
        for (const ShimNote& note : notes)
        {
            EXPECT_EQ(note.exposed, ToTime(0));
            EXPECT_EQ(note.others, ToTime(0));
            EXPECT_EQ(note.hidden, note.reconfiguration);
            EXPECT_EQ(note.covered, note.reconfiguration.IsZero());
            turned += note.reconfiguration == ToTime(RECONFIGURING + ROUND_TRIP) ? 1 : 0;
        }
        EXPECT_EQ(notes.size(), parallelism == "pp" ? 12U : 24U);
        EXPECT_EQ(turned, 12U) << parallelism;
    }
}

TEST(OpusShimTimes, AGuessThatOnlyPreparesCostsARoundTrip)
{
    Loop loop(ShimMode::PROVISIONED, SpeculationRule::PREPARE, 300 * US);
    loop.Run(5);
    for (const ShimNote& note : loop.NotesOf("pp", 2))
    {
        EXPECT_EQ(note.exposed, ToTime(ROUND_TRIP));
        EXPECT_EQ(note.reconfiguration, ToTime(RECONFIGURING + ROUND_TRIP));
        EXPECT_EQ(note.hidden, ToTime(RECONFIGURING))
            << "all but the round trip, in which somebody waited";
        EXPECT_EQ(note.others, ToTime(0));
    }
}

TEST(OpusShimTimes, AGuessThatIsNotGrantedInTimeHidesAPart)
{
    constexpr Picoseconds COMPUTING = 60 * US;
    Loop loop(ShimMode::PROVISIONED, SpeculationRule::GRANT, COMPUTING);
    loop.Run(4);
    const auto notes = loop.NotesOf("pp", 2);
    ASSERT_EQ(notes.size(), 8U);
    for (const ShimNote& note : notes)
    {
        EXPECT_EQ(note.others, ToTime(0)) << "all guessed at the same time";
        EXPECT_EQ(note.exposed, ToTime(RECONFIGURING + 2 * ROUND_TRIP - COMPUTING));
        EXPECT_EQ(note.hidden, note.reconfiguration - note.exposed);
    }
}

TEST(OpusShimTimes, ARankThatGuessesWaitsForOthersOnlyFromItsCall)
{
    struct Case
    {
        bool isFromGuess; //!< others are counted from the guess, at 100; else from the call, at 180
        Picoseconds others;
        Picoseconds counted;
    };

    // the grant comes at 250
    for (const Case& one : {Case{true, 50, 0},
                            Case{true, 100, 20},
                            Case{true, 900, 70},
                            Case{false, 30, 30},
                            Case{false, 0, 0}})
    {
        OpusShimBench bench(OpusShimBench::Settings(ShimMode::PROVISIONED));
        bench.Core().BeginIteration(RankId(0));
        bench.RequestAndGrant(OpusShimBench::Dp(0), 0);
        bench.Finish(OpusShimBench::Dp(0));
        bench.now = 100;
        bench.Core().BeginIteration(RankId(0));
        bench.Flush();
        bench.now = 180;
        bench.Request(OpusShimBench::Dp(1));
        bench.FlushOne();
        bench.now = 200;
        bench.Request(OpusShimBench::Dp(2)); // waits with it
        bench.Flush();
        bench.Core().TakeNotes();
        bench.now = 250;
        auto grant = bench.Granted(OpusShimBench::Dp(1), 2);
        grant.isAhead = one.isFromGuess;
        grant.others = one.others;
        grant.reconfiguration = 40;
        bench.Take(grant);
        const auto notes = bench.Core().TakeNotes();
        ASSERT_GE(notes.size(), 1U);
        EXPECT_EQ(notes[0].others, ToTime(one.counted));
        EXPECT_EQ(notes[0].exposed, ToTime(70 - one.counted));
        EXPECT_EQ(notes[0].hidden,
                  ToTime(40 - std::min<Picoseconds>(40, notes[0].exposed.GetTimeStep())));
        if (notes.size() > 1)
        {
            EXPECT_EQ(notes[1].others, ToTime(std::max<Picoseconds>(0, one.counted - 20)));
            EXPECT_EQ(notes[1].reconfiguration, ToTime(0)) << "told once";
        }
    }
}

TEST(OpusShimTimes, WhatWasRefusedForNowIsCountedFromTheNextRequest)
{
    OpusShimBench bench;
    bench.Request(OpusShimBench::Dp(0));
    bench.Flush();
    bench.now = 100;
    auto refusal = bench.Message<OpusRefuse>(OpusShimBench::Dp(0));
    refusal.isFinal = false;
    bench.Take(refusal);
    EXPECT_EQ(bench.FlushOne<OpusRequest>().number, 1U);
    bench.now = 200;
    auto grant = bench.Granted(OpusShimBench::Dp(0), 0, 1);
    grant.others = 30;
    bench.Take(grant);
    const auto notes = bench.Core().TakeNotes();
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].others, ToTime(30));
    EXPECT_EQ(notes[0].exposed, ToTime(170));
}

TEST(OpusShimTimes, NothingIsRequestedBetweenTheEndOfAnIterationAndTheBeginningOfTheNext)
{
    constexpr uint32_t ITERATIONS = 6;
    Loop loop(ShimMode::ON_DEMAND, SpeculationRule::PREPARE, 300 * US);
    loop.Run(ITERATIONS);
    // one that is recorded, with a request for each operation, and the first of the second; then
    // two in each, of each rank
    EXPECT_EQ(loop.Cluster().Count(&ShimCounters::requests), 4 * (3 + 1 + 2 * (ITERATIONS - 1)));
    EXPECT_EQ(loop.Cluster().Count(&ShimCounters::covered), 4 * (ITERATIONS - 2));
    EXPECT_EQ(loop.Cluster().Count(&ShimCounters::brokenPromises), 0U);
}
