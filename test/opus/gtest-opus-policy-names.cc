/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/rotor-policy.h"
#include "ns3/scenario-options.h"
#include "ns3/static-split-policy.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <string>

using namespace ns3;

namespace
{

/** A user's policy, whose slot is as many units of time as its text has letters. */
class Lettered : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::Lettered")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<Lettered>()
                                .AddAttribute("Letters",
                                              "As many units of time is a slot.",
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

    Time GetSlot() const override
    {
        return TimeStep(m_text.size() + m_extra);
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
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered", cabling)->GetSlot(), TimeStep(0));
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[]", cabling)->GetSlot(), TimeStep(0));
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Letters=abc]", cabling)->GetSlot(), TimeStep(3));
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Letters=C:\\a:b|Extra=2]", cabling)->GetSlot(),
              TimeStep(8));
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Letters=a,b=c]", cabling)->GetSlot(), TimeStep(5));
    EXPECT_EQ(MakeCircuitPolicy("ns3::Lettered[Extra=2|Letters=a[b|c]]", cabling)->GetSlot(),
              TimeStep(8))
        << "a value may have brackets, with bars between them";
    ObjectFactory factory = MakePolicyFactory("ns3::Lettered");
    factory.Set("Extra", UintegerValue(4));
    EXPECT_EQ(CircuitPolicy::Create(factory, cabling)->GetSlot(), TimeStep(4));
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
    EXPECT_DEATH(MakePolicyFactory("ns3::Lettered[Extra=1,Letters=a]"),
                 "Extra does not take the value 1,Letters=a; give bars between attributes");
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
        EXPECT_EQ(MakeCircuitPolicy(name, cabling)->GetSlot(), MicroSeconds(100)) << name;
    }
    EXPECT_DEATH(MakeCircuitPolicy("ns3::RotorPolicy[Slot=0s]", cabling), "give more than 0");
}

TEST(OpusPolicyNames, AnOptionTakesAliasesAndTypes)
{
    const std::map<std::string, std::vector<std::string>> right{
        {"--policies=on_demand,rotor:100us", {"on-demand", "rotor:100us"}},
        {"--policies=ns3::RotorPolicy,demand", {"rotor", "demand"}},
        {"--policies=ns3::ElectricalPolicy[]", {"electrical"}},
        {"--policies=NS3::rotorpolicy[Slot=100us]", {"ns3::RotorPolicy[Slot=100us]"}},
        {"--policies=ns3::Lettered[Letters=ab|Extra=2]", {"ns3::Lettered[Letters=ab|Extra=2]"}},
        {"--policies=ns3::Lettered[Letters=a,b],ns3::RotorPolicy[Slot=1us],demand",
         {"ns3::Lettered[Letters=a,b]", "ns3::RotorPolicy[Slot=1us]", "demand"}},
        {"--policies=recorded:a::b", {"recorded:a::b"}}};
    for (const auto& [argument, policies] : right)
    {
        std::vector<std::string> read;
        ScenarioOptions options("program");
        options.Add("policies", "Of circuits", read).OneOf(GetPolicyAliases()).MayHaveArgument();
        options.Parse({argument});
        EXPECT_EQ(read, policies) << argument;
    }
}

TEST(OpusPolicyNames, AnOptionRefusesUnknownAliasesAndTypes)
{
    const std::map<std::string, std::string> wrong{
        {"rotr:100us", "did you mean rotor\\?"},
        {"ns3::RotrPolicy", "ns3::ProvisionedPolicy, .*; did you mean ns3::RotorPolicy\\?"},
        {"ns3::Node", "no such policy; known: .*ns3::CoScheduledPolicy, "},
        {"", "no such policy; known: co-scheduled, .*, static-split-by-traffic"}};
    for (const auto& [words, message] : wrong)
    {
        std::string policy;
        ScenarioOptions options("program");
        options.Add("policy", "Of circuits", policy).OneOf(GetPolicyAliases()).MayHaveArgument();
        try
        {
            options.Parse({"--policy=" + words});
            ADD_FAILURE() << words;
        }
        catch (const OptionMistake& mistake)
        {
            EXPECT_TRUE(std::regex_search(mistake.what(), std::regex(message))) << mistake.what();
        }
    }
    std::string policy = "rotor";
    ScenarioOptions options("program");
    options.Add("policy", "Of circuits", policy).OneOf(GetPolicyAliases()).Or("auto");
    options.Parse({"--policy=Auto"});
    EXPECT_EQ(policy, "auto");
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
                             "static-split-by-root",
                             "static-split-by-traffic"})
    {
        EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
        EXPECT_DEATH(MakeCircuitPolicy("on-demnad:5", cabling),
                     std::string("on-demnad: no such policy; known:.* ") + name);
    }
}

TEST(OpusPolicyNames, PoliciesThatDifferInTheTimeOfRequestsGiveTheSameCircuits)
{
    const std::vector<JoinedRanks> ring = MakeRingOf({RankId(0), RankId(1), RankId(2), RankId(3)});
    for (const char* name : {"on-demand", "provisioned", "co-scheduled"})
    {
        OpusPolicyBench bench(name, 4, 1, 4);
        EXPECT_TRUE(bench.policy->NeedsControlPlane());
        EXPECT_FALSE(bench.policy->IsForGood());
        bench.Carry(bench.Request(ring));
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            EXPECT_EQ(bench.Links(rank, (rank + 1) % 4), 2); // 4 ports, 2 neighbours
        }
    }
}

TEST(OpusPolicyNames, ElectricalRailsHaveNoController)
{
    OpusPolicyBench bench("electrical", 2, 1, 1);
    EXPECT_FALSE(bench.policy->NeedsControlPlane());
    EXPECT_NE(bench.Request({{RankId(0), RankId(1)}}).refusal.find("no circuits"),
              std::string::npos);
}

TEST(OpusPolicyNames, ASlotIsReadExactlyOrNotAtAll)
{
    UsePicoseconds();
    const auto cabling = OpusPolicyBench::MakeCabling(2, 1, 1);
    const std::map<std::string, Picoseconds> right{{"1ns", 1'000},
                                                   {"100us", 100'000'000},
                                                   {"1.5ms", 1'500'000'000},
                                                   {"2s", 2'000'000'000'000},
                                                   {"0.001ns", 1},
                                                   {"1000000s", 1'000'000'000'000'000'000}};
    for (const auto& [slot, picoseconds] : right)
    {
        EXPECT_EQ(MakeCircuitPolicy("rotor:" + slot, cabling)->GetSlot(), PicoSeconds(picoseconds))
            << slot;
    }
    for (const char* wrong : {"us",
                              "1",
                              "0us",
                              "1 us",
                              "-1us",
                              "1.us",
                              ".5us",
                              "1.2.3us",
                              "1e3us",
                              "1US",
                              "1usx",
                              "1min",
                              "0.0001ns",
                              "1000001s",
                              "9223373s",
                              "99999999999999999999ns"})
    {
        EXPECT_DEATH(MakePolicyFactory(std::string("rotor:") + wrong), "a slot can't take")
            << wrong;
    }
}
