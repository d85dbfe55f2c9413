/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The fabric inside a server: its generations, and its rules of time against a machine that moves
// every message tick by tick.

#include "ns3/scale-up-generation.h"
#include "ns3/scale-up-ports.h"
#include "ns3/timed-inbox.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** A message that is sent at an instant. */
struct Posting
{
    Picoseconds at;
    uint32_t from;
    uint32_t to;
    uint64_t bytes;
};

/** The deliveries of each member, in order: number of the message, instant. */
typedef std::map<uint32_t, std::vector<std::pair<uint64_t, Picoseconds>>> Outcome;

/** Runs ports as a simulator does; what is equal in time is done in a random order. */
Outcome
RunPorts(uint64_t rate,
         Picoseconds latency,
         uint32_t members,
         const std::vector<Posting>& postings,
         std::mt19937_64& random)
{
    ScaleUpPorts ports(rate, latency);
    for (uint32_t m = 0; m < members; ++m)
    {
        EXPECT_EQ(ports.AddMember(), MemberId(m));
    }

    struct Step
    {
        Picoseconds at;
        uint64_t shuffle;
        bool post;
        uint64_t number; //!< of the message, or the member

        bool operator<(const Step& other) const
        {
            return std::tie(at, shuffle, number) < std::tie(other.at, other.shuffle, other.number);
        }
    };

    std::multiset<Step> steps;
    for (std::size_t i = 0; i < postings.size(); ++i)
    {
        steps.insert({postings[i].at, random(), true, i});
    }
    Outcome outcome;
    const auto addCalls = [&](Picoseconds now) {
        for (const ScaleUpCall& call : ports.TakeCalls())
        {
            EXPECT_GE(call.when, now);
            steps.insert({call.when, random(), false, call.member.Get()});
        }
    };
    while (!steps.empty())
    {
        const Step step = *steps.begin();
        steps.erase(steps.begin());
        if (step.post)
        {
            const Posting& one = postings[step.number];
            // called in any order: the numbers decide
            ports.Send(
                {step.number, MemberId(one.from), MemberId(one.to), one.bytes, {step.number}},
                step.at);
            addCalls(step.at);
            continue;
        }
        const MemberId member(step.number);
        for (const ScaleUpPassage& passage : ports.Receive(member, step.at))
        {
            EXPECT_GE(passage.delivered, step.at);
            outcome[step.number].emplace_back(passage.message, passage.delivered);
        }
        addCalls(step.at);
    }
    return outcome;
}

/**
 * The same, tick by tick: a tick is 1/denominator of a picosecond, and a byte takes `numerator` of
 * them. Nothing is computed ahead.
 */
Outcome
RunTicks(int64_t numerator,
         int64_t denominator,
         Picoseconds latency,
         uint32_t members,
         const std::vector<Posting>& postings)
{
    struct Way
    {
        std::deque<uint64_t> queue;
        bool busy{false};
        uint64_t message{0};
        int64_t left{0};
    };

    struct Flying
    {
        int64_t left;
        uint32_t from;
        uint64_t message;
    };

    std::vector<Way> out(members);
    std::vector<Way> in(members);
    std::vector<std::vector<Flying>> flying(members);
    Outcome outcome;
    std::size_t delivered = 0;
    for (int64_t tick = 0; delivered < postings.size(); ++tick)
    {
        const Picoseconds now = (tick + denominator - 1) / denominator;
        for (uint32_t m = 0; m < members; ++m)
        {
            for (std::size_t i = 0; i < postings.size(); ++i)
            {
                if (postings[i].from == m && postings[i].at * denominator == tick)
                {
                    out[m].queue.push_back(i);
                }
            }
        }
        for (uint32_t m = 0; m < members; ++m)
        {
            Way& way = out[m];
            way.busy = way.busy && --way.left > 0;
            while (!way.busy && !way.queue.empty())
            {
                const uint64_t message = way.queue.front();
                way.queue.pop_front();
                flying[postings[message].to].push_back({latency * denominator + 1, m, message});
                way.left = postings[message].bytes * numerator;
                way.busy = way.left > 0;
            }
        }
        for (uint32_t m = 0; m < members; ++m)
        {
            std::vector<Flying> still;
            std::vector<std::pair<uint32_t, uint64_t>> landed; // in the order of senders
            for (Flying one : flying[m])
            {
                if (--one.left > 0)
                {
                    still.push_back(one);
                }
                else
                {
                    landed.emplace_back(one.from, one.message);
                }
            }
            flying[m] = still;
            std::stable_sort(landed.begin(), landed.end(), [](const auto& a, const auto& b) {
                return a.first < b.first;
            });
            Way& way = in[m];
            for (const auto& [from, message] : landed)
            {
                way.queue.push_back(message);
            }
            if (way.busy && --way.left == 0)
            {
                way.busy = false;
                outcome[m].emplace_back(way.message, now);
                ++delivered;
            }
            while (!way.busy && !way.queue.empty())
            {
                way.message = way.queue.front();
                way.queue.pop_front();
                way.left = postings[way.message].bytes * numerator;
                way.busy = way.left > 0;
                if (!way.busy)
                {
                    outcome[m].emplace_back(way.message, now);
                    ++delivered;
                }
            }
        }
    }
    return outcome;
}

} // namespace

