/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An animation shows circuits, ports and operations as they are, at their instants, and recording
// changes nothing.

#include "../support/photonic-rails-animation-file.h"
#include "../support/photonic-rails-collective-bench.h"
#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-mistakes.h"

#include "ns3/abort.h"
#include "ns3/collective-helper.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/fidelity-option.h"
#include "ns3/instant-circuits.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-animation.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr Picoseconds FIBER_OF_ANIMATION = 100'000;
constexpr Picoseconds SETTLING_OF_ANIMATION = 7'000'000;

const std::string COLOUR_LIT = "0 158 115";
const std::string COLOUR_RECONFIGURING = "230 159 0";
const std::string COLOUR_FREE = "255 255 255";
const std::string COLOUR_DARK = "0 0 0";
const std::string COLOUR_CARRIER = "86 180 233";

using Lines = std::set<std::pair<std::string, std::string>>;

/** @return the name of a port of the switch in an animation */
std::string
PortOf(uint32_t port)
{
    return "switch port " + std::to_string(port);
}

/** @return the name of the NIC port of a host in an animation */
std::string
NicOf(uint32_t host)
{
    return "GPU " + std::to_string(host) + " port 0";
}

/** @return the line of a circuit */
std::pair<std::string, std::string>
LineOf(uint32_t low, uint32_t high)
{
    return {PortOf(low), PortOf(high)};
}

/** @return a rail of hosts with a NIC port each */
Rail
MakeAnimatedRail(uint32_t hosts)
{
    PhotonicRailHelper helper;
    helper.SetPorts(1, DataRate("100Gbps"));
    helper.SetSwitchAttribute("Radix", UintegerValue(std::max(hosts, 8U)));
    helper.SetReconfigurationTime(ToTime(SETTLING_OF_ANIMATION));
    helper.SetFiberAttribute("Delay", TimeValue(ToTime(FIBER_OF_ANIMATION)));
    return helper.Install(NodeContainer(hosts));
}

/** A picture that is expected, of the ports of the switch and of the NICs, by number. */
struct ExpectedPicture
{
    Picoseconds at;
    Lines lines;
    std::vector<std::string> ports;
    std::vector<std::string> nics;
    std::vector<std::string> notes; //!< of the headline, some of them
};

/** Tests of a rail of hosts. */
class PicturesTest : public TestCase
{
  protected:
    using TestCase::TestCase;

    /** Expects pictures at these instants, and no other. */
    void Expect(const std::string& file, const std::vector<ExpectedPicture>& pictures)
    {
        const AnimationFile animation(file);
        NS_TEST_ASSERT_MSG_EQ(animation.GetMistake(), "", "the file is as NetAnim has it");
        std::vector<Picoseconds> instants;
        for (const ExpectedPicture& picture : pictures)
        {
            instants.push_back(picture.at);
        }
        NS_TEST_ASSERT_MSG_EQ((animation.GetInstants() == instants),
                              true,
                              "there are " << animation.GetInstants().size()
                                           << " steps, the last at "
                                           << animation.GetInstants().back() << " ps");
        for (std::size_t i = 0; i < pictures.size(); ++i)
        {
            Compare(animation.GetAt(pictures[i].at), pictures[i], pictures[i].at);
            if (i + 1 < pictures.size()) // and it stays
            {
                const Picoseconds end = pictures[i + 1].at - 1;
                Compare(animation.GetAt(end), pictures[i], end);
            }
        }
    }

  private:
    void Compare(const AnimationPicture& is, const ExpectedPicture& expected, Picoseconds at)
    {
        NS_TEST_EXPECT_MSG_EQ(is.lines.size(), expected.lines.size(), "circuits at " << at);
        NS_TEST_EXPECT_MSG_EQ((is.lines == expected.lines), true, "circuits at " << at);
        for (uint32_t p = 0; p < expected.ports.size(); ++p)
        {
            NS_TEST_EXPECT_MSG_EQ(is.colours.at(PortOf(p)),
                                  expected.ports[p],
                                  PortOf(p) << " at " << at);
            NS_TEST_EXPECT_MSG_EQ(is.colours.at(NicOf(p)),
                                  expected.nics[p],
                                  NicOf(p) << " at " << at);
        }
        for (const std::string& note : expected.notes)
        {
            NS_TEST_EXPECT_MSG_EQ((is.headline.find("\n" + note) != std::string::npos),
                                  true,
                                  "\"" << note << "\" at " << at << ", of: " << is.headline);
        }
    }
};

