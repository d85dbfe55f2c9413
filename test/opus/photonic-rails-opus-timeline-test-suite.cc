/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A timeline of a control plane shows its messages and decisions, to the picosecond.

#include "../support/photonic-rails-opus-bench.h"
#include "../support/photonic-rails-timeline-file.h"
#include "photonic-rails-opus-timeline-bench.h"

#include "ns3/controller-note.h"
#include "ns3/opus-message.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-net-device.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"
#include "ns3/timeline-tracks.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using Type = OpusMessage::Type;

/** Waits, plans and reconfiguration. */
class SpansTest : public TestCase
{
  public:
    SpansTest(const std::string& name, const OpusCase& one)
        : TestCase(name + ": waits, plans and turning are drawn once, and do not overlap"),
          m_case(one)
    {
    }

  private:
    void DoRun() override
    {
        TimelineScenario scenario(m_case);
        const std::string name = CreateTempDirFilename("spans.json");
        scenario.Run(name);
        const ReadFile file(name);
        CheckWaits(scenario, file);
        CheckPlans(scenario, file);
        for (const auto& [where, slices] : file.slices)
        {
            auto sorted = slices;
            std::sort(sorted.begin(), sorted.end(), [](const ReadSlice& a, const ReadSlice& b) {
                return std::tie(a.start, a.end) < std::tie(b.start, b.end);
            });
            for (std::size_t i = 1; i < sorted.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(sorted[i - 1].end,
                                            sorted[i].start,
                                            where.first << " " << where.second);
            }
        }
        // nothing stands at first, and ports of one pair reconfigure while those of the other do
        NS_TEST_EXPECT_MSG_EQ(file.slices.count({"controller", "rail 0 (2)"}), 1, "at once");
        NS_TEST_EXPECT_MSG_EQ(file.slices.count({"controller", "rail 0 (3)"}), 0, "no more pairs");
        NS_TEST_EXPECT_MSG_EQ(file.slices.count({"rail 0 agent", "agent (2)"}), 1, "at once");
        NS_TEST_EXPECT_MSG_EQ(file.slices.count({"rail 0 agent", "agent (3)"}), 0, "no more pairs");
        std::map<std::string, uint64_t> decisions;
        for (const ReadSlice& instant : file.instants.at({"controller", "decisions"}))
        {
            ++decisions[instant.name];
        }
        uint64_t count = 0;
        for (const ControllerNote& note : scenario.bench->decisions)
        {
            std::string words = ToString(note.kind);
            std::replace(words.begin(), words.end(), '-', ' ');
            NS_TEST_EXPECT_MSG_EQ(decisions[words],
                                  scenario.bench->Count(note.kind),
                                  "as many: " << words);
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(file.instants.at({"controller", "decisions"}).size(),
                              count,
                              "no others");
        NS_TEST_EXPECT_MSG_GT(decisions["votes complete"], 0, "in words");
    }

    void CheckWaits(const TimelineScenario& scenario, const ReadFile& file)
    {
        Drawn expected;
        uint32_t atOnce = 0;
        for (const ShimNote& note : scenario.bench->answers)
        {
            atOnce += note.answered == note.requested ? 1 : 0;
            const std::string rank = std::to_string(note.rank.Get());
            std::string what = "waits for " + note.parallelism + ", ";
            what += note.phase.pointToPoint ? "send " : "operation ";
            what += std::to_string(note.phase.operation);
            if (note.phase.pointToPoint)
            {
                what += " from rank " + std::to_string(note.phase.from.Get()) + " to rank " +
                        std::to_string(note.phase.to.Get());
            }
            if (note.answered > note.requested) // ranks are servers here
            {
                expected.emplace("server " + rank + " shim",
                                 "rank " + rank,
                                 what,
                                 note.requested.GetTimeStep(),
                                 note.answered.GetTimeStep());
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(expected.size(), 8, "each waits for both parallelisms");
        NS_TEST_EXPECT_MSG_GT(atOnce, 0, "who has the circuits does not wait");
        NS_TEST_EXPECT_MSG_EQ(Difference(Collect(file, "shim", "rank "), expected), "", "waits");
        const ShimNote* note = scenario.bench->FindAnswer(0, "pp");
        NS_TEST_ASSERT_MSG_EQ((note != nullptr), true, "rank 0 asks");
        const std::string& line = file.slices.at({"server 0 shim", "rank 0"}).at(0).line;
        NS_TEST_EXPECT_MSG_GT(note->others, Time(0), "rank 2 computes longer");
        NS_TEST_EXPECT_MSG_EQ(ReadMicroseconds(After(line, "others_us")),
                              note->others.GetTimeStep(),
                              "others");
        NS_TEST_EXPECT_MSG_EQ(ReadMicroseconds(After(line, "exposed_us")),
                              note->exposed.GetTimeStep(),
                              "circuits");
        NS_TEST_EXPECT_MSG_EQ(ReadMicroseconds(After(line, "reconfiguration_us")),
                              note->reconfiguration.GetTimeStep(),
                              "reconfiguring");
    }

    void CheckPlans(const TimelineScenario& scenario, const ReadFile& file)
    {
        std::set<uint64_t> known;
        Drawn plans;
        Drawn turns;
        for (const TimedMessage& program : scenario.sent)
        {
            const OpusProgram* first = program.message.Find<OpusProgram>();
            if (!first || !known.insert(first->plan).second)
            {
                continue;
            }
            const auto isIt = [number = first->plan](const TimedMessage& timed) {
                const OpusProgram* other = timed.message.Find<OpusProgram>();
                return (other ? other->plan : timed.message.Get<OpusDone>().plan) == number;
            };
            const auto come = scenario.GetReceived(Type::PROGRAM);
            const auto order = std::find_if(come.begin(), come.end(), isIt);
            const auto answers = scenario.GetReceived(Type::DONE);
            const auto answer = std::find_if(answers.begin(), answers.end(), isIt);
            NS_TEST_ASSERT_MSG_EQ((order != come.end() && answer != answers.end()), true, "a plan");
            plans.emplace("controller", "rail 0", "plan", program.when, answer->when);
            turns.emplace("rail 0 agent",
                          "agent",
                          "reconfiguring",
                          order->when,
                          order->when + m_case.reconfiguration.GetTimeStep() +
                              1); // the agent answers when that instant is over
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(plans.size(), 3, "all, and two pairs");
        NS_TEST_EXPECT_MSG_EQ(Difference(Collect(file, "controller", "rail "), plans), "", "plans");
        NS_TEST_EXPECT_MSG_EQ(Difference(Collect(file, "agent", "agent"), turns),
                              "",
                              "reconfiguring");
    }

    OpusCase m_case;
};

/** The end comes early. */
class OpusEarlyEndTest : public TestCase
{
  public:
    OpusEarlyEndTest()
        : TestCase("waits, plans and turning that go on at the end are drawn up to it")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        TimelineScenario scenario(one);
        const std::string name = CreateTempDirFilename("early.json");
        // the last rank calls after 29 us; its request takes 10 us, the program too, and the
        // reconfiguration 100
        const Time stop = MicroSeconds(100);
        scenario.Run(name, stop);
        const ReadFile file(name);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            const std::string process = "server " + std::to_string(rank) + " shim";
            const auto found = file.slices.find({process, "rank " + std::to_string(rank)});
            NS_TEST_ASSERT_MSG_EQ((found != file.slices.end()), true, process);
            NS_TEST_ASSERT_MSG_EQ(found->second.size(), 1, process);
            CheckSlice(found->second[0],
                       "waits for pp, send 0 from rank " + std::to_string(rank % 2) + " to rank " +
                           std::to_string(rank % 2 + 2),
                       7'000'003 * (rank + 1) + one.hostLatency.GetTimeStep(),
                       stop.GetTimeStep());
        }
        std::vector<TimedMessage> sent;
        std::copy_if(scenario.sent.begin(),
                     scenario.sent.end(),
                     std::back_inserter(sent),
                     [](const TimedMessage& timed) { return timed.message.Is<OpusProgram>(); });
        const std::vector<TimedMessage> come = scenario.GetReceived(Type::PROGRAM);
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 2, "two pairs");
        NS_TEST_ASSERT_MSG_EQ(come.size(), 2, "both are carried out");
        const std::vector<std::string> tracks{"", " (2)"};
        for (std::size_t i = 0; i < tracks.size(); ++i)
        {
            const auto& plans = file.slices.at({"controller", "rail 0" + tracks[i]});
            NS_TEST_ASSERT_MSG_EQ(plans.size(), 1, "a plan");
            CheckSlice(plans[0], "plan", sent[i].when, stop.GetTimeStep());
            const auto& reconfiguration = file.slices.at({"rail 0 agent", "agent" + tracks[i]});
            NS_TEST_ASSERT_MSG_EQ(reconfiguration.size(), 1, "it is carried out");
            CheckSlice(reconfiguration[0], "reconfiguring", come[i].when, stop.GetTimeStep());
        }
    }

    void CheckSlice(const ReadSlice& slice,
                    const std::string& name,
                    Picoseconds start,
                    Picoseconds end)
    {
        NS_TEST_EXPECT_MSG_EQ(slice.name, name, "what");
        NS_TEST_EXPECT_MSG_EQ(slice.start, start, name << ": from");
        NS_TEST_EXPECT_MSG_EQ(slice.end, end, name << ": to the end");
        NS_TEST_EXPECT_MSG_EQ(After(slice.line, "unfinished"), "true", name);
    }
};

/** The end comes while a guess is under way. */
class GuessTimelineTest : public TestCase
{
  public:
    GuessTimelineTest()
        : TestCase("what is only asked for in advance is not waited for")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.policy = "provisioned";
        Picoseconds guess = -1;
        {
            TimelineScenario scenario(one);
            scenario.Run("");
            for (const TimedMessage& timed : scenario.sent)
            {
                const OpusRequest* request = timed.message.Find<OpusRequest>();
                const bool isGuess = request && request->isAhead && guess < 0;
                guess = isGuess ? timed.when : guess;
            }
        }
        NS_TEST_ASSERT_MSG_GT(guess, 0, "something is guessed");
        TimelineScenario scenario(one);
        const std::string name = CreateTempDirFilename("guess.json");
        scenario.Run(name, ToTime(guess + 1));
        NS_TEST_ASSERT_MSG_EQ(scenario.sent.back().message.Get<OpusRequest>().isAhead,
                              true,
                              "it is out");
        for (const auto& [where, slices] : ReadTimeline(name))
        {
            for (const ReadSlice& slice : slices)
            {
                const bool isWait = where.second.rfind("rank ", 0) == 0;
                NS_TEST_EXPECT_MSG_EQ((isWait && slice.start == guess), false, slice.name);
            }
        }
    }
};