TEST(ScaleUpGeneration, OneDirectionIsHalfOfTheDataSheet)
{
    const struct
    {
        const char* name;
        uint64_t bothDirections; // GB/s, by the data sheets
        uint64_t terabits;       // of both directions
        uint32_t domain;
    } rows[] = {{"nvlink3", 600, 4'800, 8},
                {"nvlink4", 900, 7'200, 8},
                {"nvlink5", 1800, 14'400, 72}};

    for (const auto& row : rows)
    {
        const ScaleUpGeneration& generation = ScaleUpGeneration::Get(row.name);
        EXPECT_EQ(2 * generation.bitsPerSecond, row.bothDirections * 8 * 1'000'000'000) << row.name;
        EXPECT_EQ(2 * generation.bitsPerSecond / 1'000'000'000, row.terabits) << row.name;
        EXPECT_EQ(generation.largestDomain, row.domain) << row.name;
    }
    EXPECT_EQ(ScaleUpGeneration::GetAll().size(), std::size(rows));
}

TEST(ScaleUpGeneration, AUserAddsOneByALine)
{
    ScaleUpGeneration::GetAll().push_back({"mine", "My GPU", 8'000'000'000'000, 16});
    EXPECT_EQ(ScaleUpGeneration::Get("mine").largestDomain, 16U);
    ScaleUpGeneration::GetAll().pop_back();
    EXPECT_EQ(ScaleUpGeneration::Find("mine"), nullptr);
}

TEST(ScaleUpGenerationDeathTest, AnUnknownOneListsTheKnown)
{
    EXPECT_DEATH(ScaleUpGeneration::Get("copper"),
                 "copper: no such generation; known: nvlink3.*nvlink5");
}

TEST(ScaleUpPortsDeathTest, NoRateAndNoLatency)
{
    EXPECT_DEATH(ScaleUpPorts(0, 1), "0 b/s.*at least 1 b/s");
    EXPECT_DEATH(ScaleUpPorts(1, 0), "0 ps.*at least 1 ps");
    ScaleUpPorts slow(1, 1);
    slow.AddMember();
    slow.AddMember();
    slow.Send({0, MemberId(0), MemberId(1), 1'000'000'000, {}}, 0); // 8e9 s, which is 250 years
    EXPECT_DEATH(slow.Receive(MemberId(1), 1), "106 days");
}

TEST(ScaleUpPorts, AMessageTakesItsBitsAndOneLatency)
{
    ScaleUpPorts ports(8'000'000'000'000, 700); // a byte a picosecond
    const MemberId a = ports.AddMember();
    const MemberId b = ports.AddMember();
    ports.Send({7, a, b, 1000, {}}, 50);
    const auto calls = ports.TakeCalls();
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls[0].member, b);
    EXPECT_EQ(calls[0].when, 50 + 700);
    EXPECT_TRUE(ports.Receive(b, 749).empty());
    const auto passages = ports.Receive(b, 750);
    ASSERT_EQ(passages.size(), 1U);
    EXPECT_EQ(passages[0].message, 7U);
    EXPECT_EQ(passages[0].delivered, 50 + 700 + 1000) << "cut-through: its bits are counted once";
    EXPECT_TRUE(ports.Receive(b, 800).empty()) << "once";
}

TEST(ScaleUpPorts, BothWaysAtOnce)
{
    std::mt19937_64 random(1);
    const Outcome outcome =
        RunPorts(8'000'000'000'000, 10, 2, {{0, 0, 1, 100}, {0, 1, 0, 300}}, random);
    EXPECT_EQ(outcome, (Outcome{{1, {{0, 110}}}, {0, {{1, 310}}}}));
}

TEST(ScaleUpPorts, ManyToOneShareItsWayIn)
{
    // all first bits come at 10: the lowest sender's message first, and the others wait
    std::mt19937_64 random(1);
    const Outcome outcome =
        RunPorts(8'000'000'000'000, 10, 4, {{0, 3, 0, 100}, {0, 1, 0, 200}, {0, 2, 0, 0}}, random);
    EXPECT_EQ(outcome, (Outcome{{0, {{1, 210}, {2, 210}, {0, 310}}}}));
}

TEST(ScaleUpPorts, OneToManyShareItsWayOut)
{
    std::mt19937_64 random(1);
    const Outcome outcome =
        RunPorts(8'000'000'000'000, 10, 4, {{0, 0, 3, 100}, {0, 0, 1, 200}, {0, 0, 2, 0}}, random);
    EXPECT_EQ(outcome, (Outcome{{3, {{0, 110}}}, {1, {{1, 310}}}, {2, {{2, 310}}}}));
}

TEST(ScaleUpPorts, OfOneInstantTheLowestOrderLeavesFirst)
{
    // called third, first and second, and a later one between nothing and them
    ScaleUpPorts ports(8'000'000'000'000, 10);
    for (int m = 0; m < 3; ++m)
    {
        ports.AddMember();
    }
    ports.Send({1, MemberId(0), MemberId(1), 100, {0, 3}}, 0);
    ports.Send({2, MemberId(0), MemberId(2), 200, {0, 1}}, 0);
    ports.Send({3, MemberId(0), MemberId(1), 300, {0, 2}}, 0);
    ports.Send({4, MemberId(0), MemberId(1), 50, {0, 0}}, 1);
    EXPECT_EQ(ports.Receive(MemberId(2), 10).at(0).delivered, 210);
    const auto passages = ports.Receive(MemberId(1), 1000);
    ASSERT_EQ(passages.size(), 3U);
    EXPECT_EQ(passages[0].message, 3U);
    EXPECT_EQ(passages[0].delivered, 510);
    EXPECT_EQ(passages[1].message, 1U);
    EXPECT_EQ(passages[1].delivered, 610);
    EXPECT_EQ(passages[2].message, 4U);
    EXPECT_EQ(passages[2].delivered, 660);
}

TEST(ScaleUpPorts, TheFirstToArriveIsServedFirstEvenIfSentLater)
{
    // 1 sends to 2 for 1000 ps and then to 0; 3 sends to 0 at 500 and is there before
    std::mt19937_64 random(1);
    const Outcome outcome = RunPorts(8'000'000'000'000,
                                     10,
                                     4,
                                     {{0, 1, 2, 1000}, {0, 1, 0, 50}, {500, 3, 0, 600}},
                                     random);
    EXPECT_EQ(outcome, (Outcome{{2, {{0, 1010}}}, {0, {{2, 1110}, {1, 1160}}}}));
}

TEST(ScaleUpPorts, BackToBackNothingIsRoundedButTheEnd)
{
    // 450 GB/s: a byte takes 20/9 ps. A million messages of 1 byte end within one picosecond.
    ScaleUpPorts ports(3'600'000'000'000, 1);
    const MemberId a = ports.AddMember();
    const MemberId b = ports.AddMember();
    for (uint64_t i = 0; i < 1'000'000; ++i)
    {
        ports.Send({i, a, b, 1, {}}, 0);
    }
    const auto passages = ports.Receive(b, 3'000'000);
    ASSERT_EQ(passages.size(), 1'000'000U);
    for (uint64_t i = 0; i < passages.size(); ++i)
    {
        ASSERT_EQ(passages[i].delivered, static_cast<Picoseconds>(1 + ((i + 1) * 20 + 8) / 9)) << i;
    }
}

TEST(ScaleUpPorts, AsAMachineThatMovesThemTickByTick)
{
    const struct
    {
        uint64_t rate;
        int64_t numerator; // picoseconds a byte, as a reduced fraction
        int64_t denominator;
    } rates[] = {{8'000'000'000'000, 1, 1},
                 {3'000'000'000'000, 8, 3},
                 {3'600'000'000'000, 20, 9},
                 {16'000'000'000'000, 1, 2},
                 {2'000'000'000'000, 4, 1}};

    std::mt19937_64 random(1);
    for (int i = 0; i < 500; ++i)
    {
        const auto& rate = rates[random() % std::size(rates)];
        const uint32_t members = 2 + random() % 4;
        const Picoseconds latency = 1 + random() % 8;
        std::vector<Posting> postings(1 + random() % 25);
        for (Posting& one : postings)
        {
            one.at = random() % 30;
            one.from = random() % members;
            one.to = (one.from + 1 + random() % (members - 1)) % members;
            one.bytes = random() % 6;
        }
        std::stable_sort(postings.begin(), postings.end(), [](const Posting& a, const Posting& b) {
            return a.at < b.at;
        });
        const Outcome expected =
            RunTicks(rate.numerator, rate.denominator, latency, members, postings);
        for (int order = 0; order < 3; ++order)
        {
            ASSERT_EQ(RunPorts(rate.rate, latency, members, postings, random), expected) << i;
        }
    }
}

TEST(TimedInbox, ByInstantThenOriginThenOrder)
{
    TimedInbox<char> inbox;
    inbox.Put(20, {0}, 'e');
    inbox.Put(10, {2}, 'c');
    inbox.Put(10, {1}, 'a');
    inbox.Put(10, {2}, 'd');
    inbox.Put(10, {1}, 'b');
    EXPECT_FALSE(inbox.Take(9));
    for (const char expected : {'a', 'b', 'c', 'd'})
    {
        EXPECT_EQ(inbox.Take(10), expected);
    }
    EXPECT_FALSE(inbox.Take(19));
    inbox.Clear();
    EXPECT_FALSE(inbox.Take(20));
}