/** Circuits of a script. */
class ScriptTest : public PicturesTest
{
  public:
    ScriptTest()
        : PicturesTest(
              "circuits of a script come and go at their instants, and carrier a fiber later")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const std::string file = CreateTempDirFilename("script.xml");
        const Picoseconds first = 50'000'000;
        const Picoseconds second = 80'000'000;
        const Rail rail = MakeAnimatedRail(4);
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        ocs->Connect(PortId(0), PortId(1)); // before the animation begins
        RailAnimation animation(file);
        animation.Add(rail);
        ocs->Connect(PortId(2), PortId(3)); // and after
        PhotonicRailHelper::ScheduleApply(rail,
                                          ToTime(first),
                                          CircuitPlan()
                                              .Disconnect(PortId(0), PortId(1))
                                              .Disconnect(PortId(2), PortId(3))
                                              .Connect(PortId(0), PortId(2)));
        PhotonicRailHelper::ScheduleApply(rail,
                                          ToTime(second),
                                          CircuitPlan().Connect(PortId(1), PortId(3)));
        Simulator::Run();
        Simulator::Destroy(); // completes the file
        const Picoseconds firstUp = first + SETTLING_OF_ANIMATION;
        const Picoseconds secondUp = second + SETTLING_OF_ANIMATION;
        const std::vector<std::string> allLit(4, COLOUR_LIT);
        const std::vector<std::string> carrier(4, COLOUR_CARRIER);
        const std::vector<std::string> none(4, COLOUR_DARK);
        const std::vector<std::string> ofFirst{COLOUR_CARRIER,
                                               COLOUR_DARK,
                                               COLOUR_CARRIER,
                                               COLOUR_DARK};
        const std::vector<std::string> changing{COLOUR_RECONFIGURING,
                                                COLOUR_FREE,
                                                COLOUR_RECONFIGURING,
                                                COLOUR_FREE};
        Expect(
            file,
            {{0, {LineOf(0, 1), LineOf(2, 3)}, allLit, carrier, {}},
             {first,
              {},
              changing,
              carrier,
              {"rail 0: plan 3 begins: -0-1 -2-3 +0-2", "rail 0: circuit 0-1 goes dark"}},
             {first + FIBER_OF_ANIMATION,
              {},
              changing,
              none,
              {"rail 0: GPU 3 port 0 has no carrier"}},
             {firstUp,
              {LineOf(0, 2)},
              {COLOUR_LIT, COLOUR_FREE, COLOUR_LIT, COLOUR_FREE},
              none,
              {"rail 0: circuit 0-2 has light", "rail 0: plan 3 is done"}},
             {firstUp + FIBER_OF_ANIMATION,
              {LineOf(0, 2)},
              {COLOUR_LIT, COLOUR_FREE, COLOUR_LIT, COLOUR_FREE},
              ofFirst,
              {"rail 0: GPU 2 port 0 has carrier"}},
             {second,
              {LineOf(0, 2)},
              {COLOUR_LIT, COLOUR_RECONFIGURING, COLOUR_LIT, COLOUR_RECONFIGURING},
              ofFirst,
              {"rail 0: plan 4 begins: +1-3"}},
             {secondUp, {LineOf(0, 2), LineOf(1, 3)}, allLit, ofFirst, {}},
             {secondUp + FIBER_OF_ANIMATION, {LineOf(0, 2), LineOf(1, 3)}, allLit, carrier, {}}});
        const AnimationFile read(file);
        const auto counters = read.GetAt(firstUp).counters;
        NS_TEST_ASSERT_MSG_EQ(counters.size(), 1, "a switch");
        NS_TEST_EXPECT_MSG_EQ(counters.begin()->second, "1", "circuit");
        NS_TEST_EXPECT_MSG_EQ(read.GetAt(first).counters.begin()->second, "0", "circuits");
        NS_TEST_EXPECT_MSG_EQ(read.GetAt(secondUp).counters.begin()->second, "2", "circuits");
    }
};

