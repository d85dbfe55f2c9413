/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include "ns3/rotor-policy.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace ns3;

namespace
{

/** @return neighbours on a ring of all ranks of a rail that are a stride apart, from rank 0 */
std::vector<JoinedRanks>
MakeStride(uint32_t ranks, uint32_t stride)
{
    std::vector<RankId> ring{RankId(0)};
    for (uint32_t rank = stride % ranks; rank != 0; rank = (rank + stride) % ranks)
    {
        ring.emplace_back(rank);
    }
    return MakeRingOf(ring);
}

} // namespace

TEST(OpusRotor, EachTwoMeetInOneSlotOfACycleAndNoPortHasTwoCircuits)
{
    for (uint32_t places = 2; places <= 33; ++places)
    {
        for (uint32_t ports = 1; ports <= 5; ++ports)
        {
            const RotorSchedule schedule(places, ports);
            std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> meetings;
            for (uint32_t slot = 0; slot < schedule.GetSlots(); ++slot)
            {
                std::set<std::pair<uint32_t, uint32_t>> taken;
                for (const RotorCircuit& circuit : schedule.GetCircuits(slot))
                {
                    ASSERT_NE(circuit.one, circuit.other);
                    ASSERT_LT(std::max(circuit.one, circuit.other), places);
                    ASSERT_LT(std::max(circuit.onePort, circuit.otherPort), ports);
                    ASSERT_TRUE(taken.emplace(circuit.one, circuit.onePort).second);
                    ASSERT_TRUE(taken.emplace(circuit.other, circuit.otherPort).second);
                    meetings[std::minmax({circuit.one, circuit.other})].insert(slot);
                }
                // a slot without circuits would be time lost
                ASSERT_FALSE(taken.empty());
            }
            ASSERT_EQ(meetings.size(), places * (places - 1) / 2) << places << " of " << ports;
            for (const auto& [pair, slots] : meetings)
            {
                ASSERT_EQ(slots.size(), 1)
                    << pair.first << " and " << pair.second << ", " << places << " of " << ports;
                ASSERT_EQ(*slots.begin(), schedule.GetSlot(pair.first, pair.second));
                ASSERT_EQ(*slots.begin(), schedule.GetSlot(pair.second, pair.first));
            }
        }
    }
}

TEST(OpusRotor, ACycleTakesNoMoreSlotsThanItMust)
{
    for (uint32_t places = 3; places <= 33; ++places)
    {
        for (uint32_t ports = 1; ports <= 6; ports = ports == 1 ? 2 : ports + 2)
        {
            // each rank has so many partners, and meets so many a slot: one a port; with an odd
            // number of places and one port a rank is idle in each slot
            const uint32_t partners = places - 1 + (ports == 1 ? places % 2 : 0);
            EXPECT_EQ(RotorSchedule(places, ports).GetSlots(), (partners + ports - 1) / ports)
                << places << " of " << ports;
        }
        // an odd port joins opposite places beside the others' first offset; else it is dark
        EXPECT_EQ(RotorSchedule(places, 3).GetSlots(), (places - 1) / 2);
    }
}

TEST(OpusRotor, ARingOfAnyStrideIsWholeInOneSlot)
{
    for (uint32_t servers = 2; servers <= 17; ++servers)
    {
        for (const uint32_t ports : {2, 3, 4})
        {
            OpusPolicyBench bench("rotor:1us", servers, 1, ports);
            const uint32_t cycle = static_cast<RotorPolicy&>(*bench.policy).GetCycle();
            for (uint32_t stride = 1; stride < servers; ++stride)
            {
                const std::vector<JoinedRanks> ring = MakeStride(servers, stride);
                uint32_t slots = 0;
                for (uint32_t slot = 0; slot < cycle; ++slot)
                {
                    bench.Carry(bench.policy->GetRotation(slot, bench.circuits));
                    const CircuitTarget target = bench.Request(ring);
                    slots += target.IsPossible() ? 1 : 0;
                    EXPECT_TRUE(target.changes.empty());
                    EXPECT_EQ(target.refusal, "");
                }
                EXPECT_EQ(slots, 1) << "stride " << stride << " of " << servers;
            }
        }
    }
}

TEST(OpusRotor, APhaseWaitsForItsSlotByNumber)
{
    OpusPolicyBench bench("rotor", 8, 1, 2);
    EXPECT_EQ(bench.policy->GetSlot(), MilliSeconds(1)) << "1 ms unless it is said otherwise";
    EXPECT_FALSE(bench.policy->IsForGood());
    // offsets 1 to 4 of 8 places, one a slot: 2 is in slot 2, counted from 1
    EXPECT_EQ(bench.Request({{RankId(3), RankId(5)}}).waitsFor, "slot 1 of the rotation");
    bench.Carry(bench.policy->GetRotation(1 + 4 * 1'000'000'000'000, bench.circuits));
    const CircuitTarget target = bench.Request({{RankId(5), RankId(3)}, {RankId(7), RankId(1)}});
    EXPECT_TRUE(target.IsPossible());
    EXPECT_EQ(target.circuits.size(), 2);
    bench.use.reconfiguration.insert({RailId(0), bench.cabling->GetPorts(RankId(3))[0]});
    bench.use.reconfiguration.insert({RailId(0), bench.cabling->GetPorts(RankId(3))[1]});
    EXPECT_EQ(bench.Request({{RankId(3), RankId(5)}}).waitsFor, "slot 1 of the rotation");
}

