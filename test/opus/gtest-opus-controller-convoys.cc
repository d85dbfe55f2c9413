/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Phases that want some of the same ports: which phases pass which, and for how long.

#include "opus-controller-bench.h"

#include "ns3/opus-words.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** Sends between servers, each of which takes one unit of time from its plan to its release. */
class Traffic
{
  public:
    explicit Traffic(Bench& bench)
        : m_bench(bench)
    {
    }

    /** Both ends request a send. @param length how long it takes */
    void Request(const OpusPhase& send, Picoseconds length = 1, uint32_t links = 0)
    {
        m_lengths[send] = length;
        Take(m_bench.RequestBoth(send.from.Get(), send.to.Get(), send, 0, links));
    }

    /** Time passes until some sends are over, all of one instant. */
    void Pass()
    {
        ASSERT_FALSE(m_ends.empty());
        m_bench.now = m_ends.begin()->first;
        const std::set<OpusPhase> over = m_ends.begin()->second;
        m_ends.erase(m_ends.begin());
        std::vector<OpusMessage> releases;
        for (const OpusPhase& send : over)
        {
            for (const RankId rank : {send.from, send.to})
            {
                releases.push_back(
                    m_bench.Of<OpusRelease>(rank.Get(),
                                            send,
                                            m_bench.Between(send.from.Get(), send.to.Get())));
            }
        }
        for (std::size_t i = 0; i + 1 < releases.size(); ++i)
        {
            m_bench.Core().Collect(releases[i]);
        }
        Take(m_bench.Core().Take(releases.back(), m_bench.now));
    }

    void PassAll()
    {
        while (!m_ends.empty() && !testing::Test::HasFatalFailure())
        {
            Pass();
        }
    }

    /** @return when a send began; -1 if it has not */
    Picoseconds GetBegin(const OpusPhase& send) const
    {
        const auto begun = m_begins.find(send);
        return begun == m_begins.end() ? -1 : begun->second;
    }

  private:
    void Take(const Bench::Outbox& outbox)
    {
        for (const OutgoingMessage& outgoing : m_bench.AnswerAll(outbox))
        {
            ASSERT_EQ(outgoing.message.GetType(), OpusMessage::Type::GRANT)
                << outgoing.message.Get<OpusRefuse>().reason;
            const OpusPhase& send = *outgoing.message.FindPhase();
            m_begins[send] = m_bench.now;
            m_ends[m_bench.now + m_lengths.at(send)].insert(send);
        }
    }

    Bench& m_bench;
    std::map<OpusPhase, Picoseconds> m_lengths;
    std::map<OpusPhase, Picoseconds> m_begins;
    std::map<Picoseconds, std::set<OpusPhase>> m_ends;
};

} // namespace

TEST(OpusControllerConvoys, APhaseThatCannotGoLetsLaterOnesHaveWhatItHasNoUseFor)
{
    Bench bench(5, 1, 1);
    Traffic traffic(bench);
    traffic.Request(Bench::Send(0, 1));
    traffic.Request(Bench::Send(1, 2)); // 1 is in use
    traffic.Request(Bench::Send(2, 3));
    EXPECT_EQ(traffic.GetBegin(Bench::Send(2, 3)), 0);
    EXPECT_EQ(traffic.GetBegin(Bench::Send(1, 2)), -1);
    traffic.PassAll();
    EXPECT_EQ(traffic.GetBegin(Bench::Send(1, 2)), 1) << "not later than in strict order";
}

TEST(OpusControllerConvoys, NothingPassesAPhaseOnceSomethingAtItsRanksHasEnded)
{
    Bench bench(6, 1, 1);
    Traffic traffic(bench);
    traffic.Request(Bench::Send(0, 1), 10);
    traffic.Request(Bench::Send(1, 2)); // 1 is in use until 10
    traffic.Request(Bench::Send(2, 3), 3);
    traffic.Pass(); // 2 is free at 3
    ASSERT_EQ(bench.now, 3);
    traffic.Request(Bench::Send(2, 4));
    EXPECT_EQ(traffic.GetBegin(Bench::Send(2, 4)), -1) << "one has passed at 2 already";
    traffic.Request(Bench::Send(3, 4));
    EXPECT_EQ(traffic.GetBegin(Bench::Send(3, 4)), 3) << "what has no rank in common is free";
    traffic.PassAll();
    EXPECT_EQ(traffic.GetBegin(Bench::Send(1, 2)), 10);
    EXPECT_EQ(traffic.GetBegin(Bench::Send(2, 4)), 11);
}

