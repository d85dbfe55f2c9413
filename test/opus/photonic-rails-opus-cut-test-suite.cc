/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The management network is cut, or delivers bytes that are no messages: the operations that go on,
// the reports, and the circuits that do not change.

#include "../support/photonic-rails-opus-jobs.h"
#include "opus-flat-message.h"
#include "photonic-rails-opus-other-controller.h"

#include "ns3/controller-core.h"
#include "ns3/opus-channel.h"
#include "ns3/opus-header.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/shim-statistics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

/** The link that is cut. */
enum class Place
{
    NONE,
    CONTROLLER,
    SHIM,
    AGENT,
};

/** The results of a square job of six iterations whose network was cut for a while. */
struct CutOutcome
{
    static constexpr Picoseconds CUT = 2'000'000'000; //!< in the midst of the job, unless given
    static constexpr Picoseconds GIVE_UP = 50'000'000'000;

    bool over{false};
    std::string findings;
    Picoseconds end{0};      //!< of the last operation
    Picoseconds lastSent{0}; //!< of the messages
    std::vector<LightChange> changes;
    std::vector<OperationRecord> failed;
    std::vector<ShimNote> refused;
    std::size_t stalled{0}; //!< ranks without an event for StallLimit
    uint32_t ended{0};
    uint64_t plans{0};
    bool isTwice{false}; //!< a plan was begun twice

    /** @param place whose link @param mend after how long; 0: never @param policy any @param at
     * when
     */
    CutOutcome(Place place,
               Time mend,
               const std::string& policy = "on-demand",
               Picoseconds at = CUT)
    {
        OpusCase one;
        one.servers = 4;
        one.policy = policy;
        one.abort = false;
        one.adjust = [](OpusHelper& opus) {
            for (const auto& set : {&OpusHelper::SetShimAttribute,
                                    &OpusHelper::SetControllerAttribute,
                                    &OpusHelper::SetAgentAttribute})
            {
                // given up by the channel after 100 us (2^3 - 1) = 0.7 ms, for good after 20 ms
                (opus.*set)("RetransmitAfter", TimeValue(MicroSeconds(100)));
                (opus.*set)("MostAttempts", UintegerValue(3));
                (opus.*set)("RetryFor", TimeValue(MilliSeconds(20)));
            }
            opus.SetShimAttribute("GiveUpAfter", TimeValue(PicoSeconds(GIVE_UP)));
            for (const char* limit : {"VoteLimit", "ProgramLimit"}) // the shims lose timeout first
            {
                opus.SetControllerAttribute(limit, TimeValue(PicoSeconds(2 * GIVE_UP)));
            }
        };
        OpusBench bench(one);
        const SquareJob job(bench);
        const auto program = FourShifts(6, 200'000'000);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank, program, job.GroupsOf(rank));
        }
        const ManagementNetwork& network = bench.plane.network;
        const Ptr<Node> node = place == Place::CONTROLLER ? bench.plane.controller->GetNode()
                               : place == Place::SHIM     ? bench.plane.servers.Get(0)
                                                          : bench.rails[0].GetSwitchNode();
        if (place != Place::NONE)
        {
            Simulator::Schedule(PicoSeconds(at), &ManagementNetwork::Cut, &network, node);
            if (mend.IsStrictlyPositive())
            {
                Simulator::Schedule(PicoSeconds(at) + mend,
                                    &ManagementNetwork::Restore,
                                    &network,
                                    node);
            }
        }
        findings = bench.Run();
        over = bench.IsOver();
        end = bench.end;
        lastSent = bench.sent.back().when;
        for (const ShimNote& note : bench.answers)
        {
            if (note.network == CircuitAnswer::Network::NONE)
            {
                refused.push_back(note);
            }
        }
        changes = bench.changes;
        failed = bench.failed;
        stalled = bench.stalled.size();
        ended = bench.ended.size();
        plans = bench.plans;
        isTwice = bench.isTwice;
    }

    /** @return changes of circuits later than an instant, of server 0 only or of all */
    uint32_t CountAfter(Picoseconds when, bool ofServer0) const
    {
        return std::count_if(changes.begin(), changes.end(), [&](const LightChange& one) {
            return one.when > when && (!ofServer0 || one.low.Get() < 2 || one.high.Get() < 2);
        });
    }
};

