/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How an algorithm is chosen, the least time of a schedule, and sizes as text.

#include "algorithm-questions.h"

#include "ns3/algorithm-choice.h"
#include "ns3/algorithm-samples.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/time-estimate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace ns3;

namespace
{

using Kind = CollectiveKind;

/** A broker that can join a rank to a limited number of others at once. */
class NarrowBroker : public CircuitBroker
{
  public:
    /** @param degree most that a rank is joined to */
    explicit NarrowBroker(uint32_t degree)
        : m_degree(degree)
    {
    }

    std::string GetWhyNot(const std::vector<RankId>&,
                          const std::vector<std::pair<RankId, RankId>>& pairs) const override
    {
        std::map<uint32_t, uint32_t> degrees;
        for (const auto& [one, other] : pairs)
        {
            for (const RankId rank : {one, other})
            {
                if (++degrees[rank.Get()] > m_degree)
                {
                    return "rank " + std::to_string(rank.Get()) + " has " +
                           std::to_string(m_degree) + " ports";
                }
            }
        }
        return "";
    }

    void Request(const CircuitRequest&, AnswerCallback) override
    {
    }

    void Finished(const CircuitRequest&) override
    {
    }

  private:
    uint32_t m_degree;
};

AlgorithmChoice
Choose(const CollectiveParameters& parameters,
       uint64_t bytes,
       uint32_t degree,
       const AlgorithmPreference& preference)
{
    const Ptr<NarrowBroker> broker = CreateObject<NarrowBroker>(degree);
    return ChooseAlgorithm(parameters, bytes, RanksOf(parameters.ranks), *broker, preference);
}

/** @return the time of a schedule, in picoseconds */
Picoseconds
Estimate(const CollectiveSchedule& schedule, uint64_t bytes, const AlgorithmPreference& preference)
{
    return EstimateTime(schedule, bytes, preference).GetTimeStep();
}

} // namespace

TEST(EstimateTime, ARingTakesItsBytesAndAHopAndAMessageARound)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    preference.bytesPerSecond = 1'000'000'000; // a byte takes 1000 ps
    preference.messageSize = 1000;
    const Picoseconds hopLatency = 7'000;
    preference.hopLatency = ToTime(hopLatency);
    for (const uint32_t n : {2, 3, 4, 8, 16})
    {
        for (const uint32_t channels : {1, 2, 4})
        {
            for (const bool bidirectional : {false, true})
            {
                if (bidirectional && channels == 1)
                {
                    continue;
                }
                const uint64_t share = 10'000;
                const uint64_t buffer = share * n * channels;
                // a channel has a share of its own and 1 / channels of the rate. Shares are longer
                // than a message and its hop, so the wire is never idle after it began: each round
                // takes the time of a share, and only the last hop shows
                const Picoseconds chunk = 1000 * channels * share;
                for (const auto& [kind, rounds] : {std::make_pair(Kind::ALL_GATHER, n - 1),
                                                   std::make_pair(Kind::REDUCE_SCATTER, n - 1),
                                                   std::make_pair(Kind::ALL_REDUCE, 2 * (n - 1))})
                {
                    const auto schedule = CollectiveAlgorithm::GetSchedule(
                        "ring",
                        Parameters(kind, n, channels, bidirectional));
                    const Picoseconds time = Estimate(*schedule, buffer, preference);
                    // the last message of a share goes on after it has come: a hop and a message
                    const Picoseconds message = 1000 * channels * 1000;
                    EXPECT_GE(time, rounds * chunk + hopLatency);
                    EXPECT_LE(time, rounds * (chunk + hopLatency + message));
                }
            }
        }
    }
}