TEST(OpusControllerConvoys, AStreamOfLaterPhasesDoesNotStarveOne)
{
    // 1 to 2 waits for 0 to 1, which takes D; later ones want 2 and 3 all the time, each of D too,
    // and each is requested as soon as one has begun. Whenever they begin, it goes before 2 D
    constexpr Picoseconds D = 12;
    for (Picoseconds offset = 0; offset < D; ++offset)
    {
        Bench bench(5, 1, 1);
        Traffic traffic(bench);
        traffic.Request(Bench::Send(0, 1), D);
        traffic.Request(Bench::Send(1, 2), D);
        bench.now = offset;
        uint64_t requested = 0;
        traffic.Request(Bench::Send(2, 3, requested++), D);
        while (bench.now < 10 * D)
        {
            // two wait at any time, of different flows
            traffic.Request(Bench::Send(2, 3, requested), D);
            traffic.Request(Bench::Send(3, 2, requested++), D);
            traffic.Pass();
        }
        const Picoseconds begin = traffic.GetBegin(Bench::Send(1, 2));
        EXPECT_EQ(begin, D + offset) << "when the one that passed it has ended";
        EXPECT_LT(begin, 2 * D);
    }
}

TEST(OpusControllerConvoys, AWaitIsBoundedByWhatWasThereBefore)
{
    // random sends of at most D. The test computes the phases that were before a phase when it
    // came: the longest chain of phases that are not over, each sharing a rank with the next
    constexpr Picoseconds D = 20;
    for (uint32_t seed = 0; seed < 50 && !testing::Test::HasFailure(); ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const uint32_t servers = 6;
        Bench bench(servers + 1, 1, 1 + seed % 2);
        Traffic traffic(bench);

        struct RequestedIn
        {
            OpusPhase send;
            Picoseconds when;
            Picoseconds length;
            uint32_t chain; // 0: it went at once
        };

        std::vector<RequestedIn> all;
        std::map<std::pair<uint32_t, uint32_t>, uint64_t> operations;
        for (uint32_t number = 0; number < 80; ++number)
        {
            const uint32_t from = random() % servers;
            const uint32_t to = (from + 1 + random() % (servers - 1)) % servers;
            RequestedIn requested{Bench::Send(from, to, operations[{from, to}]++), bench.now, 0, 0};
            requested.length = 1 + random() % D;
            for (const RequestedIn& one : all)
            {
                const Picoseconds begin = traffic.GetBegin(one.send);
                const bool isOver = begin >= 0 && begin + one.length <= bench.now;
                const std::set<RankId> ranks{one.send.from, one.send.to};
                const bool shares =
                    ranks.count(requested.send.from) + ranks.count(requested.send.to) > 0;
                // one in flight is the first of its chain
                const uint32_t chain = begin >= 0 ? 0 : one.chain;
                requested.chain =
                    shares && !isOver ? std::max(requested.chain, chain + 1) : requested.chain;
            }
            all.push_back(requested);
            traffic.Request(requested.send, requested.length);
            if (random() % 3 == 0)
            {
                traffic.Pass();
            }
        }
        traffic.PassAll();
        for (const RequestedIn& requested : all)
        {
            const Picoseconds begin = traffic.GetBegin(requested.send);
            ASSERT_GE(begin, requested.when) << ToWords(requested.send);
            EXPECT_LE(begin - requested.when, 2 * D * requested.chain) << ToWords(requested.send);
        }
    }
}

TEST(OpusControllerConvoys, NeighboursOfAChainTakeTwoReconfigurations)
{
    // one port a rank: at any time a rank has one partner. Whatever the order of their requests,
    // phases that are in the way of none go at once; in the chain's order these are every second
    for (uint32_t pairs = 1; pairs < 12; ++pairs)
    {
        Bench bench(pairs + 2, 1, 1);
        Traffic traffic(bench);
        for (uint32_t i = 0; i < pairs; ++i)
        {
            traffic.Request(Bench::Send(i, i + 1));
        }
        traffic.PassAll();
        for (uint32_t i = 0; i < pairs; ++i)
        {
            EXPECT_EQ(traffic.GetBegin(Bench::Send(i, i + 1)), i % 2) << i << " of " << pairs;
        }
    }
}

TEST(OpusControllerConvoys, NeighboursOfAChainWithTwoPortsTakeOne)
{
    constexpr uint32_t PAIRS = 9;
    Bench bench(PAIRS + 2, 1, 2);
    Traffic traffic(bench);
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        traffic.Request(Bench::Send(i, i + 1), 1, 1);
    }
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        EXPECT_EQ(traffic.GetBegin(Bench::Send(i, i + 1)), 0) << i;
    }
}