/** A standby takes over. */
class TakeoverTimelineTest : public TestCase
{
  public:
    TakeoverTimelineTest()
        : TestCase("a plan of a controller that broke down ends for it when its standby takes over")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.standby = true;
        one.reconfiguration = MilliSeconds(200); // longer than it takes to take over
        TimelineScenario scenario(one);
        const std::string name = CreateTempDirFilename("takeover.json");
        const Time crash = MilliSeconds(100);
        Simulator::Schedule(crash, &OpusEndpoint::Crash, scenario.bench->plane.controller);
        scenario.Run(name);
        NS_TEST_EXPECT_MSG_EQ(scenario.findings, "", "the run is sound");
        NS_TEST_EXPECT_MSG_EQ(scenario.bench->IsOver(), true, "and over");
        const ReadFile file(name);
        Picoseconds takeover = -1;
        for (const ReadSlice& instant : file.instants.at({"standby", "decisions"}))
        {
            takeover = instant.name == "takeover" ? instant.start : takeover;
        }
        NS_TEST_EXPECT_MSG_GT(takeover, crash.GetTimeStep(), "it takes over");
        const auto& old = file.slices.at({"controller", "rail 0"});
        NS_TEST_ASSERT_MSG_EQ(old.size(), 1, "the one in charge had a plan");
        NS_TEST_EXPECT_MSG_EQ(old[0].end, takeover, "which it does not wait for any more");
        NS_TEST_EXPECT_MSG_EQ(After(old[0].line, "taken_over"), "true", "so it says");
        for (const ReadSlice& further : file.slices.at({"standby", "rail 0"}))
        {
            NS_TEST_EXPECT_MSG_GT(further.start, takeover - 1, "the other one has its own");
            NS_TEST_EXPECT_MSG_NE(After(further.line, "plan"), After(old[0].line, "plan"), "plans");
        }
    }
};

