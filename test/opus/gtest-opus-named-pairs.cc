/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Each rank names its own pairs, and the controller puts the list together: the size of a request
// does not grow with its group, and lists that differ are distinguished.

#include "../support/contains.h"
#include "opus-controller-bench.h"
#include "opus-test-phases.h"

#include "ns3/opus-encoding.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

std::vector<RankId>
RanksUpTo(uint32_t end)
{
    std::vector<RankId> ranks;
    for (uint32_t rank = 0; rank < end; ++rank)
    {
        ranks.emplace_back(rank);
    }
    return ranks;
}

/** @return the pairs of a message of a rank */
OpusRequest
Named(uint32_t rank, const std::vector<JoinedRanks>& pairs)
{
    OpusRequest request;
    request.ranks = {RankId(rank)};
    WholePairs(pairs).Name(request);
    return request;
}

/** Servers with a rank each, which all are in group 1. */
class GroupBench : public Bench
{
  public:
    explicit GroupBench(uint32_t ranks, uint32_t ports = 2)
        : Bench(ranks + 1, 1, ports) // the last server is another job's
    {
        for (uint32_t server = 0; server < ranks; ++server)
        {
            Register(server, 1, RanksUpTo(ranks), "dp 0");
        }
    }
};

} // namespace

TEST(OpusNamedPairs, ADigestIsOfTheSetOfPairs)
{
    const uint64_t digest = GetDigest({Pair(0, 1), Pair(1, 2)});
    EXPECT_EQ(GetDigest({Pair(2, 1), Pair(0, 1), Pair(1, 0)}), digest);
    std::set<uint64_t> different{digest, GetDigest(std::vector<JoinedRanks>())};
    for (const auto& pairs : std::vector<std::vector<JoinedRanks>>{{Pair(0, 1)},
                                                                   {Pair(1, 2)},
                                                                   {Pair(0, 2), Pair(1, 1)},
                                                                   {Pair(0, 1), Pair(0, 2)},
                                                                   {Pair(0, 1), Pair(1, 3)}})
    {
        EXPECT_TRUE(different.insert(GetDigest(pairs)).second);
    }
    EXPECT_NE(GetDigest({RankId(0), RankId(1)}), GetDigest({RankId(1), RankId(0)})) << "of ranks";
}

TEST(OpusNamedPairs, EachRankNamesItsOwnAndTogetherTheyAreAll)
{
    const std::vector<JoinedRanks> ring = MakeRingOf(RanksUpTo(5));
    const OpusRequest first = Named(3, ring);
    EXPECT_EQ(first.pairs, std::vector<JoinedRanks>({Pair(2, 3), Pair(3, 4)}));
    EXPECT_EQ(first.whole, 5U);
    NamedPairs named(first.whole, first.digest);
    for (const uint32_t rank : {3, 0}) // between them they know all but the pair of 1 and 2
    {
        const OpusRequest request = Named(rank, ring);
        named.Add(request.ranks, request.pairs);
        EXPECT_FALSE(named.IsWhole());
    }
    const OpusRequest last = Named(1, ring);
    named.Add(last.ranks, last.pairs);
    EXPECT_TRUE(named.IsWhole());
    EXPECT_EQ(named.Get(), NormalizePairs(ring));
    named.Add(last.ranks, last.pairs);
    EXPECT_TRUE(named.IsWhole()) << "what is said twice counts once";
    const OpusRequest other = Named(1, MakeRingOf(RanksUpTo(4)));
    EXPECT_FALSE(named.IsFor(other.whole, other.digest));
}

TEST(OpusNamedPairs, WhatIsNotTheListIsFoundWhenAllHaveNamedTheirs)
{
    NamedPairs named(2, GetDigest({Pair(0, 1)}) + 1);
    OpusRequest request = Named(0, {Pair(0, 1)});
    named.Add(request.ranks, request.pairs);
    EXPECT_FALSE(named.IsWrong()) << "others may name more";
    request.ranks = {RankId(1)};
    named.Add(request.ranks, request.pairs);
    EXPECT_TRUE(named.IsWrong());
}

