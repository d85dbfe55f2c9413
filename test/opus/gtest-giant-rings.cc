/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Giant rings: their circuits, and the ways of messages around them, against a search of all ways.

#include "ns3/circuit-planner.h"
#include "ns3/giant-ring-policy.h"
#include "ns3/giant-rings.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** @return a cabling whose ranks job 0 owns */
std::shared_ptr<const Cabling>
MakeCabling(uint32_t servers, uint32_t rails, uint32_t ports, bool forwarding = false)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(servers, rails, ports));
    for (uint32_t rank = 0; rank < servers * rails; ++rank)
    {
        cabling->Own(JobId(0), RankId(rank));
    }
    if (forwarding)
    {
        cabling->SetForwarding();
    }
    return cabling;
}

using End = std::pair<RankId, uint32_t>;

/** @return the far end of each end of some circuits */
std::map<End, End>
MapEnds(const std::vector<RankCircuit>& circuits)
{
    std::map<End, End> ends;
    for (const RankCircuit& one : circuits)
    {
        const End here{one.one, one.onePort};
        const End there{one.other, one.otherPort};
        EXPECT_TRUE(ends.emplace(here, there).second) << "a port has one circuit";
        EXPECT_TRUE(ends.emplace(there, here).second) << "a port has one circuit";
    }
    return ends;
}

/** @return the least number of links from a rank to another, by a search; 0: none leads there */
std::size_t
Search(RankId from, RankId to, const std::map<End, End>& ends, const RingGaps& gaps)
{
    std::set<RankId> seen{from};
    std::set<RankId> front{from};
    for (std::size_t links = 1; !front.empty(); ++links)
    {
        std::set<RankId> next;
        for (const auto& [here, there] : ends)
        {
            if (front.count(here.first) != 0 && seen.count(there.first) == 0 &&
                gaps.count(std::minmax(here.first, there.first)) == 0)
            {
                next.insert(there.first);
            }
        }
        if (next.count(to) != 0)
        {
            return links;
        }
        seen.insert(next.begin(), next.end());
        front = next;
    }
    return 0;
}

} // namespace

TEST(GiantRings, EachPortOfAPairIsOnTheSameRingAndAllGpusAreOnEach)
{
    for (const uint32_t ports : {2U, 3U, 4U, 8U})
    {
        for (const uint32_t servers : {2U, 3U, 8U})
        {
            const GiantRings rings(JobId(0), MakeCabling(servers, 2, ports));
            EXPECT_EQ(rings.GetWhyNot(), "");
            EXPECT_EQ(rings.CountRings(), ports / 2);
            for (const uint32_t rail : {0U, 1U})
            {
                const std::map<End, End> ends = MapEnds(rings.GetCircuits(RailId(rail)));
                EXPECT_EQ(ends.size(), servers * (ports / 2) * 2);
                for (uint32_t ring = 0; ring < ports / 2; ++ring)
                {
                    End at{RankId(rail), 2 * ring};
                    std::set<RankId> passed;
                    for (uint32_t i = 0; i < servers; ++i)
                    {
                        EXPECT_TRUE(passed.insert(at.first).second) << "once round";
                        at = ends.at(at);
                        EXPECT_EQ(at.second, 2 * ring + 1);
                        --at.second;
                    }
                    EXPECT_EQ(at.first, RankId(rail)) << "back at the start";
                }
            }
        }
    }
}

TEST(GiantRings, OnePortJoinsTwoGpusAndNotThree)
{
    const GiantRings two(JobId(0), MakeCabling(2, 1, 1));
    EXPECT_EQ(two.GetWhyNot(), "");
    EXPECT_EQ(two.GetCircuits(RailId(0)).size(), 1U);
    ASSERT_EQ(two.FindPaths(RankId(1), RankId(0), {}).size(), 1U);
    EXPECT_EQ(two.FindPaths(RankId(1), RankId(0), {}).front().links.size(), 1U);
    const GiantRings three(JobId(0), MakeCabling(3, 1, 1));
    EXPECT_EQ(three.GetWhyNot(),
              "a giant ring over 3 GPUs of rail 0 takes 2 ports of each, and the job has 1 of one; "
              "give each NIC 2 ports or more");
    EXPECT_TRUE(three.FindPaths(RankId(0), RankId(1), {}).empty());
    EXPECT_TRUE(GiantRings(JobId(0), MakeCabling(1, 1, 2)).GetCircuits(RailId(0)).empty());
}

