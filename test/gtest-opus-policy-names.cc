/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include "ns3/span-words.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

/** A user's policy, whose slot is as many picoseconds as its argument has outgoing messages. */
class Lettered : public CircuitPolicy
{
  public:
    Lettered(std::shared_ptr<const Cabling> cabling, const std::string& argument)
        : CircuitPolicy(std::move(cabling)),
          m_outbox(argument.size())
    {
    }

    CircuitTarget GetTarget(const CircuitQuestion&) override
    {
        return {};
    }

    Picoseconds GetSlot() const override
    {
        return m_outbox;
    }

  private:
    Picoseconds m_outbox;
};

} // namespace

TEST(OpusPolicyNames, WhatFollowsTheFirstColonIsTheArgument)
{
    CircuitPolicy::Register("lettered", &CircuitPolicy::MakeWithArgument<Lettered>);
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_EQ(CircuitPolicy::Create("lettered", cabling)->GetSlot(), 0);
    EXPECT_EQ(CircuitPolicy::Create("lettered:abc", cabling)->GetSlot(), 3);
    EXPECT_EQ(CircuitPolicy::Create("lettered:C:\\a:b", cabling)->GetSlot(), 6);
    EXPECT_DEATH(CircuitPolicy::Create("lettered:", cabling), "nothing follows the colon");
    EXPECT_DEATH(CircuitPolicy::Register("a:b", &CircuitPolicy::MakeWithArgument<Lettered>),
                 "has a colon");
    EXPECT_DEATH(CircuitPolicy::Register("lettered", &CircuitPolicy::MakeWithArgument<Lettered>),
                 "already a");
}

TEST(OpusPolicyNames, APolicyThatTakesNoArgumentRefusesOne)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_DEATH(CircuitPolicy::Create("on-demand:5", cabling),
                 "\"on-demand\" takes no argument, and was given \"5\"");
    EXPECT_DEATH(CircuitPolicy::Create("static-split:", cabling), "takes no argument");
}

TEST(OpusPolicyNames, AnUnknownNameListsThoseThereAre)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    const std::vector<std::string> names = CircuitPolicy::GetNames();
    for (const char* name : {"co-scheduled",
                             "demand",
                             "electrical",
                             "on-demand",
                             "one-shot",
                             "provisioned",
                             "recorded",
                             "rotor",
                             "static-split",
                             "static-split-by-traffic"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
        EXPECT_DEATH(CircuitPolicy::Create("on-demnad:5", cabling),
                     std::string("on-demnad: no such policy; known:.* ") + name);
    }
}

TEST(OpusPolicyNames, PoliciesThatDifferInWhenShimsAskGiveTheSameCircuits)
{
    const std::vector<JoinedRanks> ring = MakeRingOf({RankId(0), RankId(1), RankId(2), RankId(3)});
    const std::map<std::string, ShimMode> modes{{"on-demand", ShimMode::ON_DEMAND},
                                                {"provisioned", ShimMode::PROVISIONED},
                                                {"co-scheduled", ShimMode::CO_SCHEDULED}};
    for (const auto& [name, mode] : modes)
    {
        OpusPolicyBench bench(name, 4, 1, 4);
        EXPECT_EQ(bench.policy->GetShimMode(), mode);
        EXPECT_TRUE(bench.policy->NeedsControlPlane());
        EXPECT_FALSE(bench.policy->IsForGood());
        bench.Carry(bench.Ask(ring));
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            EXPECT_EQ(bench.Links(rank, (rank + 1) % 4), 2); // 4 ports, 2 neighbours
        }
    }
}

TEST(OpusPolicyNames, ElectricalRailsHaveNobodyToAsk)
{
    OpusPolicyBench bench("electrical", 2, 1, 1);
    EXPECT_FALSE(bench.policy->NeedsControlPlane());
    EXPECT_NE(bench.Ask({{RankId(0), RankId(1)}}).refusal.find("no circuits"), std::string::npos);
}

TEST(SpanWords, AreReadExactlyOrNotAtAll)
{
    EXPECT_EQ(ParseSpan("1ns"), 1'000);
    EXPECT_EQ(ParseSpan("100us"), 100'000'000);
    EXPECT_EQ(ParseSpan("1.5ms"), 1'500'000'000);
    EXPECT_EQ(ParseSpan("2s"), 2'000'000'000'000);
    EXPECT_EQ(ParseSpan("0.001ns"), 1) << "a picosecond";
    EXPECT_EQ(ParseSpan("0us"), 0);
    EXPECT_EQ(ParseSpan("9223372.036854775807s"), NEVER) << "2^63 - 1 picoseconds";
    for (const char* wrong : {"",
                              "us",
                              "1",
                              "1 us",
                              "-1us",
                              "1.us",
                              ".5us",
                              "1.2.3us",
                              "1e3us",
                              "1US",
                              "1usx",
                              "0.0001ns",
                              "9223372.036854775808s",
                              "9223373s",
                              "99999999999999999999ns"})
    {
        EXPECT_FALSE(ParseSpan(wrong)) << wrong;
    }
}
