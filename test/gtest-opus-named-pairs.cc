/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Each rank names its own pairs, and the controller puts the list together: what a request takes
// does not grow with its group, and lists that differ are told apart.

#include "opus-controller-bench.h"

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

constexpr auto GRANT = OpusMessage::Type::GRANT;
constexpr auto REFUSE = OpusMessage::Type::REFUSE;

bool
Contains(const std::string& words, const std::string& part)
{
    return words.find(part) != std::string::npos;
}

JoinedRanks
Pair(uint32_t one, uint32_t other)
{
    return {RankId(one), RankId(other)};
}

std::vector<RankId>
UpTo(uint32_t end)
{
    std::vector<RankId> ranks;
    for (uint32_t rank = 0; rank < end; ++rank)
    {
        ranks.emplace_back(rank);
    }
    return ranks;
}

/** @return what a rank says of pairs */
OpusMessage
Named(uint32_t rank, const std::vector<JoinedRanks>& pairs)
{
    OpusMessage request;
    request.type = OpusMessage::Type::REQUEST;
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
            Register(server, 1, UpTo(ranks), "dp 0");
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
    const std::vector<JoinedRanks> ring = MakeRingOf(UpTo(5));
    const OpusMessage first = Named(3, ring);
    EXPECT_EQ(first.pairs, std::vector<JoinedRanks>({Pair(2, 3), Pair(3, 4)}));
    EXPECT_EQ(first.whole, 5U);
    NamedPairs named(first.whole, first.digest);
    for (const uint32_t rank : {3, 0}) // between them they know all but the pair of 1 and 2
    {
        named.Add(Named(rank, ring));
        EXPECT_FALSE(named.IsWhole());
    }
    named.Add(Named(1, ring));
    EXPECT_TRUE(named.IsWhole());
    EXPECT_EQ(named.Get(), NormalizePairs(ring));
    named.Add(Named(1, ring));
    EXPECT_TRUE(named.IsWhole()) << "what is said twice counts once";
    EXPECT_FALSE(named.IsFor(Named(1, MakeRingOf(UpTo(4)))));
}

TEST(OpusNamedPairs, WhatIsNotTheListIsFoundWhenAllHaveNamedTheirs)
{
    NamedPairs named(2, GetDigest({Pair(0, 1)}) + 1);
    OpusMessage request = Named(0, {Pair(0, 1)});
    named.Add(request);
    EXPECT_FALSE(named.IsWrong()) << "others may name more";
    request.ranks = {RankId(1)};
    named.Add(request);
    EXPECT_TRUE(named.IsWrong());
}

TEST(OpusNamedPairs, ARequestTakesAsMuchInALargeGroupAsInASmallOne)
{
    // one rank of a ring: 4 bytes for it, 8 for each of two pairs
    for (const uint32_t ranks : {3, 16, 256, 2048})
    {
        for (const uint32_t rank : {0U, 1U, ranks - 1})
        {
            const OpusMessage request = Named(rank, MakeRingOf(UpTo(ranks)));
            EXPECT_EQ(OpusEncoding::Encode(request).size(), OpusEncoding::FIXED_BYTES + 4 + 2 * 8);
        }
    }
}

TEST(OpusNamedPairs, ARingIsGrantedWhenAllHaveAsked)
{
    constexpr uint32_t RANKS = 40;
    GroupBench bench(RANKS);
    const auto ring = MakeRingOf(UpTo(RANKS));
    Bench::Outbox outbox;
    for (uint32_t server = 0; server < RANKS; ++server)
    {
        EXPECT_TRUE(outbox.empty());
        outbox = bench.Ask(server, Bench::Operation(1, 0), ring);
    }
    outbox = bench.AnswerAll(outbox);
    ASSERT_EQ(Bench::Count(outbox, GRANT), RANKS);
    for (const OpusMessage& grant : Bench::Select(outbox, GRANT))
    {
        EXPECT_EQ(grant.circuits.size(), 2U) << "its own, and no others";
    }
}

TEST(OpusNamedPairs, RanksThatNoOtherNamesAreCounted)
{
    // two of the pairs of six ranks: who the others are shows when they ask
    GroupBench bench(6);
    const std::vector<JoinedRanks> two{Pair(0, 1), Pair(2, 3)};
    bench.Ask(0, Bench::Operation(1, 0), two);
    EXPECT_TRUE(bench.Ask(1, Bench::Operation(1, 0), two).empty()) << "two are missing";
    const auto outbox = bench.Core().TimePassed(ControllerLimits().votes);
    EXPECT_EQ(Bench::Count(outbox, REFUSE), 2);
    EXPECT_TRUE(Contains(outbox.at(0).message.reason,
                         "2 ranks that no other has named did not request within 30000 ms"))
        << outbox[0].message.reason;
    EXPECT_EQ(Bench::Count(bench.Ask(2, Bench::Operation(1, 0), two), REFUSE), 1);
    bench.Ask(0, Bench::Operation(1, 1), two);
    bench.Ask(2, Bench::Operation(1, 1), two);
    bench.Ask(3, Bench::Operation(1, 1), two);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Ask(1, Bench::Operation(1, 1), two)), GRANT), 4);
}