/** No circuit changes without a request; and it is reported, once GiveUpAfter is over. */
class CutForGoodTestCase : public TestCase
{
  public:
    CutForGoodTestCase()
        : TestCase("The management network is cut for good")
    {
    }

  private:
    void DoRun() override
    {
        const CutOutcome whole(Place::NONE, Time(0));
        NS_TEST_EXPECT_MSG_EQ((whole.over && whole.findings.empty()), true, whole.findings);
        NS_TEST_ASSERT_MSG_GT(whole.CountAfter(CutOutcome::CUT, true), 8, "half of it is to come");
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (const Place place : {Place::CONTROLLER, Place::SHIM, Place::AGENT})
            {
                Check(CutOutcome(place, Time(0), policy), place, policy);
            }
        }
    }

    void Check(const CutOutcome& cut, Place place, const std::string& policy)
    {
        const std::string name = policy + ", place " + std::to_string(static_cast<int>(place));
        // plans that the switch received before the cut may still reconfigure: 100 us
        const Picoseconds reported = CutOutcome::CUT + 100'000'000;
        NS_TEST_EXPECT_MSG_EQ(cut.CountAfter(reported, place == Place::SHIM),
                              0,
                              name << ": no circuit changes from then on");
        NS_TEST_EXPECT_MSG_EQ(cut.findings, "", name << ": all that was sent is accounted for");
        NS_TEST_EXPECT_MSG_EQ(cut.over, false, name << ": the job cannot go on");
        NS_TEST_EXPECT_MSG_EQ(cut.failed.size(), 4, name << ": every rank is told");
        for (const OperationRecord& record : cut.failed)
        {
            NS_TEST_EXPECT_MSG_NE(record.why.find("no answer"), std::string::npos, record.why);
        }
        NS_TEST_EXPECT_MSG_EQ(cut.refused.size(), 4, name << ": an answer each");
        for (const ShimNote& note : cut.refused)
        {
            NS_TEST_EXPECT_MSG_EQ((note.answered - note.requested).GetTimeStep(),
                                  CutOutcome::GIVE_UP + 1,
                                  name << ": GiveUpAfter, when that instant is over");
        }
        // a rank requests last within an iteration of the cut; the controller's timeout is over
        // twice as late as the shims', and no shim listens for RetryFor
        NS_TEST_EXPECT_MSG_LT(cut.lastSent,
                              CutOutcome::CUT + 3 * CutOutcome::GIVE_UP,
                              name << ": and nobody goes on talking");
    }
};

/**
 * Whatever is under way at the cut, be it requests, plans, grants, releases or light, every rank
 * gets a report, and most of them early: ranks that wait for one that can't receive its grant are
 * recalled. Only where the controller itself is cut off between the grants of two ranks, the other
 * one can't be recalled, and it waits for StallLimit.
 */
class CutAnyTimeTestCase : public TestCase
{
  public:
    CutAnyTimeTestCase()
        : TestCase("The management network is cut for good, at any time")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            for (const Place place : {Place::CONTROLLER, Place::SHIM, Place::AGENT})
            {
                for (Picoseconds at = CutOutcome::CUT; at < 2'600'000'000; at += 13'000'000)
                {
                    const CutOutcome cut(place, Time(0), policy, at);
                    const std::string name = policy + ", place " +
                                             std::to_string(static_cast<int>(place)) + ", at " +
                                             std::to_string(at) + " ps";
                    NS_TEST_EXPECT_MSG_EQ(cut.over, false, name << ": the job cannot go on");
                    NS_TEST_EXPECT_MSG_EQ(cut.failed.size() + cut.stalled, 4, name);
                    const bool isEarly =
                        cut.stalled == 0 && cut.lastSent < at + 3 * CutOutcome::GIVE_UP;
                    NS_TEST_EXPECT_MSG_EQ((isEarly || place == Place::CONTROLLER), true, name);
                    NS_TEST_EXPECT_MSG_EQ((cut.findings.empty() || cut.stalled > 0),
                                          true,
                                          name << ": " << cut.findings);
                }
            }
        }
    }
};

