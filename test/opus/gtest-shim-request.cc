/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One request of a rank, from its first call to its release, and the times that are known of it
// afterwards.

#include "ns3/shim-history.h"
#include "ns3/shim-request.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using Pairs = std::vector<std::pair<RankId, RankId>>;

/** A request of rank 0 for operations of group 1, from operation 3 on. */
class RequestBench
{
  public:
    ShimCall MakeCall(uint64_t operation, uint64_t until = 0, Picoseconds requested = 0) const
    {
        ShimCall call;
        call.request.group = GroupId(1);
        call.request.operation = operation;
        call.request.pairs = m_pairs;
        call.requested = requested;
        call.until = std::max(operation, until);
        return call;
    }

    static OpusPhase PhaseOf(const ShimCall& call)
    {
        return GetPhase(JobId(0), call.request);
    }

    ShimRequest Open(uint64_t until) const
    {
        const ShimCall call = MakeCall(3, until);
        ShimRequest request(PhaseOf(call));
        request.Open(call, 0, 0);
        return request;
    }

    static void Grant(ShimRequest& request, uint64_t until, Picoseconds now = 0)
    {
        OpusGrant grant;
        grant.until = until;
        request.Grant(grant, ShimSettings(), now);
    }

    static void Answer(ShimCall& call)
    {
        call.state = ShimCall::State::ANSWERED;
        call.isOnRail = true;
    }

  private:
    CallPairs m_pairs = std::make_shared<const Pairs>(Pairs{{RankId(0), RankId(1)}});
};

} // namespace

TEST(ShimRequest, ItCoversOperationsUpToTheLastThatWasGranted)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(6);
    const auto covers = [&](uint64_t operation) {
        const ShimCall call = bench.MakeCall(operation);
        return request.Covers(call, RequestBench::PhaseOf(call));
    };
    EXPECT_TRUE(covers(3) && covers(6));
    EXPECT_FALSE(covers(2) || covers(7));
    RequestBench::Grant(request, 5);
    EXPECT_TRUE(covers(5));
    EXPECT_FALSE(covers(6));
    ShimCall other = bench.MakeCall(4);
    other.request.pairs = std::make_shared<const Pairs>(Pairs{{RankId(0), RankId(2)}});
    EXPECT_FALSE(request.Covers(other, RequestBench::PhaseOf(other))) << "other pairs";
    ShimCall staged = bench.MakeCall(4);
    staged.request.stages = 2;
    EXPECT_FALSE(request.Covers(staged, RequestBench::PhaseOf(staged))) << "of several stages";
    request.EndWhenIdle();
    EXPECT_FALSE(covers(3)) << "it is to be released";
}

TEST(ShimRequest, AheadOfItsCallItCoversOnlyItsFirstOperationUntilItIsGranted)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(6);
    request.SetAhead(true);
    const ShimCall first = bench.MakeCall(3);
    const ShimCall later = bench.MakeCall(4);
    EXPECT_TRUE(request.Covers(first, RequestBench::PhaseOf(first)));
    EXPECT_FALSE(request.Covers(later, RequestBench::PhaseOf(later)));
    RequestBench::Grant(request, 6);
    EXPECT_TRUE(request.Covers(later, RequestBench::PhaseOf(later)));
}

TEST(ShimRequest, ItIsOverWithTheLastOperationThatItServes)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(4);
    RequestBench::Answer(request.Add(bench.MakeCall(3)));
    RequestBench::Grant(request, 4);
    EXPECT_FALSE(request.IsOver() || request.IsSpare());
    request.Finish({3, 0}, 10);
    EXPECT_TRUE(request.IsSpare()) << "between its operations";
    EXPECT_EQ(request.GetIdleSince(), 10);
    EXPECT_FALSE(request.IsOver());
    RequestBench::Answer(request.Add(bench.MakeCall(4)));
    request.Finish({4, 0}, 20);
    EXPECT_TRUE(request.IsOver());
}

TEST(ShimRequest, WhatIsUnderWayKeepsItUntilItIsGivenBack)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(9);
    ShimCall& call = request.Add(bench.MakeCall(3));
    RequestBench::Answer(call);
    RequestBench::Grant(request, 9);
    EXPECT_TRUE(request.Shorten(2));
    EXPECT_FALSE(request.Shorten(5)) << "only to an earlier operation";
    EXPECT_FALSE(request.IsOver());
    EXPECT_FALSE(request.GiveBack({3, 0})) << "it was not withdrawn";
    call.state = ShimCall::State::WITHDRAWN;
    EXPECT_TRUE(request.GiveBack({3, 0}));
    EXPECT_FALSE(request.IsOver());
    ASSERT_TRUE(request.TakeReturned({3, 0}, 30));
    EXPECT_TRUE(request.IsOver());
}