TEST(OpusNamedPairs, TwoListsAreRefusedWithBothNamed)
{
    GroupBench bench(4);
    const auto ring = MakeRingOf(UpTo(4));
    const std::vector<JoinedRanks> line{Pair(0, 1), Pair(1, 2), Pair(2, 3)};
    bench.Ask(1, Bench::Operation(1, 0), ring);
    const auto outbox = bench.Ask(2, Bench::Operation(1, 0), line);
    ASSERT_EQ(Bench::Select(outbox, REFUSE).size(), 5U) << "the one that disagrees, and all";
    const std::string reason = outbox[0].message.reason;
    EXPECT_EQ(outbox[0].message.server, ServerId(2));
    EXPECT_TRUE(Contains(reason,
                         "server 2 (rank 2) wants other pairs joined than those who asked before: "
                         "those of 4 ranks with " +
                             DigestToWords(GetDigest(line)) +
                             ", and server 1 (rank 1) those of 4 ranks with " +
                             DigestToWords(GetDigest(ring))))
        << reason;
}

TEST(OpusNamedPairs, PairsThatAreNotWhatTheirRanksSayAreRefused)
{
    GroupBench bench(3);
    const auto ring = MakeRingOf(UpTo(3));
    // all say the same of the list, and name another
    for (const uint32_t server : {0, 1, 2})
    {
        OpusMessage request =
            bench.Of(OpusMessage::Type::REQUEST, server, Bench::Operation(1, 2), ring);
        request.digest += 1;
        const auto outbox = bench.Core().Take(request, bench.now);
        EXPECT_EQ(Bench::Count(outbox, REFUSE), server == 2 ? 3 : 0);
        if (server == 2)
        {
            EXPECT_TRUE(Contains(outbox.at(0).message.reason,
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
    OpusMessage request =
        bench.Of(OpusMessage::Type::REQUEST, 0, Bench::Operation(1, 0), MakeRingOf(UpTo(3)));
    request.whole = 2;
    const auto outbox = bench.Core().Take(request, bench.now);
    ASSERT_FALSE(outbox.empty());
    EXPECT_TRUE(
        Contains(outbox[0].message.reason, "its pairs name 3 ranks, and 2 are to take part"));
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
            for (const OpusMessage& refusal :
                 Bench::Select(bench.Ask(server, Bench::Operation(1, 0), star), REFUSE))
            {
                EXPECT_TRUE(Contains(refusal.reason, "3 > 2")) << refusal.reason;
                EXPECT_FALSE(refusal.speculative);
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
    EXPECT_EQ(Bench::Count(bench.Ask(0, Bench::Operation(1, 0), itself, true), REFUSE), 1);
    const auto ring = MakeRingOf(UpTo(3));
    bench.Ask(0, Bench::Operation(1, 0), ring, false, 1);
    bench.Ask(1, Bench::Operation(1, 0), ring);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Ask(2, Bench::Operation(1, 0), ring)), GRANT), 3);
}

TEST(OpusNamedPairs, AGroupIsKnownWhenAllServersHaveRegisteredTheirs)
{
    Bench bench(4, 1, 2);
    bench.Register(0, 1, UpTo(3), "dp 0");
    const auto ring = MakeRingOf(UpTo(3));
    const auto before = bench.Ask(0, Bench::Operation(1, 0), ring);
    EXPECT_TRUE(before.empty()) << "others may register theirs later";
    bench.Register(1, 1, UpTo(3), "dp 0");
    bench.Register(2, 1, UpTo(3), "dp 0");
    bench.Ask(1, Bench::Operation(1, 0), ring);
    EXPECT_EQ(Bench::Count(bench.AnswerAll(bench.Ask(2, Bench::Operation(1, 0), ring)), GRANT), 3);
    // one that is not in it
    Bench five(5, 1, 2);
    for (const uint32_t server : {0, 1, 2})
    {
        five.Register(server, 1, UpTo(3), "dp 0");
    }
    const auto outbox = five.Ask(0, Bench::Operation(1, 0), {Pair(0, 3)});
    ASSERT_EQ(Bench::Count(outbox, REFUSE), 1);
    EXPECT_TRUE(Contains(outbox[0].message.reason, "group 1 of job 0 (dp 0) has no rank 3"));
}