/** A cut that is mended within RetryFor has cost time, and nothing else. */
class MendedTestCase : public TestCase
{
  public:
    MendedTestCase()
        : TestCase("The management network is cut, and mended in time")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string policy : {"on-demand", "provisioned"})
        {
            const CutOutcome whole(Place::NONE, Time(0), policy);
            for (const Place place : {Place::CONTROLLER, Place::SHIM, Place::AGENT})
            {
                for (const Time& mend : {MicroSeconds(300), MilliSeconds(5), MilliSeconds(15)})
                {
                    const CutOutcome cut(place, mend, policy);
                    const std::string name = policy + ", place " +
                                             std::to_string(static_cast<int>(place)) + ", " +
                                             std::to_string(mend.GetMicroSeconds()) + " us";
                    NS_TEST_EXPECT_MSG_EQ(cut.over, true, name << ": all is done");
                    NS_TEST_EXPECT_MSG_EQ(cut.failed.size(), 0, name << ": nothing failed");
                    NS_TEST_EXPECT_MSG_EQ(cut.findings, "", name << ": the audit is clean");
                    NS_TEST_EXPECT_MSG_EQ(cut.ended, whole.ended, name);
                    NS_TEST_EXPECT_MSG_EQ(cut.isTwice, false, name << ": no plan twice");
                    // requests that come together behind the cut may share a plan
                    NS_TEST_EXPECT_MSG_LT(cut.plans, whole.plans + 1, name << ": none more");
                    const Picoseconds late = cut.end - whole.end;
                    NS_TEST_EXPECT_MSG_GT(late, 0, name << ": only later");
                    // lost messages are sent again within 0.7 ms of the end of the cut; that may
                    // happen to their answers, too
                    NS_TEST_EXPECT_MSG_LT(late,
                                          mend.GetTimeStep() + MilliSeconds(2).GetTimeStep(),
                                          name << ": by little more than the cut");
                }
            }
        }
    }
};

/** Bytes that are no message of this version are refused, counted, and change nothing. */
class NonsenseTestCase : public TestCase
{
  public:
    NonsenseTestCase()
        : TestCase("Unknown versions and truncated datagrams")
    {
    }

  private:
    /** The results of a run. */
    struct Outcome
    {
        std::vector<Picoseconds> ends;
        std::vector<LightChange> changes;
        std::map<OpusRefusal, uint64_t> traced;
        OpusChannelCounters controller;
        OpusChannelCounters agent;
        ControllerCounters decisions;
        std::string findings;

        void Refused(OpusRefusal why, const OpusPeer&)
        {
            ++traced[why];
        }
    };