TEST(OpusRotor, PairsThatNeverMeetAtOnceAreRefused)
{
    OpusPolicyBench one("rotor", 4, 1, 1);
    const std::string why =
        one.Request(MakeRingOf({RankId(0), RankId(1), RankId(2), RankId(3)})).refusal;
    EXPECT_NE(why.find("no slot of the rotation joins all pairs"), std::string::npos) << why;
    OpusPolicyBench two("rotor", 8, 1, 2);
    // 0 and 1 are one apart, 0 and 3 three
    EXPECT_FALSE(two.Request({{RankId(0), RankId(1)}, {RankId(0), RankId(3)}}).refusal.empty());
    EXPECT_FALSE(two.policy->GetWhyNever({{RankId(0), RankId(1)}, {RankId(0), RankId(3)}}).empty())
        << "ranks can choose another algorithm before";
    EXPECT_EQ(two.policy->GetWhyNever({{RankId(0), RankId(3)}, {RankId(7), RankId(2)}}), "");
    // the same distance, though not next to each other
    EXPECT_TRUE(two.Request({{RankId(0), RankId(3)}, {RankId(7), RankId(2)}}).refusal.empty());
}

TEST(OpusRotor, ASlotTakesDownAllThatIsNotItsOwn)
{
    // with three GPUs of one port, one is dark in each slot; its former circuit must not stay
    OpusPolicyBench bench("rotor", 3, 2, 1);
    bench.circuits[0].Apply(CircuitPlan().Connect(PortId(0), PortId(1)));
    for (uint64_t slot = 0; slot < 7; ++slot)
    {
        bench.Carry(bench.policy->GetRotation(slot, bench.circuits));
        for (const uint32_t rail : {0, 1})
        {
            ASSERT_EQ(bench.circuits[rail].GetCircuits().size(), 1);
            EXPECT_EQ(bench.circuits[rail].GetCircuits(), bench.circuits[0].GetCircuits())
                << "rails are in step";
        }
        EXPECT_TRUE(bench.policy->GetRotation(slot, bench.circuits).changes.empty())
            << "what stands already does not turn";
        EXPECT_TRUE(bench.policy->GetRotation(slot + 3, bench.circuits).changes.empty());
        EXPECT_FALSE(bench.policy->GetRotation(slot + 1, bench.circuits).changes.empty());
    }
}

TEST(OpusRotor, PlacesAreInTheOrderOfServersWhateverTheRanks)
{
    auto cabling = std::make_shared<Cabling>();
    const std::vector<uint32_t> serverOf{2, 0, 3, 1}; // by rank
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        for (uint32_t port = 0; port < 2; ++port)
        {
            cabling->Join(RankId(rank),
                          ServerId(serverOf[rank]),
                          {RailId(0), PortId(2 * rank + port)});
        }
        cabling->Own(JobId(0), RankId(rank));
    }
    const Ptr<CircuitPolicy> policy = MakeCircuitPolicy("rotor", cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    for (const auto& [rail, plan] : policy->GetRotation(0, circuits).changes)
    {
        circuits[rail.Get()].Apply(plan);
    }
    // slot 0 is offset 1: servers 0, 1, 2, 3 and back to 0 are ranks 1, 3, 0, 2
    const std::vector<JoinedRanks> ring = MakeRingOf({RankId(1), RankId(3), RankId(0), RankId(2)});
    for (const JoinedRanks& pair : ring)
    {
        EXPECT_EQ(FindCircuits(pair, circuits, *cabling).size(), 1);
    }
}

TEST(OpusRotor, PortsOfAnotherJobAreNoWay)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(2, 1, 1));
    cabling->Own(JobId(0), RankId(0));
    cabling->Own(JobId(1), RankId(1));
    const Ptr<CircuitPolicy> policy = MakeCircuitPolicy("rotor", cabling);
    RailCircuits circuits = MakeDarkRails(*cabling);
    circuits[0].Apply(policy->GetRotation(0, circuits).changes.at(RailId(0)));
    const std::vector<JoinedRanks> pairs{{RankId(0), RankId(1)}};
    EXPECT_EQ(FindCircuits(pairs[0], circuits, *cabling).size(), 1) << "it goes round all the same";
    EXPECT_FALSE(policy->GetTarget({{}, pairs, 0, circuits, IdlePorts()}).IsPossible());
}

TEST(OpusRotor, ASlotTakesTime)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_EQ(MakeCircuitPolicy("rotor:100us", cabling)->GetSlot(), MicroSeconds(100));
    for (const char* wrong : {"rotor:0us", "rotor:5", "rotor:-1ms", "rotor:fast"})
    {
        EXPECT_DEATH(MakeCircuitPolicy(wrong, cabling), "a slot can't take .*rotor:100us");
    }
}
