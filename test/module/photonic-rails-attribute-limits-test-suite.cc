/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A value of an attribute below its least value is found at the latest when the object starts.
// ns-3's checkers are made before the resolution is a picosecond, and can't detect it.

#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-opus-jobs.h"

#include "ns3/attribute-limits.h"
#include "ns3/config.h"
#include "ns3/host-network-helper.h"
#include "ns3/scale-up-domain.h"

using namespace ns3;

namespace
{

/**
 * Runs a square of four ranks for an iteration, with a standby and a network of the hosts.
 * @param adjust changes attributes when all is installed, as a script does
 */
void
RunSquare(const std::function<void()>& adjust = nullptr)
{
    OpusCase one;
    one.servers = 4;
    one.standby = true;
    one.hosts = true;
    one.policy = "provisioned";
    OpusBench bench(one);
    const SquareJob job(bench);
    for (uint32_t rank = 0; rank < one.servers; ++rank)
    {
        bench.SetProgram(rank, FourShifts(1, 1), job.GroupsOf(rank));
    }
    if (adjust)
    {
        adjust();
    }
    bench.Run();
}

/** @return the mistake of an attribute of an application that is 0, and must be more @param least
 * in ps, that it takes */
Mistake
OfTheSquare(const std::string& type, const std::string& attribute, const std::string& least = "1")
{
    return {type + "::" + attribute,
            [=] {
                RunSquare([=] {
                    Config::Set("/NodeList/*/ApplicationList/*/$ns3::" + type + "/" + attribute,
                                TimeValue(Time(0)));
                });
            },
            {type + "::" + attribute + " of 0 ps", least + " ps or more"}};
}

/** @return all of them */
std::vector<Mistake>
Mistakes()
{
    return {
        OfTheSquare("OpusEndpoint", "RetransmitAfter"),
        OfTheSquare("OpusShimApp", "HostLatency", "2"),
        OfTheSquare("OpusShimApp", "GiveUpAfter"),
        OfTheSquare("OpusControllerApp", "VoteLimit"),
        OfTheSquare("OpusControllerApp", "PortLimit"),
        OfTheSquare("OpusControllerApp", "ProgramLimit"),
        OfTheSquare("OpusControllerApp", "TrafficLimit"),
        OfTheSquare("OpusControllerApp", "HeartbeatInterval"),
        OfTheSquare("OpusControllerApp", "TakeoverAfter"),
        OfTheSquare("CollectiveApplication", "StallLimit"),
        OfTheSquare("HostEndpoint", "HostLatency"),
        {"ScaleUpDomain::Latency",
         [] {
             const Ptr<ScaleUpDomain> domain = CreateObject<ScaleUpDomain>();
             domain->SetAttribute("Latency", TimeValue(Time(0)));
             domain->AddMember(CreateObject<Node>());
         },
         {"ScaleUpDomain::Latency of 0 ps", "1 ps or more"}},
        {"a limit of more than 1 ps",
         [] { RequireAtLeast(PicoSeconds(6), 7, "A::B"); },
         {"A::B of 6 ps", "7 ps or more"}},
    };
}

/** A value that is long enough stops nothing. */
class LongEnoughTest : public TestCase
{
  public:
    LongEnoughTest()
        : TestCase("what is as long as it must be is taken")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const Ending ending = RunInChild([] {
            RequireAtLeast(PicoSeconds(7), 7, "A::B");
            RequireAtLeast(Time::Max(), 7, "A::B");
            RunSquare();
        });
        NS_TEST_EXPECT_MSG_EQ(ending.aborted, false, ending.output);
    }
};

/** The suite. */
class AttributeLimitsTestSuite : public TestSuite
{
  public:
    AttributeLimitsTestSuite()
        : TestSuite("photonic-rails-attribute-limits", TestSuite::Type::UNIT)
    {
        AddTestCase(new MistakesTest("What is too short stops the run", Mistakes()));
        AddTestCase(new LongEnoughTest);
    }
};

AttributeLimitsTestSuite g_attributeLimitsTestSuite;

} // namespace