TEST(OpusNamedPairs, ARequestTakesAsMuchInALargeGroupAsInASmallOne)
{
    // one rank of a ring: 4 bytes for it, 8 for each of two pairs
    for (const uint32_t ranks : {3, 16, 256, 2048})
    {
        for (const uint32_t rank : {0U, 1U, ranks - 1})
        {
            OpusMessage message;
            message.content = Named(rank, MakeRingOf(RanksUpTo(ranks)));
            EXPECT_EQ(OpusEncoding::Encode(message).size(), OpusEncoding::FIXED_BYTES + 4 + 2 * 8);
        }
    }
}

TEST(OpusNamedPairs, ARingIsGrantedWhenAllHaveRequestedIt)
{
    constexpr uint32_t RANKS = 40;
    GroupBench bench(RANKS);
    const auto ring = MakeRingOf(RanksUpTo(RANKS));
    Bench::Outbox outbox;
    for (uint32_t server = 0; server < RANKS; ++server)
    {
        EXPECT_TRUE(outbox.empty());
        outbox = bench.Request(server, Bench::Operation(1, 0), ring);
    }
    outbox = bench.AnswerAll(outbox);
    ASSERT_EQ(Bench::Count(outbox, GRANT), RANKS);
    for (const auto& grant : Bench::Select<OpusGrant>(outbox))
    {
        EXPECT_EQ(grant.circuits.size(), 2U) << "its own, and no others";
    }
}

TEST(OpusNamedPairs, RanksThatNoOtherNamesAreCounted)
{
    // two of the pairs of six ranks: their requests show which the other ranks are
    GroupBench bench(6);
    const std::vector<JoinedRanks> two{Pair(0, 1), Pair(2, 3)};
    bench.Request(0, Bench::Operation(1, 0), two);
    EXPECT_TRUE(bench.Request(1, Bench::Operation(1, 0), two).empty()) << "two are missing";
    const auto outbox = bench.Core().TimePassed(ControllerLimits().votes);
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 2);
    EXPECT_TRUE(Contains(outbox.at(0).message.Get<OpusRefuse>().reason,
                         "2 ranks that no other has named did not request within 30000 ms"))
        << outbox[0].message.Get<OpusRefuse>().reason;
    EXPECT_EQ(Bench::Count(bench.Request(2, Bench::Operation(1, 0), two), REFUSE), 1);
    bench.Request(0, Bench::Operation(1, 1), two);
    bench.Request(2, Bench::Operation(1, 1), two);
    bench.Request(3, Bench::Operation(1, 1), two);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Request(1, Bench::Operation(1, 1), two)), GRANT),
              4);
}

TEST(OpusNamedPairs, TwoListsAreRefusedWithBothNamed)
{
    GroupBench bench(4);
    const auto ring = MakeRingOf(RanksUpTo(4));
    const std::vector<JoinedRanks> line{Pair(0, 1), Pair(1, 2), Pair(2, 3)};
    bench.Request(1, Bench::Operation(1, 0), ring);
    const auto outbox = bench.Request(2, Bench::Operation(1, 0), line);
    ASSERT_EQ(Bench::Select<OpusRefuse>(outbox).size(), 5U) << "the one that disagrees, and all";
    const std::string reason = outbox[0].message.Get<OpusRefuse>().reason;
    EXPECT_EQ(outbox[0].message.server, ServerId(2));
    EXPECT_TRUE(Contains(reason,
                         "server 2 (rank 2) wants other pairs joined than those who asked before: "
                         "those of 4 ranks with " +
                             DigestToWords(GetDigest(line)) +
                             ", and server 1 (rank 1) those of 4 ranks with " +
                             DigestToWords(GetDigest(ring))))
        << reason;
}