TEST(ShimRequest, CallsBeyondTheGrantAreTakenOut)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(9);
    for (const uint64_t operation : {3, 4, 5})
    {
        request.Add(bench.MakeCall(operation, 9, 100 + operation));
    }
    EXPECT_EQ(request.GetWaitingSince(), 103);
    RequestBench::Grant(request, 4);
    const std::vector<ShimCall> beyond = request.TakeBeyond();
    ASSERT_EQ(beyond.size(), 1U);
    EXPECT_EQ(beyond[0].request.operation, 5U);
    EXPECT_EQ(request.GetUnanswered().size(), 2U);
}

TEST(ShimRequest, OtherRanksAreWaitedForFromTheRequestOn)
{
    const RequestBench bench;
    ShimRequest request = bench.Open(3);
    OpusRequest message;
    request.Send(message, 0, 100);
    OpusGrant grant;
    grant.until = 3;
    grant.others = 50; // from 100 to 150
    grant.reconfiguration = 7;
    request.Grant(grant, ShimSettings(), 200);
    EXPECT_EQ(request.GetOthers(100, 200), 50);
    EXPECT_EQ(request.GetOthers(120, 200), 30);
    EXPECT_EQ(request.GetOthers(100, 130), 30);
    EXPECT_EQ(request.GetOthers(160, 200), 0);
    EXPECT_EQ(request.TakeReconfiguration(), 7);
    EXPECT_EQ(request.TakeReconfiguration(), 0) << "told once";
}

TEST(ShimHistory, NumbersAreForgottenWhenTheirOperationIsOver)
{
    const RequestBench bench;
    ShimHistory history;
    const OpusPhase first = RequestBench::PhaseOf(bench.MakeCall(3));
    const OpusPhase second = RequestBench::PhaseOf(bench.MakeCall(4));
    EXPECT_EQ(history.GetNumber(first), 0U);
    history.SetNumber(first, 2);
    history.SetNumber(second, 1);
    history.Finish(first);
    EXPECT_EQ(history.GetNumber(first), 0U);
    EXPECT_EQ(history.GetNumber(second), 1U);
    EXPECT_TRUE(history.IsThrough(first));
    EXPECT_FALSE(history.IsThrough(second));
}

TEST(ShimHistory, CircuitsOfAFlowAreThoseOfItsLastGrant)
{
    const RequestBench bench;
    ShimHistory history;
    ShimRequest request = bench.Open(6);
    EXPECT_EQ(history.GetLast(request.GetPhase()), nullptr);
    RequestBench::Grant(request, 6);
    history.Grant(request);
    const OpusPhase later = RequestBench::PhaseOf(bench.MakeCall(8));
    ASSERT_NE(history.GetLast(later), nullptr);
    EXPECT_EQ(history.GetLast(later)->circuits, request.GetCircuits());
    EXPECT_EQ(history.GetLast(later)->until, 6U);
}

TEST(ShimRequest, AHintReachesAsFarAsItNamed)
{
    const RequestBench bench;
    for (const bool isHinted : {false, true})
    {
        ShimRequest request = bench.Open(5);
        request.SetAhead(true);
        if (isHinted)
        {
            request.SetHinted();
        }
        request.Reach(bench.MakeCall(3)); // the call alone reaches no further than itself
        EXPECT_EQ(request.GetUntil(), isHinted ? 5 : 3);
    }
}

TEST(ShimRequest, AHintHasTheTimeToItsCallUntilThen)
{
    const RequestBench bench;
    ShimCall call = bench.MakeCall(3, 5);
    call.due = 500;
    ShimRequest request(RequestBench::PhaseOf(call));
    request.Open(call, 0, 0);
    request.SetAhead(true);
    OpusRequest message;
    request.Send(message, 1, 200);
    EXPECT_EQ(message.due, 300);
    request.Send(message, 2, 600); // again, in a new term
    EXPECT_EQ(message.due, 0) << "it is overdue";
    request.SetAhead(false);
    request.Send(message, 3, 400);
    EXPECT_EQ(message.due, 0) << "it is called";
}
