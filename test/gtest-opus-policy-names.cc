/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include "ns3/rotor-policy.h"
#include "ns3/span-words.h"
#include "ns3/static-split-policy.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;

namespace
{

/** A user's policy, whose slot is as many picoseconds as its text has letters. */
class Lettered : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::Lettered")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<Lettered>()
                                .AddAttribute("Letters",
                                              "As many picoseconds is a slot.",
                                              StringValue(""),
                                              MakeStringAccessor(&Lettered::m_text),
                                              MakeStringChecker())
                                .AddAttribute("Extra",
                                              "More of them.",
                                              UintegerValue(0),
                                              MakeUintegerAccessor(&Lettered::m_extra),
                                              MakeUintegerChecker<uint32_t>(0, 9));
        return tid;
    }

    CircuitTarget GetTarget(const CircuitQuestion&) override
    {
        return {};
    }

    Picoseconds GetSlot() const override
    {
        return m_text.size() + m_extra;
    }

  private:
    std::string m_text;
    uint32_t m_extra;
};

NS_OBJECT_ENSURE_REGISTERED(Lettered);

} // namespace

TEST(OpusPolicyNames, ATypeOfAnyFileIsKnownByItsName)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered", cabling)->GetSlot(), 0);
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[]", cabling)->GetSlot(), 0);
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Letters=abc]", cabling)->GetSlot(), 3);
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Letters=C:\\a:b|Extra=2]", cabling)->GetSlot(), 8);
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Extra=2|Letters=a[b|c]]", cabling)->GetSlot(), 8)
        << "a value may have brackets, with bars between them";
    ObjectFactory factory = MakePolicyFactory("ns3::Lettered");
    factory.Set("Extra", UintegerValue(4));
    EXPECT_EQ(CircuitPolicy::Create(factory, cabling)->GetSlot(), 4);
}

TEST(OpusPolicyNames, ATypeThatIsWrongIsRefused)
{
    EXPECT_DEATH(MakePolicyFactory("ns3::Letered"),
                 "no such policy; known: .*ns3::OnDemandPolicy, .*; did you mean ns3::Lettered");
    EXPECT_DEATH(MakePolicyFactory("ns3::CircuitPolicy"), "no such policy"); // it is abstract
    EXPECT_DEATH(MakePolicyFactory("ns3::StandingPolicy"), "no such policy");
    EXPECT_DEATH(MakePolicyFactory("ns3::Node"), "no such policy");
    EXPECT_DEATH(MakePolicyFactory("ns3::Lettered[Extra=2"), "no bracket at its end");
    EXPECT_DEATH(MakePolicyFactory("ns3::Lettered[Extra]"), "give Name=value");
    EXPECT_DEATH(MakePolicyFactory("ns3::Lettered[Leters=a]"),
                 "no such attribute; known: Letters, Extra; did you mean Letters");
    EXPECT_DEATH(MakePolicyFactory("ns3::Lettered[Extra=10]"), "Extra does not take the value 10");
}

TEST(OpusPolicyNames, AnAliasStandsForATypeAndItsAttributes)
{
    const TypeAliases& aliases = GetPolicyAliases();
    EXPECT_EQ(aliases.MakeFactory("rotor:100us").GetTypeId(), RotorPolicy::GetTypeId());
    EXPECT_EQ(aliases.GetKnownName("Rotor:100us"), "rotor:100us");
    EXPECT_EQ(aliases.GetKnownName("ns3::RotorPolicy"), "rotor");
    EXPECT_EQ(aliases.GetKnownName("ns3::RotorPolicy[Slot=1ms]"), "ns3::RotorPolicy[Slot=1ms]");
    EXPECT_EQ(aliases.GetKnownName("ns3::Lettered"), "ns3::Lettered");
    EXPECT_EQ(aliases.GetNameOf(StaticSplitPolicy::GetTypeId()), "static-split");
    EXPECT_EQ(aliases.GetNameOf(Lettered::GetTypeId()), "ns3::Lettered");
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    for (const char* name : {"rotor:100us", "ns3::RotorPolicy[Slot=100us]"})
    {
        EXPECT_EQ(MakeCircuitPolicy(name, cabling)->GetSlot(), 100'000'000) << name;
    }
    EXPECT_DEATH(MakeCircuitPolicy("ns3::RotorPolicy[Slot=0s]", cabling), "give more than 0");
}

TEST(OpusPolicyNames, WhatFollowsTheFirstColonIsTheArgument)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_DEATH(MakeCircuitPolicy("recorded:", cabling), "nothing follows the colon");
    EXPECT_DEATH(MakeCircuitPolicy("recorded:/no/such:a", cabling), "/no/such:a");
    EXPECT_DEATH(MakeCircuitPolicy("recorded::a", cabling), ":a");
}

TEST(OpusPolicyNames, APolicyThatTakesNoArgumentRefusesOne)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    EXPECT_DEATH(MakeCircuitPolicy("on-demand:5", cabling),
                 "\"on-demand\" takes no argument, and was given \"5\"");
    EXPECT_DEATH(MakeCircuitPolicy("static-split:", cabling), "takes no argument");
}

TEST(OpusPolicyNames, AnUnknownNameListsThoseThereAre)
{
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    const std::vector<std::string> names = GetPolicyNames();
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
        EXPECT_DEATH(MakeCircuitPolicy("on-demnad:5", cabling),
                     std::string("on-demnad: no such policy; known:.* ") + name);
    }
}

TEST(OpusPolicyNames, PoliciesThatDifferInWhenShimsAskGiveTheSameCircuits)
{
    const std::vector<JoinedRanks> ring = MakeRingOf({RankId(0), RankId(1), RankId(2), RankId(3)});
    for (const char* name : {"on-demand", "provisioned", "co-scheduled"})
    {
        OpusPolicyBench bench(name, 4, 1, 4);
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