    static Outcome RunWith(bool nonsense)
    {
        OpusCase one;
        OpusBench bench(one);
        Outcome outcome;
        const auto group = bench.MakeGroup("dp 0", {0, 1});
        auto program = std::make_shared<RankProgram>();
        program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
        program->Compute(0, ToTime(1'000'000'000)); // 1 ms without a message
        program->Collective(0, 0, CollectiveKind::ALL_GATHER, 1 << 18, "ring");
        bench.SetProgram(0, program, {group});
        bench.SetProgram(1, program, {group});
        const std::vector<Ptr<OpusEndpoint>> victims{bench.plane.controller, bench.plane.agents[0]};
        for (const Ptr<OpusEndpoint>& victim : victims)
        {
            victim->TraceConnectWithoutContext("MessageRefused",
                                               MakeCallback(&Outcome::Refused, &outcome));
        }
        OtherController otherController(bench.plane.servers.Get(0));
        if (nonsense)
        {
            Exchange(otherController, bench);
        }
        outcome.findings = bench.Run();
        for (const OperationRecord& record : bench.ended)
        {
            outcome.ends.push_back(record.end.GetTimeStep());
        }
        outcome.changes = bench.changes;
        outcome.controller = bench.plane.controller->GetChannelCounters();
        outcome.agent = bench.plane.agents[0]->GetChannelCounters();
        outcome.decisions = bench.plane.controller->GetCore().GetCounters();
        return outcome;
    }

    static void Exchange(OtherController& otherController, const OpusBench& bench)
    {
        FlatMessage<OpusProgram> message; // that would take all circuits, if it were taken
        message.plan = 999;
        message.term = 77;
        message.down = {{PortId(0), PortId(2)}, {PortId(1), PortId(3)}};
        const std::vector<uint8_t> good = MakeDatagram(message, 1);
        std::vector<std::vector<uint8_t>> all;
        all.push_back({});                                // nothing at all: not OPUS
        all.push_back({good.begin(), good.begin() + 20}); // within the head
        all.push_back({good.begin(), good.end() - 1});    // within the piece
        std::vector<uint8_t> bad = good;
        bad[4] = OpusHeader::VERSION + 1;
        all.push_back(bad);
        bad[4] = 0;
        all.push_back(bad);
        bad = good;
        bad[0] = 'o';
        all.push_back(bad); // not OPUS
        bad = good;
        bad[5] = 3;
        all.push_back(bad); // unknown flags
        bad = good;
        bad[OpusHeader::SIZE] = 99;
        all.push_back(bad); // type of the message; the datagram is all right
        Picoseconds at = 500'000'000;
        for (const std::vector<uint8_t>& octets : all)
        {
            for (const Ptr<Node>& node :
                 {bench.plane.controller->GetNode(), bench.rails[0].GetSwitchNode()})
            {
                const OpusPeer to{bench.plane.network.GetAddress(node), OPUS_PORT};
                Simulator::Schedule(PicoSeconds(at += 10'000'000),
                                    &OtherController::Send,
                                    &otherController,
                                    octets,
                                    to);
            }
        }
    }

    void DoRun() override
    {
        const Outcome quiet = RunWith(false);
        const Outcome loud = RunWith(true);
        NS_TEST_EXPECT_MSG_EQ(quiet.findings + loud.findings, "", "the audits are clean");
        NS_TEST_EXPECT_MSG_EQ(quiet.traced.empty(), true, "nothing is refused of honest people");
        const std::map<OpusRefusal, uint64_t> each{{OpusRefusal::TRUNCATED, 2},
                                                   {OpusRefusal::UNKNOWN_VERSION, 2},
                                                   {OpusRefusal::NOT_OPUS, 2},
                                                   {OpusRefusal::UNKNOWN_FLAGS, 1},
                                                   {OpusRefusal::UNKNOWN_TYPE, 1}};
        for (const auto& [why, count] : each)
        {
            NS_TEST_EXPECT_MSG_EQ(loud.controller.GetRefused(why), count, ToString(why));
            NS_TEST_EXPECT_MSG_EQ(loud.agent.GetRefused(why), count, ToString(why));
            const auto traced = loud.traced.find(why);
            NS_TEST_ASSERT_MSG_EQ((traced != loud.traced.end()), true, ToString(why));
            NS_TEST_EXPECT_MSG_EQ(traced->second, 2 * count, ToString(why));
        }
        NS_TEST_EXPECT_MSG_EQ(loud.traced.size(), each.size(), "and nothing else");
        NS_TEST_EXPECT_MSG_EQ(loud.controller.received, quiet.controller.received, "not taken");
        NS_TEST_EXPECT_MSG_EQ(loud.agent.received, quiet.agent.received, "not taken");
        NS_TEST_EXPECT_MSG_EQ(loud.decisions.unknown, 0, "they do not come so far");
        NS_TEST_EXPECT_MSG_EQ(loud.ends.size(), 6, "all is done");
        NS_TEST_EXPECT_MSG_EQ((loud.ends == quiet.ends), true, "at the same picosecond");
        NS_TEST_EXPECT_MSG_EQ(loud.changes.size(), quiet.changes.size(), "no circuit changed");
    }
};

/** The suite. */
class OpusCutTestSuite : public TestSuite
{
  public:
    OpusCutTestSuite()
        : TestSuite("photonic-rails-opus-cut", TestSuite::Type::UNIT)
    {
        AddTestCase(new CutForGoodTestCase);
        AddTestCase(new CutAnyTimeTestCase);
        AddTestCase(new MendedTestCase);
        AddTestCase(new NonsenseTestCase);
    }
};

static OpusCutTestSuite g_opusCutTestSuite;

} // namespace