/** Jobs, rails, tracks. */
class NamesTest : public TestCase
{
  public:
    NamesTest()
        : TestCase("each job's shim of a server is a process; what overlaps has another track")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.rails = 2;
        one.jobs = {{0, 2}, {1, 3}};
        const std::string name = CreateTempDirFilename("names.json");
        OpusBench bench(one);
        const auto program = OneCollective(CollectiveKind::ALL_GATHER, 1 << 20);
        for (uint32_t job = 0; job < 2; ++job)
        {
            const auto group = bench.MakeGroup("dp " + std::to_string(job), {job, job + 2});
            bench.SetProgram(job, program, {group});
            bench.SetProgram(job + 2, program, {group});
        }
        TimelineRecorder timeline(name);
        timeline.Add(bench.plane);
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the run is sound");
        timeline.Finish();
        const ReadFile file(name);
        const std::vector<std::string> processes{"controller",
                                                 "server 0 shim of job 0",
                                                 "server 1 shim of job 0",
                                                 "server 0 shim of job 1",
                                                 "server 1 shim of job 1",
                                                 "rail 0 agent",
                                                 "rail 1 agent"};
        NS_TEST_EXPECT_MSG_EQ((file.processes == processes), true, "in this order");
        for (const ReadTrack& track : std::vector<ReadTrack>{{"server 0 shim of job 1", "rank 1"},
                                                             {"server 1 shim of job 1", "rank 3"},
                                                             {"controller", "rail 1"},
                                                             {"rail 1 agent", "agent"}})
        {
            NS_TEST_EXPECT_MSG_EQ(file.slices.count(track), 1, track.first << " " << track.second);
        }

