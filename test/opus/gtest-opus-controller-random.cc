/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random jobs around a controller, with and without faults: the invariants that hold in all of
// them.

#include "opus-fake-cluster.h"
#include "opus-policy-bench.h"

#include "ns3/controller-core.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SERVERS = 4;
constexpr uint32_t RAILS = 2;
constexpr uint32_t GROUPS = 3;

std::shared_ptr<const Cabling>
MakeCabling(uint32_t ports)
{
    return OpusPolicyBench::MakeCabling(SERVERS, RAILS, ports);
}

/** @return pairs on one rail, or the same on both */
std::vector<JoinedRanks>
DrawPairs(std::mt19937& random)
{
    std::vector<uint32_t> servers{0, 1, 2, 3};
    std::shuffle(servers.begin(), servers.end(), random);
    servers.resize(2 + random() % (SERVERS - 1));
    std::vector<JoinedRanks> pairs;
    const uint32_t first = random() % RAILS;
    for (uint32_t rail = first; rail < first + 1 + random() % 2; ++rail)
    {
        std::vector<RankId> ranks;
        for (const uint32_t server : servers)
        {
            ranks.emplace_back(server * RAILS + rail % RAILS);
        }
        const std::vector<JoinedRanks> ring = MakeRingOf(ranks);
        pairs.insert(pairs.end(), ring.begin(), ring.end());
    }
    return pairs;
}

/** Operations of groups, of which some have the same pairs as the one before. */
void
FillAndRun(FakeCluster& cluster, std::mt19937& random, uint32_t phases, uint32_t repeats = 0)
{
    std::vector<RankId> all;
    for (uint32_t rank = 0; rank < SERVERS * RAILS; ++rank)
    {
        all.emplace_back(rank);
    }
    for (uint32_t group = 0; group < GROUPS; ++group)
    {
        cluster.Register(GroupId(group), all, std::string(1, 'a' + group) + " 0");
    }
    std::map<GroupId, std::vector<JoinedRanks>> last;
    for (uint32_t number = 0; number < phases; ++number)
    {
        OpusPhase phase;
        phase.group = GroupId(random() % GROUPS);
        phase.operation = number;
        std::vector<JoinedRanks>& pairs = last[phase.group];
        if (pairs.empty() || random() % 100 >= repeats)
        {
            pairs = DrawPairs(random);
        }
        std::optional<RankId> sender;
        if (repeats > 0 && random() % 2 == 0)
        {
            sender = pairs[random() % pairs.size()].first;
        }
        cluster.AddPhase(phase, pairs, sender);
    }
    cluster.Run();
    cluster.ExpectAllEnded();
}

ControllerSettings
DrawSettings(std::mt19937& random)
{
    ControllerSettings settings;
    constexpr CircuitGranularity ALL[] = {CircuitGranularity::RAIL,
                                          CircuitGranularity::GROUP,
                                          CircuitGranularity::NETWORK};
    settings.granularity = ALL[random() % 3];
    settings.gather = random() % 3 * 10'000'000;
    settings.speculation = SpeculationRule::GRANT;
    return settings;
}

void
ShortenLimits(ControllerLimits& limits)
{
    constexpr Picoseconds MILLISECOND = 1'000'000'000;
    limits.votes = 20 * MILLISECOND;
    limits.ports = 10 * MILLISECOND;
    limits.program = 1 * MILLISECOND;
    limits.traffic = 5 * MILLISECOND;
}

} // namespace

TEST(OpusControllerRandom, NothingIsRefusedWhereNothingFails)
{
    for (uint32_t seed = 0; seed < 100 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        FakeFaults faults;
        faults.duplicates = 20;
        faults.losses = 20;
        faults.takeover = seed % 3 == 0;
        // right guesses only: they need no special rule
        FakeCluster cluster(seed,
                            MakeCabling(2 + 2 * (seed % 2)),
                            DrawSettings(random),
                            faults,
                            80);
        FillAndRun(cluster, random, 16);
        EXPECT_EQ(cluster.GetRefused(), 0);
        EXPECT_EQ(cluster.GetController().GetCounters().notReleased, 0);
    }
}