TEST(EstimateTime, OneMessageAChunkIsStoreAndForward)
{
    UsePicoseconds();
    // with a message a share, each round waits for the whole of it: (n - 1) (share / rate + hop)
    AlgorithmPreference preference;
    preference.bytesPerSecond = 1'000'000'000;
    preference.messageSize = 1 << 20;
    const Picoseconds hopLatency = 5'000'000;
    preference.hopLatency = ToTime(hopLatency);
    for (const uint32_t n : {2, 3, 4, 8})
    {
        const uint64_t share = 1000;
        const Picoseconds round = 1000 * share + hopLatency;
        const auto gather =
            CollectiveAlgorithm::GetSchedule("ring", Parameters(Kind::ALL_GATHER, n));
        EXPECT_EQ(Estimate(*gather, share * n, preference), (n - 1) * round);
        const auto reduce =
            CollectiveAlgorithm::GetSchedule("ring", Parameters(Kind::ALL_REDUCE, n));
        EXPECT_EQ(Estimate(*reduce, share * n, preference), 2 * (n - 1) * round);
        // a broadcast in many messages is a pipeline: the buffer once, and a message and a hop for
        // each rank that passes it on
        const auto broadcast =
            CollectiveAlgorithm::GetSchedule("ring", Parameters(Kind::BROADCAST, n));
        preference.messageSize = 100;
        EXPECT_EQ(Estimate(*broadcast, 100'000, preference),
                  100'000'000 + (n - 2) * (100'000 + hopLatency) + hopLatency);
        preference.messageSize = 1 << 20;
        EXPECT_EQ(Estimate(*broadcast, 100'000, preference), (n - 1) * (100'000'000 + hopLatency));
    }
}

TEST(EstimateTime, IsNeverLessThanTheBytesOfARankAtItsRate)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    preference.bytesPerSecond = 50'000'000'000;
    preference.messageSize = 1 << 16;
    preference.hopLatency = NanoSeconds(1);
    for (const Kind kind : GetCollectiveKinds())
    {
        for (const CollectiveAlgorithm* algorithm : CollectiveAlgorithm::GetAll(kind))
        {
            for (const uint32_t n : {2, 4, 5, 8})
            {
                for (const CollectiveParameters& parameters : MakeSamples(kind, n))
                {
                    if (!algorithm->GetWhyNot(parameters).empty())
                    {
                        continue;
                    }
                    const auto schedule =
                        CollectiveAlgorithm::GetSchedule(algorithm->name, parameters);
                    for (const uint64_t buffer : {0, 1, 1'000'003})
                    {
                        std::vector<double> bytes(2 * n); // out and in, on the rail
                        for (const CollectiveTransfer& it : schedule->GetTransfers())
                        {
                            const bool rail = it.wires == CollectiveTransfer::Wires::RAIL;
                            const uint64_t all = rail ? schedule->GetBytes(it.chunk, buffer) : 0;
                            bytes[it.from] += all;
                            bytes[n + it.to] += all;
                        }
                        const double most = *std::max_element(bytes.begin(), bytes.end());
                        // each span is cut off to a picosecond
                        EXPECT_GE(Estimate(*schedule, buffer, preference) +
                                      static_cast<double>(schedule->GetTransfers().size()),
                                  most * 1e12 / preference.bytesPerSecond)
                            << algorithm->name << " " << parameters.GetKey();
                    }
                }
            }
        }
    }
}

TEST(EstimateTime, WiresInsideAServerHaveTheirOwnRate)
{
    UsePicoseconds();
    CollectiveParameters parameters = Parameters(Kind::ALL_GATHER, 8);
    parameters.perServer = 4;
    const auto schedule = CollectiveAlgorithm::GetSchedule("hierarchical", parameters);
    AlgorithmPreference preference;
    preference.bytesPerSecond = 1'000'000'000;
    const Picoseconds fast = Estimate(*schedule, 8'000'000, preference);
    preference.intraNodeBytesPerSecond = 1'000'000'000;
    EXPECT_GT(Estimate(*schedule, 8'000'000, preference), fast);
}

TEST(EstimateTime, ARateBelowAByteASecondOnAChannelIsATimeToo)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    preference.bytesPerSecond = 2;
    preference.hopLatency = Time(0);
    const auto schedule =
        CollectiveAlgorithm::GetSchedule("ring", Parameters(Kind::ALL_GATHER, 2, 4));
    // 8 bytes a rank, in 4 channels of half a byte a second: 2 bytes take 4 s
    EXPECT_EQ(Estimate(*schedule, 16, preference), 4'000'000'000'000);
}

TEST(EstimateTime, WhatIsRecalledIsWhatWouldBeEstimated)
{
    UsePicoseconds();
    std::mt19937 random(1);
    const auto draw = [&random](uint64_t one, uint64_t other) {
        return random() % 2 ? one : other;
    };
    std::set<Picoseconds> times;
    for (uint32_t round = 0; round < 2'000; ++round)
    {
        CollectiveParameters parameters = Parameters(Kind::ALL_GATHER, draw(8, 12));
        parameters.perServer = draw(2, 4);
        const auto schedule = CollectiveAlgorithm::GetSchedule("hierarchical", parameters);
        AlgorithmPreference preference;
        preference.bytesPerSecond = draw(50'000'000'000, 25'000'000'000);
        preference.intraNodeBytesPerSecond = draw(450'000'000'000, 900'000'000'000);
        preference.messageSize = draw(1 << 20, 1 << 18);
        preference.hopLatency = NanoSeconds(draw(1'000, 700));
        preference.step = NanoSeconds(draw(0, 300));
        preference.intraNodeStep = NanoSeconds(draw(0, 40));
        preference.protocol = random() % 2 ? CollectiveProtocol::SIMPLE : CollectiveProtocol::LL128;
        const uint64_t bytes = draw(96'000'000, 48'000'000);
        const Time recalled = RecallTimeEstimate(schedule, bytes, preference);
        ASSERT_EQ(recalled, EstimateTime(*schedule, bytes, preference)) << "round " << round;
        times.insert(recalled.GetTimeStep());
    }
    EXPECT_GT(times.size(), 100U) << "inputs matter";
}

TEST(EstimateTime, IsRecalledOfTheScheduleAlone)
{
    UsePicoseconds();
    const AlgorithmPreference preference;
    for (uint32_t ranks = 2; ranks < 200; ++ranks) // some at the address of one that is gone
    {
        const CollectiveParameters parameters = Parameters(Kind::ALL_GATHER, ranks);
        const auto schedule = std::make_shared<const CollectiveSchedule>(
            CollectiveAlgorithm::Get(Kind::ALL_GATHER, "ring").Make(parameters));
        ASSERT_EQ(RecallTimeEstimate(schedule, 1 << 20, preference),
                  EstimateTime(*schedule, 1 << 20, preference));
    }
}

TEST(CollectiveAlgorithm, SchedulesAreKeptForAWhile)
{
    const auto get = [](uint32_t ranks) {
        return CollectiveAlgorithm::GetSchedule("ring", Parameters(Kind::ALL_REDUCE, ranks));
    };
    const std::weak_ptr<const CollectiveSchedule> first = get(50);
    EXPECT_FALSE(first.expired()) << "the next choice makes it again";
    for (uint32_t ranks = 51; ranks < 151; ++ranks)
    {
        get(ranks);
    }
    EXPECT_TRUE(first.expired()) << "and not for ever";
}

TEST(AlgorithmChoice, WhatIsRequestedByNameIsDone)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    preference.algorithm = "halving-doubling";
    const AlgorithmChoice choice = Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 8, preference);
    EXPECT_EQ(choice.algorithm, "halving-doubling");
    EXPECT_FALSE(choice.fellBack);
    EXPECT_EQ(choice.why, "");
    ASSERT_EQ(choice.pairs.size(), choice.schedule->GetStages().size());
    for (std::size_t s = 0; s < choice.pairs.size(); ++s)
    {
        const auto& places = choice.schedule->GetStages()[s].pairs;
        ASSERT_EQ(choice.pairs[s]->size(), places.size());
        for (std::size_t p = 0; p < places.size(); ++p)
        {
            EXPECT_EQ((*choice.pairs[s])[p].first.Get(), 10 + places[p].first);
            EXPECT_EQ((*choice.pairs[s])[p].second.Get(), 10 + places[p].second);
        }
    }
}

TEST(AlgorithmChoice, WhatCantBeJoinedGivesWayToItsFallback)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    preference.algorithm = "tree"; // the middle of a tree meets three others
    const AlgorithmChoice choice = Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 2, preference);
    EXPECT_EQ(choice.algorithm, "ring");
    EXPECT_TRUE(choice.fellBack);
    for (const std::string word : {"\"tree\" for all-reduce: rank 1", "has 2 ports"})
    {
        EXPECT_NE(choice.why.find(word), std::string::npos) << choice.why;
    }
    EXPECT_EQ(choice.pairs.size(), choice.schedule->GetStages().size());
}

TEST(AlgorithmChoice, WithoutAFallbackItGivesTheReason)
{
    UsePicoseconds();
    const auto has = [](const AlgorithmChoice& choice, const std::vector<std::string>& words) {
        EXPECT_EQ(choice.algorithm, "");
        for (const std::string& word : words)
        {
            EXPECT_NE(choice.why.find(word), std::string::npos) << choice.why;
        }
    };
    AlgorithmPreference preference;
    preference.algorithm = "tree";
    preference.fallback = false;
    has(Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 2, preference),
        {"\"tree\" for all-reduce", "has 2 ports", "\"ring\", which is not allowed"});
    preference.fallback = true;
    has(Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 0, preference),
        {"\"tree\" for all-reduce",
         "has 0 ports",
         "nor its fallback \"ring\"",
         "nor its fallback \"halving-doubling\""});
    preference.algorithm = "ring";
    has(Choose(Parameters(Kind::BROADCAST, 8), 1000, 0, preference),
        {"\"ring\" for broadcast", "has 0 ports", "no fallback: choose another algorithm"});
    preference.algorithm = "";
    has(Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 0, preference),
        {"no algorithm for all-reduce can run here", "ring: rank 1", "tree: rank 1"});
}