TEST(OpusControllerConvoys, GroupsOfTwoParallelismsTakeTwoReconfigurations)
{
    // nine ranks in a square: each is in a group of its row and in one of its column, and wants all
    // of its ports for either. Every order in which the six groups become complete
    constexpr uint32_t SIDE = 3;
    std::vector<uint32_t> order{0, 1, 2, 3, 4, 5};
    do
    {
        Bench bench(SIDE * SIDE + 1, 1, 2);
        std::vector<RankId> all;
        for (uint32_t rank = 0; rank < SIDE * SIDE; ++rank)
        {
            all.emplace_back(rank);
        }
        Bench::Outbox outbox;
        std::vector<std::set<GroupId>> rounds(1);
        std::map<OpusPhase, std::vector<JoinedRanks>> rings;
        const auto grant = [&](const Bench::Outbox& more) {
            for (const OutgoingMessage& outgoing : bench.AnswerAll(more))
            {
                ASSERT_EQ(outgoing.message.GetType(), OpusMessage::Type::GRANT);
                rounds.back().insert(outgoing.message.FindPhase()->group);
            }
        };
        for (const uint32_t group : order)
        {
            const bool isRow = group < SIDE;
            std::vector<RankId> ranks;
            for (uint32_t i = 0; i < SIDE; ++i)
            {
                ranks.emplace_back(isRow ? group * SIDE + i : i * SIDE + group - SIDE);
            }
            const OpusPhase phase = Bench::Operation(group, 0);
            rings[phase] = MakeRingOf(ranks);
            for (const RankId rank : ranks)
            {
                bench.Register(rank.Get(),
                               group,
                               ranks,
                               (isRow ? "dp " : "pp ") + std::to_string(group));
            }
            for (const RankId rank : ranks)
            {
                grant(bench.Request(rank.Get(), phase, rings[phase]));
            }
        }
        for (uint32_t round = 0; round < 2; ++round)
        {
            EXPECT_EQ(rounds[round].size(), SIDE) << "all rows, or all columns";
            rounds.emplace_back();
            for (const GroupId group : std::set<GroupId>(rounds[round]))
            {
                const OpusPhase phase = Bench::Operation(group.Get(), 0);
                for (const RankId rank : PhaseVotes(rings[phase]).GetRanks())
                {
                    grant(bench.Release(rank.Get(), phase, rings[phase]));
                }
            }
        }
        EXPECT_TRUE(bench.Core().GetPhases().empty());
    } while (std::next_permutation(order.begin(), order.end()) && !testing::Test::HasFailure());
}

TEST(OpusControllerConvoys, TwoThatWantPartOfEachOthersPortsBothGo)
{
    // rings of three ranks with two of them in common, and two more sends across; any order
    const std::vector<std::vector<uint32_t>> members{{0, 1, 2}, {1, 2, 3}, {0, 3}, {2, 0}};
    std::vector<std::size_t> order{0, 1, 2, 3};
    do
    {
        Bench bench(5, 1, 2);
        std::map<OpusPhase, std::vector<JoinedRanks>> pairs;
        std::set<OpusPhase> granted;
        std::vector<OpusPhase> holding;
        const auto grant = [&](const Bench::Outbox& outbox) {
            for (const OutgoingMessage& outgoing : bench.AnswerAll(outbox))
            {
                ASSERT_EQ(outgoing.message.GetType(), OpusMessage::Type::GRANT);
                if (granted.insert(*outgoing.message.FindPhase()).second)
                {
                    holding.push_back(*outgoing.message.FindPhase());
                }
            }
        };
        for (const std::size_t which : order)
        {
            std::vector<RankId> ranks;
            for (const uint32_t rank : members[which])
            {
                ranks.emplace_back(rank);
            }
            for (const RankId rank : ranks)
            {
                bench.Register(rank.Get(), which, ranks);
            }
            const OpusPhase phase = Bench::Operation(which, 0);
            pairs[phase] = MakeRingOf(ranks);
            for (const RankId rank : ranks)
            {
                grant(bench.Request(rank.Get(), phase, pairs[phase]));
            }
        }
        while (!holding.empty())
        {
            const OpusPhase over = holding.back();
            holding.pop_back();
            for (const RankId rank : PhaseVotes(pairs[over]).GetRanks())
            {
                grant(bench.Release(rank.Get(), over, pairs[over]));
            }
        }
        EXPECT_EQ(granted.size(), members.size());
        EXPECT_TRUE(bench.Core().GetPhases().empty());
    } while (std::next_permutation(order.begin(), order.end()));
}
