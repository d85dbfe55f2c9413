/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Arrows of a timeline lead from each message's leaving to its arrival, and from the request to the
// answer.

#include "../support/photonic-rails-opus-bench.h"
#include "../support/photonic-rails-timeline-file.h"
#include "photonic-rails-opus-timeline-bench.h"

#include "ns3/opus-encoding.h"
#include "ns3/opus-helper.h"
#include "ns3/opus-message.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

using namespace ns3;

namespace
{

using Type = OpusMessage::Type;

/** Arrows. */
class ArrowsTest : public TestCase
{
  public:
    ArrowsTest(const std::string& name, const OpusCase& one, Time crash = Time(0))
        : TestCase(name + ": a grant has one arrow from its request, and a message one on its way"),
          m_case(one),
          m_crash(crash)
    {
    }

  private:
    void DoRun() override
    {
        TimelineScenario scenario(m_case);
        const std::string name = CreateTempDirFilename("arrows.json");
        if (m_crash.IsStrictlyPositive())
        {
            Simulator::Schedule(m_crash, &OpusEndpoint::Crash, scenario.bench->plane.controller);
        }
        scenario.Run(name);
        NS_TEST_EXPECT_MSG_EQ(scenario.findings, "", "the run is sound");
        NS_TEST_EXPECT_MSG_EQ(scenario.bench->IsOver(), true, "and over");
        const ReadFile file(name);
        CheckGrants(scenario, file);
        CheckMessages(scenario, file);
        if (!m_case.adjust) // an answer that is sent again does not leave when the reconfiguration
                            // ends
        {
            CheckWay(file);
        }
    }