/** Faults. */
class FaultPicturesTest : public PicturesTest
{
  public:
    FaultPicturesTest()
        : PicturesTest("a stuck port is dark until it is repaired; a cut fiber has no carrier")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const std::string file = CreateTempDirFilename("faults.xml");
        const Picoseconds broken = 20'000'000;
        const Picoseconds repaired = 30'000'000;
        const Picoseconds cut = 50'000'000;
        const Rail rail = MakeAnimatedRail(2);
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        RailAnimation animation(file);
        animation.Add(rail);
        ocs->Connect(PortId(0), PortId(1));
        Simulator::Schedule(ToTime(broken),
                            &OpticalCircuitSwitch::SetFault,
                            ocs,
                            PortId(1),
                            PortFault::STUCK_DARK,
                            Time(0));
        Simulator::Schedule(ToTime(repaired), &OpticalCircuitSwitch::ClearFault, ocs, PortId(1));
        Simulator::Schedule(ToTime(cut), &OpticalFiber::Cut, rail.GetFiber(0), 0.5);
        Simulator::Run();
        animation.Finish();
        const Lines line{LineOf(0, 1)};
        const Picoseconds up = repaired + SETTLING_OF_ANIMATION;
        const std::vector<std::string> lit{COLOUR_LIT, COLOUR_LIT};
        const std::vector<std::string> dark{COLOUR_DARK, COLOUR_DARK};
        const std::vector<std::string> carrier{COLOUR_CARRIER, COLOUR_CARRIER};
        // half of the fiber is between the cut and host 0, and the rest and another fiber lead to
        // host 1
        Expect(file,
               {{0, line, lit, carrier, {}},
                {broken, {}, dark, carrier, {"rail 0: circuit 0-1 goes dark"}},
                {broken + FIBER_OF_ANIMATION, {}, dark, dark, {}},
                {up, line, lit, dark, {"rail 0: circuit 0-1 has light"}},
                {up + FIBER_OF_ANIMATION, line, lit, carrier, {}},
                {cut + FIBER_OF_ANIMATION / 2,
                 line,
                 lit,
                 {COLOUR_DARK, COLOUR_CARRIER},
                 {"rail 0: GPU 0 port 0 has no carrier"}},
                {cut + FIBER_OF_ANIMATION / 2 + FIBER_OF_ANIMATION, line, lit, dark, {}}});
        Simulator::Destroy();
    }
};

/** A run of a collective operation, and its results. */
struct AnimatedRun
{
    CollectiveCase one;
    std::string file{}; //!< empty: it is not animated
    std::vector<OperationRecord> ended{};
    RailNetDevice::Trains trains{};
    Picoseconds end{0};

    void Ended(const OperationRecord& record)
    {
        ended.push_back(record);
    }

    void Run()
    {
        const HostBench::Case self;
        const Rail rail = MakeCollectiveRail(one);
        CollectiveHelper helper;
        helper.SetAttribute("MessageSize", UintegerValue(one.messageSize));
        if (one.railSwitch == CollectiveCase::RECONFIGURING)
        {
            helper.SetBroker(CreateObject<InstantCircuits>(
                std::make_shared<const RailLinks>(std::vector<Rail>{rail})));
        }
        const Ptr<CollectiveJob> job = helper.Install(rail);
        const ApplicationContainer& applications = job->GetApplications();
        const auto group = job->MakeGroup("all", FirstRanks(one.ranks));
        for (uint32_t r = 0; r < one.ranks; ++r)
        {
            auto program = std::make_shared<RankProgram>();
            for (int i = 0; i < 2; ++i)
            {
                program->Compute(0, ToTime(1'000'001 * (r + 1)), "forward");
                program->Collective(0, 0, one.kind, one.bytes, one.algorithm);
            }
            job->SetProgram(r, program, {group});
            applications.Get(r)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&AnimatedRun::Ended, this));
        }
        const auto animation = file.empty() ? std::make_unique<RailAnimation>()
                                            : std::make_unique<RailAnimation>(file);
        animation->Add(applications);
        animation->Add(rail);
        Simulator::Run();
        end = NowPicoseconds();
        trains = GetTrainsOf(rail);
        Simulator::Destroy();
    }
};

/** Operations of ranks. */
class OperationTextsTest : public TestCase
{
  public:
    OperationTextsTest()
        : TestCase(
              "the text of a rank has its operation from the call to the end, and no computing")
    {
    }

