/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// For which phases the network drains.

#include "opus-controller-parts.h"

#include "ns3/whole-network.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Parts = OpusControllerParts;

/** @return a phase of a group of its own, which two ranks have called and which has its turn */
ControllerPhase&
CallByBoth(Parts& parts, uint32_t group, uint32_t one, uint32_t other)
{
    OpusPhase key;
    key.group = GroupId(group);
    const auto pairs = Parts::Chain({one, other});
    ControllerPhase& phase = parts.ranks.Open(key, 2, GetDigest(pairs)).first;
    for (const uint32_t rank : {one, other})
    {
        parts.ranks.Name(phase, {RankId(rank)}, pairs);
        phase.votes.Request(RankId(rank), PhaseRequest());
    }
    phase.pairs = pairs;
    parts.voting.Update(phase);
    parts.turns.Assign();
    return phase;
}

} // namespace

TEST(WholeNetwork, ItDoesNotDrainForAPhaseWhoseTurnComesLater)
{
    Parts parts;
    WholeNetwork network(true, 0, parts.phases, parts.turns, parts.ledger, parts.record);
    const ControllerPhase& first = CallByBoth(parts, 1, 0, 1);
    const ControllerPhase& later = CallByBoth(parts, 2, 1, 2);
    ASSERT_TRUE(parts.turns.MayGo(later)) << "the first does not keep its ports from others yet";
    network.Wait(later);
    EXPECT_NE(network.FindObstacle(false), "") << "it drains";

    // a phase at rank 0 ends, and so the first is not passed any more; its circuits stand
    parts.turns.Reserve(CallByBoth(parts, 3, 0, 3));
    ASSERT_FALSE(parts.turns.MayGo(later));
    network.BeginInstant();
    EXPECT_EQ(network.FindObstacle(false), "") << "the first goes, and the later one after it";
    ASSERT_TRUE(parts.turns.MayGo(first));
    EXPECT_EQ(parts.turns.TakeCandidate(), &first) << "it is tried again";
}

TEST(WholeNetwork, ItDrainsForAPhaseWhoseTurnItIs)
{
    Parts parts;
    WholeNetwork network(true, 0, parts.phases, parts.turns, parts.ledger, parts.record);
    network.Wait(CallByBoth(parts, 1, 0, 1));
    network.BeginInstant();
    EXPECT_NE(network.FindObstacle(false), "");
}