    void CheckGrants(const TimelineScenario& scenario, const ReadFile& file)
    {
        Drawn drawn;
        for (const auto& [id, arrow] : file.arrows)
        {
            if (arrow.name == "granted")
            {
                NS_TEST_EXPECT_MSG_EQ(arrow.from.first, arrow.to.first, "one shim");
                drawn.emplace(arrow.to.first, arrow.to.second, arrow.name, arrow.start, arrow.end);
            }
        }
        Drawn expected;
        for (const TimedMessage& grant : scenario.GetReceived(Type::GRANT))
        {
            // @param scenario the recorded messages
            // @param come a message that came in
            // @param used messages that left and came in already: of two equal ones, both may be on
            // their way
            // @return when it left: for the last time before it came in, if it was given up in
            // between
            Picoseconds request = -1;
            for (const TimedMessage& timed : scenario.sent)
            {
                const OpusRequest* wanted = timed.message.Find<OpusRequest>();
                const OpusGrant& granted = grant.message.Get<OpusGrant>();
                const bool isIt = wanted && wanted->phase == granted.phase &&
                                  wanted->number == granted.number && timed.who == grant.who &&
                                  timed.when + 2 * m_case.latency.GetTimeStep() <= grant.when &&
                                  std::find_first_of(wanted->ranks.begin(),
                                                     wanted->ranks.end(),
                                                     granted.ranks.begin(),
                                                     granted.ranks.end()) != wanted->ranks.end();
                request = isIt ? timed.when : request;
            }
            NS_TEST_EXPECT_MSG_GT_OR_EQ(request, 0, "nothing is granted unasked");
            expected.emplace(grant.who, "messages", "granted", request, grant.when);
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(expected.size(), 8, "4 shims, 2 parallelisms");
        NS_TEST_EXPECT_MSG_EQ(Difference(drawn, expected), "", "arrows of grants");
    }

    void CheckMessages(const TimelineScenario& scenario, const ReadFile& file)
    {
        for (const Type type : {Type::REGISTER_GROUP,
                                Type::REQUEST,
                                Type::GRANT,
                                Type::RELEASE,
                                Type::PROGRAM,
                                Type::DONE,
                                Type::LEAVE})
        {
            Drawn expected;
            std::set<const TimedMessage*> used;
            for (const TimedMessage& timed : scenario.GetReceived(type))
            {
                const Picoseconds left = FindSent(scenario, timed, used);
                expected.emplace(timed.who, "messages", ToString(type), left, timed.when);
            }
            Drawn drawn;
            for (const auto& [id, arrow] : file.arrows)
            {
                if (arrow.name == ToString(type))
                {
                    drawn.emplace(arrow.to.first,
                                  arrow.to.second,
                                  arrow.name,
                                  arrow.start,
                                  arrow.end);
                }
            }
            NS_TEST_EXPECT_MSG_GT(expected.size(), 0, ToString(type) << " is said");
            NS_TEST_EXPECT_MSG_EQ(Difference(drawn, expected), "", ToString(type) << " arrows");
        }
        Drawn marks;
        for (const auto* some : {&scenario.sent, &scenario.received})
        {
            for (const TimedMessage& timed : *some)
            {
                if (!timed.message.Is<OpusHeartbeat>())
                {
                    marks.emplace(timed.who,
                                  "messages",
                                  ToString(timed.message.GetType()),
                                  timed.when,
                                  timed.when);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(Difference(Collect(file, "", "messages"), marks), "", "marks");
    }

    /** From each first grant an arrow leads back over DONE and PROGRAM to a request. */
    Picoseconds FindSent(const TimelineScenario& scenario,
                         const TimedMessage& come,
                         std::set<const TimedMessage*>& used) const
    {
        const TimedMessage* left = nullptr;
        for (const TimedMessage& timed : scenario.sent)
        {
            const OpusRecord one = OpusEncoding::MakeRecord(timed.message);
            const OpusRecord other = OpusEncoding::MakeRecord(come.message);
            const bool isIt =
                one.type == other.type && one.term == other.term && one.server == other.server &&
                one.rail == other.rail && one.phase == other.phase && one.number == other.number &&
                one.until == other.until && one.flag == other.flag && one.ranks == other.ranks &&
                timed.when + m_case.latency.GetTimeStep() <= come.when && used.count(&timed) == 0;
            left = isIt ? &timed : left;
        }
        used.insert(left);
        return left ? left->when : -1;
    }

    /** From each first grant there is a way back over DONE and PROGRAM to a request. */
    void CheckWay(const ReadFile& file)
    {
        using End = std::tuple<std::string, std::string, Picoseconds>;
        std::map<End, const ReadArrow*> into;
        uint32_t turned = 0;
        for (const auto& [id, arrow] : file.arrows)
        {
            into[{arrow.name, arrow.to.first, arrow.end}] = &arrow;
        }
        for (const auto& [id, arrow] : file.arrows)
        {
            if (arrow.name != "grant")
            {
                continue;
            }
            const auto cause = into.find({"leads to", arrow.from.first, arrow.start});
            NS_TEST_ASSERT_MSG_EQ((cause != into.end()), true, "a grant has a cause");
            const ReadArrow& why = *cause->second;
            const auto done = into.find({"done", why.from.first, why.start});
            if (done == into.end())
            {
                const auto request = into.find({"request", why.from.first, why.start});
                NS_TEST_EXPECT_MSG_EQ((request != into.end()), true, "the last vote");
                continue;
            }
            ++turned;
            // the agent answers a picosecond after its reconfiguration has ended
            const Picoseconds begun =
                done->second->start - 1 - m_case.reconfiguration.GetTimeStep();
            const auto program = into.find({"program", "rail 0 agent", begun});
            NS_TEST_ASSERT_MSG_EQ((program != into.end()), true, "as long as mirrors turn");
            const ReadArrow& order = *program->second;
            const auto vote = into.find({"leads to", order.from.first, order.start});
            NS_TEST_ASSERT_MSG_EQ((vote != into.end()), true, "a plan has a cause");
            const auto request =
                into.find({"request", vote->second->from.first, vote->second->start});
            NS_TEST_EXPECT_MSG_EQ((request != into.end()), true, "which is a vote");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(turned, 4, "circuits turned for all");
    }

    OpusCase m_case;
    Time m_crash;
};

/** No other rank requests circuits. */
class RefusalTimelineTest : public TestCase
{
  public:
    RefusalTimelineTest()
        : TestCase("a refusal has one arrow from its request, and ends the wait")
    {
    }

  private:
    void DoRun() override
    {
        OpusCase one;
        one.abort = false;
        const Picoseconds limit = 1'000'000'000;
        one.adjust = [limit](OpusHelper& helper) {
            helper.SetControllerAttribute("VoteLimit", TimeValue(ToTime(limit)));
        };
        const std::string name = CreateTempDirFilename("refusal.json");
        {
            OpusBench bench(one);
            const auto group = bench.MakeGroup("dp 0", {0, 1});
            bench.SetProgram(0, OneCollective(CollectiveKind::ALL_GATHER, 1 << 20), {group});
            TimelineRecorder timeline(name);
            timeline.Add(bench.plane);
            bench.Run();
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 1, "it fails");
        } // which destroys the simulation, and completes the file
        const ReadFile file(name);
        uint32_t arrows = 0;
        for (const auto& [id, arrow] : file.arrows)
        {
            if (arrow.name == "refused")
            {
                ++arrows;
                NS_TEST_EXPECT_MSG_EQ(arrow.from.first, "server 0 shim", "who asked");
                NS_TEST_EXPECT_MSG_EQ(arrow.to.first, "server 0 shim", "who asked");
                NS_TEST_EXPECT_MSG_EQ(arrow.start, one.hostLatency.GetTimeStep(), "when it asked");
                NS_TEST_EXPECT_MSG_GT(arrow.end - arrow.start,
                                      limit + 2 * one.latency.GetTimeStep(),
                                      "there and back");
            }
            NS_TEST_EXPECT_MSG_NE(arrow.name, "granted", "nothing is");
        }
        NS_TEST_EXPECT_MSG_EQ(arrows, 1, "one of the two servers asked");
        const auto& waits = file.slices.at({"server 0 shim", "rank 0"});
        NS_TEST_ASSERT_MSG_EQ(waits.size(), 1, "it is over");
        NS_TEST_EXPECT_MSG_EQ(After(waits[0].line, "answer"), "refused", "what came of it");
        NS_TEST_EXPECT_MSG_EQ(After(waits[0].line, "unfinished"), "", "it is over");
    }
};

/** The suite. */
class OpusArrowsTestSuite : public TestSuite
{
  public:
    OpusArrowsTestSuite()
        : TestSuite("photonic-rails-opus-arrows", TestSuite::Type::UNIT)
    {
        OpusCase one;
        OpusCase provisioned = one;
        provisioned.policy = "provisioned";
        OpusCase lossy = one;
        lossy.loss = 0.1;
        OpusCase pair = one;
        pair.standby = true;
        AddTestCase(new ArrowsTest("On demand", one));
        AddTestCase(new ArrowsTest("Provisioned", provisioned));
        AddTestCase(new ArrowsTest("With loss", lossy));
        AddTestCase(new ArrowsTest("With a standby", pair));
        AddTestCase(new ArrowsTest("With a standby that takes over", pair, MicroSeconds(300)));
        AddTestCase(new RefusalTimelineTest);
    }
};

static OpusArrowsTestSuite g_opusArrowsTestSuite;

} // namespace