TEST(AlgorithmChoice, ARankWithOnePortIsOnNoRingAndItsFallbackIsOfMatchings)
{
    UsePicoseconds();
    const std::vector<std::pair<Kind, std::string>> instead{
        {Kind::ALL_GATHER, "recursive-doubling"},
        {Kind::REDUCE_SCATTER, "recursive-halving"},
        {Kind::ALL_REDUCE, "halving-doubling"},
        {Kind::ALL_TO_ALL, "matchings"}};
    for (const auto& [kind, name] : instead)
    {
        for (uint32_t n = 3; n <= 17; ++n)
        {
            AlgorithmPreference preference;
            preference.algorithm = "ring";
            const AlgorithmChoice named = Choose(Parameters(kind, n), 1000, 1, preference);
            EXPECT_EQ(named.algorithm, name) << named.why;
            EXPECT_TRUE(named.fellBack);
            EXPECT_NE(named.why.find("has 1 ports"), std::string::npos) << named.why;
            preference.algorithm = "";
            EXPECT_NE(Choose(Parameters(kind, n), 1000, 1, preference).algorithm, "");
        }
    }
    // word goes round a ring over one circuit after another, which takes 2 (n - 1) hops
    AlgorithmPreference preference;
    EXPECT_EQ(Choose(Parameters(Kind::BARRIER, 8), 0, 1, preference).algorithm,
              "recursive-doubling");
    // straggl-ar begins with a ring, its fallback with halving
    preference.algorithm = "straggl-ar";
    EXPECT_EQ(Choose(Parameters(Kind::ALL_REDUCE, 8), 1000, 1, preference).algorithm,
              "straggl-ar-halving");
    EXPECT_EQ(Choose(Parameters(Kind::ALL_REDUCE, 7), 1000, 2, preference).algorithm, "straggl-ar");
    EXPECT_EQ(Choose(Parameters(Kind::ALL_REDUCE, 2), 1000, 2, preference).algorithm, "ring");
    // without a name it takes no plan that pays only behind a late rank
    preference.algorithm = "";
    EXPECT_EQ(Choose(Parameters(Kind::ALL_REDUCE, 8), 1 << 30, 2, preference).algorithm, "ring");
}

