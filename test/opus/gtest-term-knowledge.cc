/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Unknown circuits and grants at the beginning of a term, until agents and shims have reported
// them.

#include "opus-policy-bench.h"

#include "ns3/term-knowledge.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

/** Two servers on one rail with one port each; job 0 owns the ports of both. */
std::shared_ptr<const Cabling>
MakeTwoServers()
{
    return OpusPolicyBench::MakeCabling(2, 1, 1);
}

} // namespace

TEST(TermKnowledge, AllIsKnownWhenAllAgentsAndShimsHaveReported)
{
    TermKnowledge knowledge(MakeTwoServers());
    EXPECT_TRUE(knowledge.IsAllKnown()) << "no term was taken over";
    knowledge.BeginTerm();
    EXPECT_FALSE(knowledge.IsKnown(RailId(0)));
    EXPECT_FALSE(knowledge.IsKnown(JobId(0), ServerId(1)));
    EXPECT_TRUE(knowledge.IsKnown(JobId(1), ServerId(1))) << "it owns nothing there";
    knowledge.Learn(RailId(0));
    knowledge.Learn(JobId(0), ServerId(0));
    EXPECT_FALSE(knowledge.AreShimsKnown());
    EXPECT_FALSE(knowledge.IsAllKnown());
    knowledge.Learn(JobId(0), ServerId(1));
    EXPECT_TRUE(knowledge.IsAllKnown());
}

TEST(TermKnowledge, ACircuitMayBeUsedUntilTheShimsOfBothEndsHaveReported)
{
    const auto cabling = MakeTwoServers();
    TermKnowledge knowledge(cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    const PortId one = cabling->GetPorts(RankId(0)).front();
    const PortId other = cabling->GetPorts(RankId(1)).front();
    knowledge.BeginTerm();
    EXPECT_FALSE(knowledge.MayBeUsed(RailId(0), circuits)) << "there is no circuit";
    circuits[0].Apply(CircuitPlan().Connect(one, other));
    EXPECT_TRUE(knowledge.MayBeUsed(RailId(0), circuits));
    knowledge.Learn(JobId(0), ServerId(0));
    EXPECT_TRUE(knowledge.MayBeUsed(RailPort{RailId(0), one}, circuits));
    knowledge.Learn(JobId(0), ServerId(1));
    EXPECT_FALSE(knowledge.MayBeUsed(RailPort{RailId(0), one}, circuits));
    EXPECT_FALSE(knowledge.MayBeUsed(RailId(0), circuits));
}