  private:
    void DoRun() override
    {
        AnimatedRun run;
        run.one.railSwitch = CollectiveCase::RECONFIGURING;
        run.file = CreateTempDirFilename("operations.xml");
        run.Run();
        const AnimationFile animation(run.file);
        NS_TEST_ASSERT_MSG_EQ(animation.GetMistake(), "", "the file is as NetAnim has it");
        uint32_t operations = 0;
        for (const OperationRecord& record : run.ended)
        {
            const std::string rank = "rank " + std::to_string(record.rank.Get());
            const Picoseconds start = record.start.GetTimeStep();
            const Picoseconds end = record.end.GetTimeStep();
            if (record.call.kind == RankOperation::Kind::COMPUTE)
            {
                const auto texts = animation.GetAt(end - 1).texts;
                NS_TEST_EXPECT_MSG_EQ(texts.count(rank), 1, rank << " computes until " << end);
                continue;
            }
            ++operations;
            const std::string text = rank + "\nall all-reduce";
            NS_TEST_EXPECT_MSG_EQ(animation.GetAt(start).texts.count(text),
                                  1,
                                  text << " " << start);
            NS_TEST_EXPECT_MSG_EQ(animation.GetAt(end - 1).texts.count(text),
                                  1,
                                  text << " " << end);
            NS_TEST_EXPECT_MSG_EQ(animation.GetAt(end).texts.count(text), 0, text << " " << end);
        }
        NS_TEST_EXPECT_MSG_EQ(operations, 4 * 2, "of 4 ranks, 2 rounds");
        std::vector<std::string> counts;
        for (const auto& [counter, value] : animation.GetAt(run.end).counters)
        {
            if (counter.rfind("operations over rails ", 0) == 0)
            {
                counts.push_back(value);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((counts == std::vector<std::string>(4, "2")), true, "each has 2");
    }
};

/** Recording changes nothing. */
class SameRunTest : public TestCase
{
  public:
    SameRunTest()
        : TestCase("a run goes in trains, and ends when it does, whether it is animated or not")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto railSwitch : {CollectiveCase::RING, CollectiveCase::RECONFIGURING})
        {
            for (const std::string fidelity : {"trains", "events"})
            {
                AnimatedRun plain;
                plain.one.railSwitch = railSwitch;
                plain.one.fidelity = fidelity;
                AnimatedRun animated = plain;
                animated.file = CreateTempDirFilename("same.xml");
                plain.Run();
                animated.Run();
                NS_TEST_EXPECT_MSG_EQ((plain.trains.frames > 0), (fidelity == "trains"), fidelity);
                NS_TEST_EXPECT_MSG_EQ(animated.trains.frames, plain.trains.frames, "in trains");
                NS_TEST_EXPECT_MSG_EQ(animated.trains.left, plain.trains.left, "left");
                NS_TEST_EXPECT_MSG_EQ(animated.end, plain.end, "the end");
                NS_TEST_ASSERT_MSG_EQ(animated.ended.size(), plain.ended.size(), "operations");
                for (std::size_t i = 0; i < plain.ended.size(); ++i)
                {
                    NS_TEST_EXPECT_MSG_EQ(animated.ended[i].end, plain.ended[i].end, "each");
                }
            }
        }
    }
};

/** Rails of packet switches. */
class PacketSwitchesTest : public TestCase
{
  public:
    PacketSwitchesTest()
        : TestCase("packet switches have their NIC ports and each other, and no circuits")
    {
    }

  private:
    static constexpr uint32_t HOSTS = 6;

    void DoRun() override
    {
        const HostBench::Case self;
        const std::string file = CreateTempDirFilename("packets.xml");
        ElectricalRailHelper helper;
        helper.SetPorts(1, DataRate("100Gbps"));
        helper.SetRadix(4); // leaves with two hosts each, and spines
        const Rail rail = helper.Install(NodeContainer(HOSTS));
        NS_TEST_ASSERT_MSG_GT(rail.GetSwitchNodes().GetN(), 2, "leaves and spines");
        RailAnimation animation(file);
        animation.Add(rail);
        Simulator::Run();
        Simulator::Destroy();
        const AnimationFile read(file);
        NS_TEST_ASSERT_MSG_EQ(read.GetMistake(), "", "the file is as NetAnim has it");
        const AnimationPicture picture = read.GetAt(0);
        NS_TEST_EXPECT_MSG_EQ(picture.lines.size(), 0, "circuits");
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(picture.colours.at(NicOf(host)), COLOUR_CARRIER, NicOf(host));
        }
        NS_TEST_EXPECT_MSG_EQ(read.GetFibers().size(), HOSTS, "a fiber of each host");
        NS_TEST_EXPECT_MSG_EQ(read.GetInstants().size(), 1, "nothing changes");
    }
};

