/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A timeline shows the events of a run, to the picosecond, and recording changes nothing.

#include "../support/photonic-rails-collective-bench.h"
#include "../support/photonic-rails-host-bench.h"
#include "../support/photonic-rails-timeline-file.h"

#include "ns3/collective-helper.h"
#include "ns3/fidelity-option.h"
#include "ns3/instant-circuits.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"
#include "ns3/uinteger.h"

#include <map>
#include <memory>
#include <tuple>

using namespace ns3;

namespace
{

/** A run of a job, and its results. */
struct TimelineRun
{
    CollectiveCase one;
    std::string file{};      //!< empty: it is not recorded
    Picoseconds stop{NEVER}; //!< the run is ended then
    std::vector<OperationRecord> ended{};
    RailNetDevice::Trains trains{};
    Picoseconds end{0};

    void Ended(const OperationRecord& record)
    {
        ended.push_back(record);
    }

    /** Two rounds of computing and the operation. */
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
                program->Compute(1, ToTime(3'000'000));
                program->Collective(0, 0, one.kind, one.bytes, one.algorithm);
            }
            job->SetProgram(r, program, {group});
            applications.Get(r)->TraceConnectWithoutContext(
                "OperationEnded",
                MakeCallback(&TimelineRun::Ended, this));
        }
        // not by the option: ns-3.35 cuts a value at its first space
        const auto timeline = file.empty() ? std::make_unique<TimelineRecorder>()
                                           : std::make_unique<TimelineRecorder>(file);
        timeline->Add(applications);
        timeline->Add(rail);
        if (stop != NEVER)
        {
            Simulator::Stop(ToTime(stop));
        }
        Simulator::Run();
        end = NowPicoseconds();
        trains = GetTrainsOf(rail);
        Simulator::Destroy();
    }
};

/** Operations. */
class OperationsTest : public TestCase
{
  public:
    OperationsTest()
        : TestCase("every operation of a rank has one slice, from its start to its end")
    {
    }