        const auto picture = std::make_shared<Timeline>(CreateTempDirFilename("lanes.json"));
        TimelineTracks tracks(picture, picture->AddProcess("somebody"), "rank 3", 1);
        const TimelineTrack first = tracks.Take(ToTime(2), ToTime(5));
        const TimelineTrack second = tracks.Take(ToTime(0), ToTime(10));
        NS_TEST_EXPECT_MSG_EQ((first != second), true, "it began before");
        NS_TEST_EXPECT_MSG_EQ(tracks.Take(ToTime(5), Time::Max()), first, "which is free again");
        NS_TEST_EXPECT_MSG_EQ((tracks.Take(ToTime(6), ToTime(7)) != first), true, "which is not");
        tracks.Free(first, ToTime(8));
        NS_TEST_EXPECT_MSG_EQ(tracks.Take(ToTime(8), ToTime(9)), first, "which is free early");
    }
};

/** Any events. */
class OpusSameRunTest : public TestCase
{
  public:
    OpusSameRunTest()
        : TestCase("recording a control plane changes nothing; electrical rails have none")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool electrical : {false, true})
        {
            OpusCase one;
            one.electrical = electrical;
            one.policy = electrical ? "electrical" : "provisioned";
            std::vector<std::vector<Picoseconds>> ends;
            const std::string name = CreateTempDirFilename("same.json");
            for (const std::string& file : {std::string(), name})
            {
                TimelineScenario scenario(one);
                scenario.Run(file);
                ends.emplace_back();
                for (const OperationRecord& record : scenario.bench->ended)
                {
                    ends.back().push_back(record.end.GetTimeStep());
                }
                for (const TimedMessage& timed : scenario.received)
                {
                    ends.back().push_back(timed.when);
                }
                for (const Rail& rail : scenario.bench->rails)
                {
                    for (uint32_t gpu = 0; gpu < rail.GetGpus(); ++gpu)
                    {
                        ends.back().push_back(rail.GetNic(gpu, 0)->GetTrains().frames);
                        ends.back().push_back(rail.GetNic(gpu, 0)->GetTrains().left);
                    }
                }
            }
            NS_TEST_EXPECT_MSG_GT(ends[0].size(), 24, "there is something");
            NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "the same");
            const auto processes = ReadFile(name).processes;
            const uint64_t controllers =
                std::count(processes.begin(), processes.end(), "controller");
            const bool shims =
                std::any_of(processes.begin(), processes.end(), [](const std::string& process) {
                    return process.find("shim") != std::string::npos;
                });
            NS_TEST_EXPECT_MSG_EQ(controllers, (electrical ? 0 : 1), "controllers");
            NS_TEST_EXPECT_MSG_EQ(shims, !electrical, "shims");
        }
    }
};

/** The suite. */
class OpusTimelineTestSuite : public TestSuite
{
  public:
    OpusTimelineTestSuite()
        : TestSuite("photonic-rails-opus-timeline", TestSuite::Type::UNIT)
    {
        OpusCase one;
        OpusCase provisioned = one;
        provisioned.policy = "provisioned";
        AddTestCase(new SpansTest("On demand", one));
        AddTestCase(new SpansTest("Provisioned", provisioned));
        AddTestCase(new SpansTest("With messages given up", GivenUp()));
        AddTestCase(new OpusEarlyEndTest);
        AddTestCase(new GuessTimelineTest);
        AddTestCase(new TakeoverTimelineTest);
        AddTestCase(new NamesTest);
        AddTestCase(new OpusSameRunTest);
    }
};

static OpusTimelineTestSuite g_opusTimelineTestSuite;

} // namespace