/** Errors in the course of a run. */
class AbortedRunTest : public TestCase
{
  public:
    AbortedRunTest()
        : TestCase(
              "an error or a kill leaves a whole file, up to the last or the last but one step")
    {
    }

  private:
    static void Fail()
    {
        NS_ABORT_MSG("an error of the test");
    }

    static void Kill()
    {
        std::raise(SIGKILL);
    }

    /** Runs circuits that come at 7 us and 14 us, and what ends the process at 20 us. */
    static void RunUntil(const std::string& file, void (*end)())
    {
        const HostBench::Case self;
        const Rail rail = MakeAnimatedRail(4);
        RailAnimation animation(file);
        animation.Add(rail);
        PhotonicRailHelper::ScheduleApply(rail,
                                          Time(0),
                                          CircuitPlan().Connect(PortId(0), PortId(1)));
        PhotonicRailHelper::ScheduleApply(rail,
                                          ToTime(SETTLING_OF_ANIMATION + FIBER_OF_ANIMATION),
                                          CircuitPlan().Connect(PortId(2), PortId(3)));
        Simulator::Schedule(ToTime(3 * SETTLING_OF_ANIMATION), end);
        Simulator::Run();
    }

    void DoRun() override
    {
        const Picoseconds last =
            2 * SETTLING_OF_ANIMATION + 2 * FIBER_OF_ANIMATION; // carrier of the second circuit
        const std::string failed = CreateTempDirFilename("failed.xml");
        NS_TEST_EXPECT_MSG_EQ(RunInChild([&] { RunUntil(failed, &Fail); }).aborted, true, "fails");
        const AnimationFile whole(failed);
        NS_TEST_ASSERT_MSG_EQ(whole.GetMistake(), "", "the file is whole");
        NS_TEST_EXPECT_MSG_EQ(whole.GetInstants().back(), last, "the last step");
        NS_TEST_EXPECT_MSG_EQ(whole.GetAt(last).lines.size(), 2, "circuits");

        const std::string killed = CreateTempDirFilename("killed.xml");
        RunInChild([&] { RunUntil(killed, &Kill); });
        const AnimationFile part(killed + ".part");
        NS_TEST_ASSERT_MSG_EQ(part.GetMistake(), "", "the file is whole");
        NS_TEST_EXPECT_MSG_EQ(part.GetInstants().back(),
                              last - FIBER_OF_ANIMATION,
                              "the last step but one");
        NS_TEST_EXPECT_MSG_EQ(part.GetAt(last).lines.size(), 2, "circuits");
    }
};

/** Animates rails, and one more when the simulation has run for 5 us. */
void
AnimateRails(uint32_t rails, uint32_t hosts)
{
    const HostBench::Case self;
    RailAnimation animation("/dev/null");
    for (uint32_t rail = 0; rail < rails; ++rail)
    {
        animation.Add(MakeAnimatedRail(hosts));
    }
    Simulator::Stop(MicroSeconds(5));
    Simulator::Run();
    animation.Add(MakeAnimatedRail(2));
}

/** The suite. */
class AnimationTestSuite : public TestSuite
{
  public:
    AnimationTestSuite()
        : TestSuite("photonic-rails-animation", TestSuite::Type::UNIT)
    {
        AddTestCase(new ScriptTest);
        AddTestCase(new FaultPicturesTest);
        AddTestCase(new OperationTextsTest);
        AddTestCase(new SameRunTest);
        AddTestCase(new PacketSwitchesTest);
        AddTestCase(new AbortedRunTest);
        AddTestCase(new MistakesTest(
            "too many ports, late rails, and files that cannot be written are refused",
            {{"a rail", [] { AnimateRails(1, 65); }, {"65 ports", "64", "Rail::Select()"}},
             {"all rails", [] { AnimateRails(5, 64); }, {"320 NIC ports", "256", "Rail::Select()"}},
             {"a late rail", [] { AnimateRails(1, 2); }, {"at 5 us", "before the simulation runs"}},
             {"no file", [] { RailAnimation(""); }, {"give the name of a file"}},
             {"no folder",
              [] { RailAnimation("/none/of/that/kind.xml"); },
              {"/none/of/that/kind.xml", "no folder"}}}));
    }
};

static AnimationTestSuite g_animationTestSuite;

} // namespace