  private:
    void DoRun() override
    {
        TimelineRun run;
        run.one.railSwitch = CollectiveCase::RECONFIGURING;
        run.file = CreateTempDirFilename("operations.json");
        run.Run();
        NS_TEST_ASSERT_MSG_EQ(run.ended.size(), 4 * 6, "4 ranks, 2 rounds of 3");
        const ReadTracks tracks = ReadTimeline(run.file);
        std::map<std::tuple<std::string, std::string, Picoseconds, Picoseconds>, int> slices;
        std::size_t count = 0;
        for (const auto& [where, all] : tracks)
        {
            if (where.first.rfind("rank ", 0) == 0)
            {
                for (const ReadSlice& slice : all)
                {
                    ++slices
                        [{where.first + " " + where.second, slice.name, slice.start, slice.end}];
                    ++count;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(count, run.ended.size(), "as many slices as operations");
        for (const OperationRecord& record : run.ended)
        {
            const std::string track = "rank " + std::to_string(record.rank.Get()) + " stream " +
                                      std::to_string(record.call.stream);
            const bool computes = record.call.kind == RankOperation::Kind::COMPUTE;
            const std::string name = !computes                 ? "all-reduce"
                                     : record.call.stream == 0 ? "forward"
                                                               : "compute";
            const int found =
                slices[{track, name, record.start.GetTimeStep(), record.end.GetTimeStep()}];
            NS_TEST_EXPECT_MSG_EQ(found,
                                  1,
                                  track << " " << name << " from " << record.start.GetTimeStep());
        }
        // a ring sends each shard, a 4th of the buffer, 4 - 1 times to reduce and 4 - 1 to gather
        const std::string& line = tracks.at({"rank 2", "stream 0"}).at(1).line;
        NS_TEST_EXPECT_MSG_EQ(After(line, "bytes"), std::to_string(run.one.bytes), "the buffer");
        NS_TEST_EXPECT_MSG_EQ(After(line, "bytes_sent"),
                              std::to_string(run.one.bytes * 6 / 4),
                              "2 (n - 1) / n of it");
        NS_TEST_EXPECT_MSG_EQ(After(line, "algorithm"), "ring", "the algorithm");
        NS_TEST_EXPECT_MSG_EQ(After(line, "group"), "all", "the group");
    }
};

/** Circuits. */
class CircuitsTest : public TestCase
{
  public:
    CircuitsTest()
        : TestCase("slices of a port follow each other, and mirrors turn for as long as they do")
    {
    }

  private:
    void DoRun() override
    {
        TimelineRun run;
        run.one.railSwitch = CollectiveCase::RECONFIGURING;
        run.one.kind = CollectiveKind::ALL_TO_ALL;
        run.one.algorithm = "matchings"; // other circuits every round
        run.file = CreateTempDirFilename("circuits.json");
        run.Run();
        uint32_t ports = 0;
        for (const auto& [where, slices] : ReadTimeline(run.file))
        {
            if (where.first == "rail 0 switch")
            {
                ++ports;
                CheckPort(where.second, slices, run);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ports, 8, "4 ranks of 2 ports");
    }

    void CheckPort(const std::string& port,
                   const std::vector<ReadSlice>& slices,
                   const TimelineRun& run)
    {
        const Picoseconds turn = run.one.reconfiguration.GetTimeStep();
        uint32_t turned = 0;
        for (std::size_t i = 0; i < slices.size(); ++i)
        {
            const ReadSlice& slice = slices[i];
            NS_TEST_EXPECT_MSG_LT(slice.start, slice.end, port << ": no empty slices");
            if (i > 0)
            {
                NS_TEST_EXPECT_MSG_GT_OR_EQ(slice.start, slices[i - 1].end, port << ": in order");
            }
            if (slice.name == "reconfiguring")
            {
                ++turned;
                NS_TEST_EXPECT_MSG_EQ(slice.end - slice.start, turn, port << ": to turn");
                continue;
            }
            // "port 3: GPU 1 port 1" has circuits "3-7" or "0-3", which follow the reconfiguration
            const std::string number = port.substr(5, port.find(':') - 5);
            const std::size_t dash = slice.name.find('-');
            NS_TEST_EXPECT_MSG_EQ(
                (slice.name.substr(0, dash) == number || slice.name.substr(dash + 1) == number),
                true,
                port << " has circuit " << slice.name);
            NS_TEST_ASSERT_MSG_GT(i, 0, port << ": it has to turn first");
            NS_TEST_EXPECT_MSG_EQ(slices[i - 1].name, "reconfiguring", port << ": before it");
            NS_TEST_EXPECT_MSG_EQ(slices[i - 1].end, slice.start, port << ": at once");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(turned, 3, port << ": 3 rounds of 4 ranks");
        NS_TEST_EXPECT_MSG_EQ(slices.back().end,
                              run.ended.back().end.GetTimeStep(),
                              port << ": to the last operation, not the last timer");
    }
};

/** A fault, carrier, and circuits that were there before. */
class LightTest : public TestCase
{
  public:
    LightTest()
        : TestCase("a fault is dark until the mended port has turned; carrier follows the fiber")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        const std::string file = CreateTempDirFilename("light.json");
        const Picoseconds turn = 10'000'000;
        const Picoseconds broken = 20'000'000;
        const Picoseconds mended = 50'000'000;
        const Picoseconds stop = 100'000'000;
        const Picoseconds delay = 300'000; // light reaches a NIC as long after the switch
        PhotonicRailHelper helper;
        helper.SetPorts(1, DataRate("100Gbps"));
        helper.SetReconfigurationTime(ToTime(turn));
        helper.SetFiberAttribute("Delay", TimeValue(ToTime(delay)));
        const Rail rail = helper.Install(NodeContainer(3));
        Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        TimelineRecorder timeline(file);
        timeline.Add(rail);
        ocs->Connect(PortId(0), PortId(1));
        Simulator::Schedule(ToTime(broken),
                            &OpticalCircuitSwitch::SetFault,
                            ocs,
                            PortId(0),
                            PortFault::STUCK_DARK,
                            Time(0));
        Simulator::Schedule(ToTime(mended), &OpticalCircuitSwitch::ClearFault, ocs, PortId(0));
        Simulator::Stop(ToTime(stop));
        Simulator::Run();
        timeline.Finish();
        const ReadTracks tracks = ReadTimeline(file);
        for (const char* port : {"port 0: GPU 0 port 0", "port 1: GPU 1 port 0"})
        {
            Expect(tracks,
                   {"rail 0 switch", port},
                   {{"0-1", 0, broken, ""},
                    {"dark", broken, mended + turn, ""},
                    {"0-1", mended + turn, stop, ""}});
        }
        for (const char* port : {"GPU 0 port 0", "GPU 1 port 0"})
        {
            Expect(
                tracks,
                {"rail 0 NIC ports", port},
                {{"carrier", 0, broken + delay, ""}, {"carrier", mended + turn + delay, stop, ""}});
        }
        NS_TEST_EXPECT_MSG_EQ(tracks.size(), 4, "GPU 2 has no circuit");
    }

    void Expect(const ReadTracks& tracks,
                const std::pair<std::string, std::string>& where,
                const std::vector<ReadSlice>& expected)
    {
        const auto found = tracks.find(where);
        NS_TEST_ASSERT_MSG_EQ((found != tracks.end()), true, where.second << " has slices");
        NS_TEST_ASSERT_MSG_EQ(found->second.size(), expected.size(), where.second);
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            const ReadSlice& slice = found->second[i];
            NS_TEST_EXPECT_MSG_EQ(slice.name, expected[i].name, where.second << " slice " << i);
            NS_TEST_EXPECT_MSG_EQ(slice.start, expected[i].start, where.second << " slice " << i);
            NS_TEST_EXPECT_MSG_EQ(slice.end, expected[i].end, where.second << " slice " << i);
        }
    }
};

/** A run that ends while operations are under way. */
class EarlyEndTest : public TestCase
{
  public:
    EarlyEndTest()
        : TestCase("what goes on when the run ends is drawn up to there, as unfinished")
    {
    }

  private:
    void DoRun() override
    {
        TimelineRun run;
        run.one.railSwitch = CollectiveCase::RECONFIGURING;
        run.stop = 6'000'000; // all have called their operation, and ports reconfigure until 14 us
        run.file = CreateTempDirFilename("early.json");
        run.Run();
        const ReadTracks tracks = ReadTimeline(run.file);
        for (uint32_t r = 0; r < 4; ++r)
        {
            const std::string rank = "rank " + std::to_string(r);
            const auto& slices = tracks.at({rank, "stream 0"});
            NS_TEST_ASSERT_MSG_EQ(slices.size(), 2, rank);
            NS_TEST_EXPECT_MSG_EQ(slices[1].name, "all-reduce", rank);
            NS_TEST_EXPECT_MSG_EQ(slices[1].start, 1'000'001 * (r + 1), "after computing");
            NS_TEST_EXPECT_MSG_EQ(slices[1].end, run.stop, "the run");
            NS_TEST_EXPECT_MSG_EQ(After(slices[0].line, "unfinished"), "", "it is over");
            NS_TEST_EXPECT_MSG_EQ(After(slices[1].line, "unfinished"), "true", "it is not");
        }
        const auto& port = tracks.at({"rail 0 switch", "port 0: GPU 0 port 0"});
        NS_TEST_ASSERT_MSG_EQ(port.size(), 1, "it turns");
        NS_TEST_EXPECT_MSG_EQ(port[0].start, 4'000'004, "the last rank has asked");
        NS_TEST_EXPECT_MSG_EQ(port[0].end, run.stop, "the run");
    }
};

/** Recording changes nothing. */
class TrainsTest : public TestCase
{
  public:
    TrainsTest()
        : TestCase("a run goes in trains, and ends when it does, whether it is recorded or not")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto railSwitch : {CollectiveCase::RING, CollectiveCase::RECONFIGURING})
        {
            TimelineRun plain;
            plain.one.railSwitch = railSwitch;
            plain.one.kind = railSwitch == CollectiveCase::RING ? CollectiveKind::ALL_REDUCE
                                                                : CollectiveKind::ALL_TO_ALL;
            plain.one.algorithm = railSwitch == CollectiveCase::RING ? "ring" : "matchings";
            TimelineRun recorded = plain;
            recorded.file = CreateTempDirFilename("trains.json");
            plain.Run();
            recorded.Run();
            NS_TEST_EXPECT_MSG_GT(plain.trains.frames, 0, "there are trains");
            NS_TEST_EXPECT_MSG_EQ(recorded.trains.frames, plain.trains.frames, "as many frames");
            NS_TEST_EXPECT_MSG_EQ(recorded.trains.entered, plain.trains.entered, "entered");
            NS_TEST_EXPECT_MSG_EQ(recorded.trains.left, plain.trains.left, "left");
            NS_TEST_EXPECT_MSG_EQ(recorded.trains.refused, plain.trains.refused, "refused");
            NS_TEST_EXPECT_MSG_EQ(recorded.end, plain.end, "the end");
            NS_TEST_ASSERT_MSG_EQ(recorded.ended.size(), plain.ended.size(), "operations");
            for (std::size_t i = 0; i < plain.ended.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(recorded.ended[i].end, plain.ended[i].end, "each");
            }
            if (railSwitch == CollectiveCase::RING)
            {
                NS_TEST_EXPECT_MSG_EQ(recorded.trains.left, 0, "nothing breaks a train");
            }
        }
    }
};

/** The suite. */
class TimelineTestSuite : public TestSuite
{
  public:
    TimelineTestSuite()
        : TestSuite("photonic-rails-timeline", TestSuite::Type::UNIT)
    {
        AddTestCase(new OperationsTest);
        AddTestCase(new CircuitsTest);
        AddTestCase(new LightTest);
        AddTestCase(new EarlyEndTest);
        AddTestCase(new TrainsTest);
    }
};

static TimelineTestSuite g_timelineTestSuite;

} // namespace