TEST(GiantRings, PathsAreTheShortestAndFollowCircuits)
{
    std::mt19937 draw(7);
    for (int round = 0; round < 300; ++round)
    {
        const uint32_t servers = 2 + draw() % 12;
        const uint32_t rails = 1 + draw() % 3;
        const GiantRings rings(JobId(0), MakeCabling(servers, rails, 2 + draw() % 4));
        const RailId rail(draw() % rails);
        const std::map<End, End> ends = MapEnds(rings.GetCircuits(rail));
        RingGaps gaps;
        for (const auto& neighbours : rings.GetNeighbours(rail))
        {
            if (draw() % 6 == 0)
            {
                gaps.insert(neighbours);
            }
        }
        for (uint32_t i = 0; i < servers * servers; ++i)
        {
            const RankId from(rail.Get() + i / servers * rails);
            const RankId to(rail.Get() + i % servers * rails);
            const std::vector<RailPath> paths = rings.FindPaths(from, to, gaps);
            const std::size_t least = from == to ? 0 : Search(from, to, ends, gaps);
            ASSERT_EQ(paths.empty(), least == 0);
            for (const RailPath& path : paths)
            {
                ASSERT_EQ(path.links.size(), least);
                ASSERT_EQ(path.ranks.size(), least + 1);
                EXPECT_EQ(path.ranks.front(), from);
                EXPECT_EQ(path.ranks.back(), to);
                for (std::size_t link = 0; link < least; ++link)
                {
                    const End here{path.ranks[link], path.links[link].here};
                    EXPECT_EQ(ends.at(here), End(path.ranks[link + 1], path.links[link].there));
                }
                EXPECT_TRUE(path.GetReverse().GetReverse() == path);
            }
        }
    }
}

TEST(GiantRings, BothWaysAreUsedWhereTheyAreEqual)
{
    const GiantRings rings(JobId(0), MakeCabling(6, 1, 4));
    const std::vector<RailPath> across = rings.FindPaths(RankId(1), RankId(4), {});
    ASSERT_EQ(across.size(), 4U) << "two rings, two ways";
    for (uint32_t port = 0; port < 4; ++port)
    {
        EXPECT_EQ(across[port].links.front().here, port) << "by port";
    }
    EXPECT_EQ(rings.FindPaths(RankId(1), RankId(3), {}).size(), 2U) << "two rings, one way";
}

TEST(GiantRings, RanksOfTwoRailsTakeTheRelayWithTheShorterWay)
{
    // servers of two: rank 2 s is on rail 0, rank 2 s + 1 on rail 1
    const GiantRings rings(JobId(0), MakeCabling(8, 2, 2, true));
    EXPECT_EQ(rings.FindEnds(RankId(0), RankId(5), {}), JoinedRanks(RankId(1), RankId(5)));
    const RingGaps gap{{RankId(1), RankId(3)}}; // rail 1 the other way is 6 links
    EXPECT_EQ(rings.FindEnds(RankId(0), RankId(5), gap), JoinedRanks(RankId(0), RankId(4)));
    EXPECT_FALSE(rings.FindEnds(RankId(0), RankId(1), {})) << "one server needs no rail";
}

TEST(GiantRings, ThePolicyKeepsARingThatAFailureCuts)
{
    const auto cabling = MakeCabling(5, 1, 2);
    const Ptr<CircuitPolicy> policy = CreateObject<GiantRingPolicy>();
    policy->SetCabling(cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    JobDemand demand;
    const CircuitTarget start = policy->GetInitial(demand, circuits);
    ASSERT_TRUE(start.IsPossible());
    circuits[0].Apply(start.changes.at(RailId(0)));
    const OpusPhase phase;
    const IdlePorts idle;
    const std::vector<JoinedRanks> pairs{{RankId(0), RankId(2)}, {RankId(1), RankId(4)}};
    const CircuitTarget whole = policy->GetTarget({phase, pairs, 0, circuits, idle});
    EXPECT_TRUE(whole.isOverRings);
    EXPECT_TRUE(whole.gaps.empty());
    EXPECT_TRUE(whole.changes.empty()) << "it changes nothing";
    EXPECT_EQ(whole.circuits.size(), 5U) << "the whole ring";

    CircuitPlan cut;
    cut.Disconnect(cabling->GetPorts(RankId(1))[0], cabling->GetPorts(RankId(2))[1]);
    circuits[0].Apply(cut);
    const CircuitTarget line = policy->GetTarget({phase, pairs, 0, circuits, idle});
    EXPECT_EQ(line.gaps, RingGaps({{RankId(1), RankId(2)}}));
    EXPECT_EQ(line.circuits.size(), 4U);
    CircuitPlan again;
    again.Disconnect(cabling->GetPorts(RankId(3))[0], cabling->GetPorts(RankId(4))[1]);
    circuits[0].Apply(again);
    const CircuitTarget none = policy->GetTarget({phase, pairs, 0, circuits, idle});
    EXPECT_EQ(none.refusal,
              "no way round a giant ring leads from rank 0 to rank 2: the ring has 2 gaps, the "
              "first between rank 1 and rank 2");
}