TEST(AlgorithmChoice, LeftAloneItTakesLeastTimeOfWhatCanBeJoined)
{
    UsePicoseconds();
    AlgorithmPreference preference;
    for (const Kind kind : {Kind::ALL_REDUCE, Kind::ALL_GATHER, Kind::BROADCAST, Kind::ALL_TO_ALL})
    {
        for (const uint32_t n : {2, 5, 8, 16})
        {
            for (const uint32_t degree : {2, 3, 64})
            {
                for (const uint64_t bytes : {64, 1 << 16, 1 << 26})
                {
                    preference.algorithm = "";
                    const CollectiveParameters parameters = Parameters(kind, n);
                    const AlgorithmChoice best = Choose(parameters, bytes, degree, preference);
                    Picoseconds least = -1;
                    for (const CollectiveAlgorithm* one : CollectiveAlgorithm::GetAll(kind))
                    {
                        if (one->isReserve) // with 2 ports or more others can run
                        {
                            continue;
                        }
                        preference.algorithm = one->name;
                        preference.fallback = false;
                        const AlgorithmChoice its = Choose(parameters, bytes, degree, preference);
                        if (!its.algorithm.empty())
                        {
                            const Picoseconds time = Estimate(*its.schedule, bytes, preference);
                            least = least < 0 ? time : std::min(least, time);
                        }
                    }
                    if (least < 0)
                    {
                        EXPECT_EQ(best.algorithm, "")
                            << ToString(kind) << " " << n << " " << degree;
                        continue;
                    }
                    ASSERT_NE(best.algorithm, "") << best.why;
                    EXPECT_FALSE(best.fellBack);
                    EXPECT_EQ(Estimate(*best.schedule, bytes, preference), least);
                }
            }
        }
    }
    // few bytes: few hops
    preference.algorithm = "";
    EXPECT_NE(Choose(Parameters(Kind::ALL_REDUCE, 16), 64, 64, preference).algorithm, "ring");
}