TEST(OpusControllerRandom, WrongGuessesDelayNoRankIfTheyOnlyPrepare)
{
    for (uint32_t seed = 0; seed < 100 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        FakeFaults faults;
        faults.duplicates = 20;
        faults.losses = 20;
        faults.wrongGuesses = 50;
        faults.takeover = seed % 3 == 0;
        ControllerSettings settings = DrawSettings(random);
        settings.speculation = SpeculationRule::PREPARE;
        FakeCluster cluster(seed, MakeCabling(2 + 2 * (seed % 2)), settings, faults, 80);
        FillAndRun(cluster, random, 16);
        EXPECT_EQ(cluster.GetRefused(), 0);
        EXPECT_EQ(cluster.GetController().GetCounters().notReleased, 0);
    }
}

TEST(OpusControllerRandom, PromisesThatAreNotKeptDelayNoRank)
{
    uint64_t recalls = 0;
    uint64_t grants = 0;
    for (uint32_t seed = 0; seed < 300 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        FakeFaults faults;
        faults.duplicates = random() % 30;
        faults.losses = random() % 30;
        faults.wrongGuesses = random() % 50;
        faults.promises = 50 + random() % 50;
        faults.takeover = random() % 3 == 0;
        ControllerSettings settings = DrawSettings(random);
        settings.speculation = SpeculationRule::PREPARE;
        if (random() % 3 == 0)
        {
            settings.wholeSwitch.insert(RailId(random() % RAILS));
        }
        FakeCluster cluster(seed, MakeCabling(2 + 2 * (seed % 2)), settings, faults, 60);
        FillAndRun(cluster, random, 24, 80);
        EXPECT_EQ(cluster.GetRefused(), 0);
        EXPECT_EQ(cluster.GetController().GetCounters().notReleased, 0);
        recalls += cluster.GetController().GetCounters().recalls;
        grants += cluster.GetController().GetCounters().grants;
    }
    EXPECT_GT(recalls, 1000);
    EXPECT_LT(grants, 300 * 24) << "there is no use in promises";
}

TEST(OpusControllerRandom, TheOrderOfWhatComesAtOneInstantIsOfNoImportance)
{
    // messages arrive every 20 us only, so that many come together; a twin takes them in
    // another order, and must be in the same state in the end and when another takes over
    for (uint32_t seed = 0; seed < 200 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        FakeFaults faults;
        faults.grid = 20'000'000;
        faults.duplicates = random() % 30;
        faults.losses = random() % 30;
        faults.wrongGuesses = random() % 50;
        faults.promises = random() % 2 * 70;
        faults.takeover = random() % 3 == 0;
        ControllerSettings settings = DrawSettings(random);
        settings.speculation = SpeculationRule::PREPARE;
        if (random() % 3 == 0)
        {
            settings.wholeSwitch.insert(RailId(random() % RAILS));
        }
        FakeCluster cluster(seed, MakeCabling(2 + 2 * (seed % 2)), settings, faults, 60);
        FillAndRun(cluster, random, 20, faults.promises);
        EXPECT_EQ(cluster.GetRefused(), 0);
        EXPECT_EQ(cluster.GetController().GetCounters().notReleased, 0);
    }
}

TEST(OpusControllerRandom, EveryPhaseEndsWhateverFails)
{
    uint64_t refused = 0;
    uint64_t granted = 0;
    for (uint32_t seed = 0; seed < 250 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        FakeFaults faults;
        faults.duplicates = random() % 40;
        faults.losses = random() % 40;
        faults.wrongGuesses = random() % 60;
        faults.alarms = random() % 2 * 5;
        faults.silences = random() % 2 * 3;
        faults.promises = random() % 2 * 70;
        faults.takeover = random() % 2 == 0;
        faults.grid = random() % 2 == 0 ? 1 : 10'000'000;
        ControllerSettings settings = DrawSettings(random);
        ShortenLimits(settings.limits);
        settings.speculation =
            random() % 2 == 0 ? SpeculationRule::PREPARE : SpeculationRule::GRANT;
        FakeCluster cluster(seed, MakeCabling(2 + 2 * (seed % 2)), settings, faults, 70);
        FillAndRun(cluster, random, 16, faults.promises);
        refused += cluster.GetRefused();
        granted += 16 - cluster.GetRefused();
    }
    EXPECT_GT(refused, 40);
    EXPECT_GT(granted, 1000);
}