TEST(OpusNamedPairs, PairsThatTheirRanksDoNotConfirmAreRefused)
{
    GroupBench bench(3);
    const auto ring = MakeRingOf(RanksUpTo(3));
    // all name the same list, and add another pair
    for (const uint32_t server : {0, 1, 2})
    {
        auto request = bench.Of<OpusRequest>(server, Bench::Operation(1, 2), ring);
        request.digest += 1;
        const auto outbox = bench.Core().Take(request, bench.now);
        EXPECT_EQ(Bench::Count(outbox, REFUSE), server == 2 ? 3 : 0);
        if (server == 2)
        {
            EXPECT_TRUE(Contains(outbox.at(0).message.Get<OpusRefuse>().reason,
                                 "all pairs that its ranks name have " +
                                     DigestToWords(GetDigest(ring)) + ", and they say " +
                                     DigestToWords(GetDigest(ring) + 1)));
        }
    }
    EXPECT_EQ(bench.Core().GetPhases().count(Bench::Operation(1, 2)), 0U);
}

TEST(OpusNamedPairs, MoreRanksThanAreToTakePartAreRefused)
{
    GroupBench bench(3);
    auto request = bench.Of<OpusRequest>(0, Bench::Operation(1, 0), MakeRingOf(RanksUpTo(3)));
    request.whole = 2;
    const auto outbox = bench.Core().Take(request, bench.now);
    ASSERT_FALSE(outbox.empty());
    EXPECT_TRUE(Contains(outbox[0].message.Get<OpusRefuse>().reason,
                         "its pairs name 3 ranks, and 2 are to take part"));
    EXPECT_TRUE(bench.Core().GetPhases().empty());
}

TEST(OpusNamedPairs, WhatOneCannotHaveIsRefusedToAll)
{
    // rank 0 is to have three partners, and has two ports; the others need not know that
    const std::vector<JoinedRanks> star{Pair(0, 1), Pair(0, 2), Pair(0, 3)};
    for (const uint32_t first : {0, 1})
    {
        GroupBench bench(4);
        uint32_t refused = 0;
        for (const uint32_t server : {first, 1 - first, 2U, 3U})
        {
            for (const auto& refusal :
                 Bench::Select<OpusRefuse>(bench.Request(server, Bench::Operation(1, 0), star)))
            {
                EXPECT_TRUE(Contains(refusal.reason, "3 > 2")) << refusal.reason;
                EXPECT_FALSE(!refusal.isFinal);
                refused |= 1U << refusal.server.Get();
            }
        }
        EXPECT_EQ(refused, 0xfU);
        EXPECT_TRUE(bench.Core().GetPhases().empty());
    }
}

TEST(OpusNamedPairs, AGuessThatCannotBeSpoilsNothing)
{
    GroupBench bench(3);
    const std::vector<JoinedRanks> itself{Pair(0, 0), Pair(0, 1), Pair(1, 2)};
    EXPECT_EQ(Bench::Count(bench.Request(0, Bench::Operation(1, 0), itself, true), REFUSE), 1);
    const auto ring = MakeRingOf(RanksUpTo(3));
    bench.Request(0, Bench::Operation(1, 0), ring, false, 1);
    bench.Request(1, Bench::Operation(1, 0), ring);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Request(2, Bench::Operation(1, 0), ring)), GRANT),
              3);
}

TEST(OpusNamedPairs, AGroupIsKnownWhenAllServersHaveRegisteredTheirs)
{
    Bench bench(4, 1, 2);
    bench.Register(0, 1, RanksUpTo(3), "dp 0");
    const auto ring = MakeRingOf(RanksUpTo(3));
    const auto before = bench.Request(0, Bench::Operation(1, 0), ring);
    EXPECT_TRUE(before.empty()) << "others may register theirs later";
    bench.Register(1, 1, RanksUpTo(3), "dp 0");
    bench.Register(2, 1, RanksUpTo(3), "dp 0");
    bench.Request(1, Bench::Operation(1, 0), ring);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Request(2, Bench::Operation(1, 0), ring)), GRANT),
              3);
    // one that is not in it
    Bench five(5, 1, 2);
    for (const uint32_t server : {0, 1, 2})
    {
        five.Register(server, 1, RanksUpTo(3), "dp 0");
    }
    const auto outbox = five.Request(0, Bench::Operation(1, 0), {Pair(0, 3)});
    ASSERT_EQ(Bench::Count(outbox, REFUSE), 1);
    EXPECT_TRUE(Contains(outbox[0].message.Get<OpusRefuse>().reason,
                         "group 1 of job 0 (dp 0) has no rank 3"));
}
