/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Processing times of shims, controllers and agents: one input after another, and nothing is lost.

#include "../support/photonic-rails-opus-bench.h"
#include "../support/photonic-rails-opus-jobs.h"
#include "../support/photonic-rails-timeline-file.h"
#include "../support/time-units.h"
#include "opus-flat-message.h"
#include "photonic-rails-opus-other-controller.h"

#include "ns3/double.h"
#include "ns3/opus-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** @return a random variable that is always the same @param span its value */
Ptr<RandomVariableStream>
MakeConstant(Picoseconds span)
{
    const Ptr<ConstantRandomVariable> constant = CreateObject<ConstantRandomVariable>();
    constant->SetAttribute("Constant", DoubleValue(span / 1e12));
    return constant;
}

/** @return all endpoints of a control plane */
std::vector<Ptr<OpusEndpoint>>
GetEndpoints(const OpusControlPlane& plane)
{
    std::vector<Ptr<OpusEndpoint>> all{plane.controller};
    all.insert(all.end(), plane.shims.begin(), plane.shims.end());
    all.insert(all.end(), plane.agents.begin(), plane.agents.end());
    return all;
}

/** The inputs of an endpoint: arrivals of messages, and the times of their processing. */
struct InputRecord
{
    explicit InputRecord(Ptr<OpusEndpoint> endpoint)
    {
        endpoint->TraceConnectWithoutContext("MessageReceived",
                                             MakeCallback(&InputRecord::Received, this));
        endpoint->TraceConnectWithoutContext("MessageSent", MakeCallback(&InputRecord::Sent, this));
        endpoint->TraceConnectWithoutContext("InputProcessed",
                                             MakeCallback(&InputRecord::Processed, this));
        endpoint->TraceConnectWithoutContext("QueueLength",
                                             MakeCallback(&InputRecord::Changed, this));
    }

    void Received(const OpusMessage&, const OpusPeer&)
    {
        received.push_back(NowPicoseconds());
    }

    void Sent(const OpusMessage& message, const OpusPeer&)
    {
        sent.emplace_back(message.GetType(), NowPicoseconds());
    }

    void Processed(Time arrived, Time begun, Time ended)
    {
        processed.push_back({arrived.GetTimeStep(), begun.GetTimeStep(), ended.GetTimeStep()});
    }

    void Changed(uint32_t, uint32_t length)
    {
        longest = std::max(longest, length);
        last = length;
    }

    std::vector<Picoseconds> received;
    std::vector<std::pair<OpusMessageType, Picoseconds>> sent;
    std::vector<ProcessingQueue::Times> processed;
    uint32_t longest{0};
    uint32_t last{0};
};

/** Plans that change nothing, sent to an agent at one instant: D/D/1. */
class AgentQueueTest : public TestCase
{
  public:
    AgentQueueTest()
        : TestCase("An agent answers the k-th of many messages k processing times after the first")
    {
    }

  private:
    static constexpr uint64_t PLANS = 20;
    static constexpr Picoseconds SPAN = 300 * US; // longer than the time between two datagrams

    void DoRun() override
    {
        OpusCase one;
        one.adjust = [](OpusHelper& opus) {
            opus.SetAgentAttribute("ProcessingTime", PointerValue(MakeConstant(SPAN)));
        };
        OpusBench bench(one);
        const Ptr<OcsAgent> agent = bench.plane.agents[0];
        InputRecord record(agent);
        OtherController other(bench.plane.servers.Get(0));
        const Ptr<Node> railSwitch = bench.rails[0].GetSwitchNode();
        const OpusPeer peer{bench.plane.network.GetAddress(railSwitch), OPUS_PORT};
        for (uint64_t plan = 1; plan <= PLANS; ++plan)
        {
            FlatMessage<OpusProgram> program;
            program.term = 1;
            program.plan = plan;
            Simulator::Schedule(MicroSeconds(100),
                                &OtherController::Send,
                                &other,
                                MakeDatagram(program, plan),
                                peer);
        }
        bench.Run(MilliSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(record.received.size(), PLANS, "each arrives once");
        NS_TEST_ASSERT_MSG_GT_OR_EQ(record.sent.size(), PLANS, "each is answered");
        const Picoseconds first = record.received[0];
        for (uint64_t k = 0; k < PLANS; ++k)
        {
            NS_TEST_EXPECT_MSG_EQ(record.sent[k].second,
                                  first + Picoseconds(k + 1) * SPAN,
                                  "plan " << k + 1);
        }
        const ProcessingLoad& load = agent->GetLoad();
        NS_TEST_EXPECT_MSG_EQ(load.inputs, PLANS, "all are processed");
        NS_TEST_EXPECT_MSG_EQ(load.busy, Picoseconds(PLANS) * SPAN, "without a pause");
        NS_TEST_EXPECT_MSG_EQ(load.waitedMost,
                              first + Picoseconds(PLANS - 1) * SPAN - record.received.back(),
                              "the last one waits longest");
        NS_TEST_EXPECT_MSG_EQ(load.longest, record.longest, "the trace has the queue");
        NS_TEST_EXPECT_MSG_EQ(record.last, 0, "it is empty in the end");
    }
};

/** The queue in a timeline. */
class QueueTimelineTest : public TestCase
{
  public:
    QueueTimelineTest()
        : TestCase("A timeline has each input of a controller, one after another")
    {
    }

  private:
    static constexpr Picoseconds SPAN = 300 * US;

    void DoRun() override
    {
        const std::string name = CreateTempDirFilename("queue.json");
        uint64_t inputs = 0;
        {
            OpusCase one;
            one.adjust = [](OpusHelper& opus) {
                opus.SetControllerAttribute("ProcessingTime", PointerValue(MakeConstant(SPAN)));
            };
            OpusBench bench(one);
            const auto group = bench.MakeGroup("dp 0", {0, 1});
            for (const uint32_t rank : {0, 1})
            {
                bench.SetProgram(rank, OneCollective(CollectiveKind::ALL_GATHER, 1 << 20), {group});
            }
            TimelineRecorder timeline(name);
            timeline.Add(bench.plane);
            bench.Run();
            inputs = bench.plane.controller->GetLoad().inputs;
        } // which destroys the simulation, and completes the file
        const ReadFile file(name);
        const auto& slices = file.slices.at({"controller", "processing"});
        NS_TEST_EXPECT_MSG_EQ(slices.size(), inputs, "each input");
        NS_TEST_ASSERT_MSG_GT_OR_EQ(inputs, 5, "votes, and DONE");
        for (std::size_t i = 0; i < slices.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(slices[i].end - slices[i].start, SPAN, "input " << i);
            const bool isApart = i == 0 || slices[i].start >= slices[i - 1].end;
            NS_TEST_EXPECT_MSG_EQ(isApart, true, "input " << i << " waits for those before it");
        }
        // the second of four messages waits for the first, which came in the same datagram
        const Picoseconds waited = ReadMicroseconds(After(slices[1].line, "waited_us"));
        NS_TEST_EXPECT_MSG_EQ(waited, SPAN, "as long as that takes");
    }
};

/** Four ranks request at once. */
class ControllerQueueTest : public TestCase
{
  public:
    ControllerQueueTest()
        : TestCase("A controller decides when a message is processed, and no datagram is repeated")
    {
    }

  private:
    //! many times RetransmitAfter, 1 ms: only arrivals are acknowledged in time
    static constexpr Picoseconds SPAN = 20 * MS;

    void DoRun() override
    {
        OpusCase one;
        one.adjust = [](OpusHelper& opus) {
            opus.SetControllerAttribute("ProcessingTime", PointerValue(MakeConstant(SPAN)));
        };
        OpusBench bench(one);
        InputRecord record(bench.plane.controller);
        const auto group = bench.MakeGroup("dp 0", {0, 1});
        for (const uint32_t rank : {0, 1})
        {
            bench.SetProgram(rank, OneCollective(CollectiveKind::ALL_GATHER, 1 << 20), {group});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_EXPECT_MSG_EQ(bench.IsOver(), true, "both are over");
        // each shim sends REGISTER_GROUP and REQUEST: the votes are complete after four messages
        std::vector<Picoseconds> sent;
        for (const auto& [type, when] : record.sent)
        {
            if (type == OpusMessageType::PROGRAM || type == OpusMessageType::GRANT)
            {
                sent.push_back(when);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 3, "a plan, and two grants");
        NS_TEST_ASSERT_MSG_GT_OR_EQ(record.received.size(), 5, "four messages, and DONE");
        NS_TEST_EXPECT_MSG_EQ(sent[0], record.received[0] + 4 * SPAN, "the plan");
        for (const int grant : {1, 2})
        {
            NS_TEST_EXPECT_MSG_EQ(sent[grant], record.received[4] + SPAN, "grants, after DONE");
        }
        for (const Ptr<OpusEndpoint>& endpoint : GetEndpoints(bench.plane))
        {
            NS_TEST_EXPECT_MSG_EQ(endpoint->GetChannelCounters().retransmitted, 0, "nothing lost");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.plane.controller->GetLoad().longest,
                              4,
                              "all four arrive while the first is processed");
    }
};

/** A job with processing times. */
struct JobOutcome
{
    JobOutcome(const std::string& policy, Ptr<RandomVariableStream> span, const std::string& why)
    {
        OpusCase one;
        one.servers = 4;
        one.rails = 2;
        one.policy = policy;
        if (span)
        {
            one.adjust = [&span](OpusHelper& opus) {
                opus.SetControllerAttribute("ProcessingTime", PointerValue(span));
                opus.SetShimAttribute("ProcessingTime", PointerValue(span));
                opus.SetAgentAttribute("ProcessingTime", PointerValue(span));
            };
        }
        OpusBench bench(one);
        std::vector<std::shared_ptr<const CommunicationGroup>> groups[2];
        for (const uint32_t rail : {0, 1}) // rank r of rail 0 is 2 r
        {
            groups[0].push_back(bench.MakeGroup("dp 0", {rail, 2 + rail}));
            groups[0].push_back(bench.MakeGroup("dp 1", {4 + rail, 6 + rail}));
            groups[1].push_back(bench.MakeGroup("pp 0", {rail, 4 + rail}));
            groups[1].push_back(bench.MakeGroup("pp 1", {2 + rail, 6 + rail}));
        }
        const auto program = FourShifts(3, 200 * US);
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const uint32_t server = rank / 2;
            const uint32_t first = rank % 2 * 2;
            bench.SetProgram(rank,
                             program,
                             {groups[0][first + server / 2], groups[1][first + server % 2]});
        }
        findings = bench.Run();
        isOver = bench.IsOver();
        for (const ShimNote& note : bench.answers)
        {
            std::ostringstream words;
            words << note.rank << " " << note.requested << " " << note.answered << " "
                  << note.exposed << " " << note.hidden << " " << note.others;
            answers.push_back(words.str());
        }
        for (const Ptr<OpusEndpoint>& endpoint : GetEndpoints(bench.plane))
        {
            retransmitted += endpoint->GetChannelCounters().retransmitted;
        }
        messages = bench.plane.GetMessages();
        end = bench.end;
        last = NowPicoseconds();
        name = policy + ", " + why;
    }

    std::string name;
    std::string findings;
    bool isOver{false};
    std::vector<std::string> answers;
    uint64_t retransmitted{0};
    uint64_t messages{0};
    Picoseconds end{0};
    Picoseconds last{0};
};

/** No time, written in three ways. */
class NoProcessingTest : public TestCase
{
  public:
    NoProcessingTest()
        : TestCase("A processing time of 0 changes nothing, to the picosecond")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* policy : {"on-demand", "provisioned"})
        {
            const JobOutcome none(policy, nullptr, "none");
            const JobOutcome zero(policy, MakeConstant(0), "the constant 0");
            const auto uniform = CreateObject<UniformRandomVariable>();
            uniform->SetAttribute("Max", DoubleValue(0));
            const JobOutcome drawn(policy, uniform, "draws of 0");
            NS_TEST_EXPECT_MSG_EQ(none.isOver, true, policy);
            for (const JobOutcome* one : {&zero, &drawn})
            {
                NS_TEST_EXPECT_MSG_EQ((one->answers == none.answers), true, one->name);
                NS_TEST_EXPECT_MSG_EQ(one->messages, none.messages, one->name);
                NS_TEST_EXPECT_MSG_EQ(one->last, none.last, one->name);
            }
        }
    }
};

/** Any time. */
class AnyProcessingTest : public TestCase
{
  public:
    AnyProcessingTest()
        : TestCase("A job with random processing times completes, and no datagram is repeated")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* policy : {"on-demand", "provisioned", "co-scheduled"})
        {
            for (const double mean : {1e-6, 1e-4, 1e-2})
            {
                const auto exponential = CreateObject<ExponentialRandomVariable>();
                exponential->SetAttribute("Mean", DoubleValue(mean));
                exponential->SetStream(1);
                const JobOutcome one(policy, exponential, std::to_string(mean));
                NS_TEST_EXPECT_MSG_EQ(one.findings, "", one.name);
                NS_TEST_EXPECT_MSG_EQ(one.isOver, true, one.name);
                NS_TEST_EXPECT_MSG_EQ(one.retransmitted, 0, one.name);
            }
        }
    }
};

/** Calls of one instant. */
class ShimGroupTest : public TestCase
{
  public:
    ShimGroupTest()
        : TestCase("Messages for the calls of one instant leave when the last is processed")
    {
    }

  private:
    static constexpr Picoseconds SPAN = 50 * US;

    void DoRun() override
    {
        OpusCase one;
        one.rails = 2;
        one.adjust = [](OpusHelper& opus) {
            opus.SetShimAttribute("ProcessingTime", PointerValue(MakeConstant(SPAN)));
        };
        OpusBench bench(one);
        InputRecord record(bench.plane.shims[0]);
        const auto even = bench.MakeGroup("dp 0", {0, 2}); // on rail 0
        const auto odd = bench.MakeGroup("dp 1", {1, 3});
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            bench.SetProgram(rank,
                             OneCollective(CollectiveKind::ALL_GATHER, 1 << 20),
                             {rank % 2 == 0 ? even : odd});
        }
        NS_TEST_EXPECT_MSG_EQ(bench.Run(), "", "the audit is clean");
        NS_TEST_ASSERT_MSG_EQ(record.sent.empty(), false, "it sends");
        const Picoseconds arrived = one.hostLatency.GetTimeStep();
        uint32_t calls = 0;
        for (const ProcessingQueue::Times& times : record.processed)
        {
            calls += times.arrived == arrived ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(calls, 4, "two ranks join a group, and request circuits");
        NS_TEST_EXPECT_MSG_EQ(record.sent[0].second, arrived + calls * SPAN, "the first message");
        uint32_t requests = 0;
        for (const auto& [type, when] : record.sent)
        {
            requests += type == OpusMessageType::REQUEST && when == record.sent[0].second ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(requests, 2, "those of both ranks leave together");
    }
};

/** The suite. */
class OpusProcessingTestSuite : public TestSuite
{
  public:
    OpusProcessingTestSuite()
        : TestSuite("photonic-rails-opus-processing", TestSuite::Type::UNIT)
    {
        AddTestCase(new AgentQueueTest);
        AddTestCase(new ControllerQueueTest);
        AddTestCase(new QueueTimelineTest);
        AddTestCase(new ShimGroupTest);
        AddTestCase(new NoProcessingTest);
        AddTestCase(new AnyProcessingTest);
    }
};

OpusProcessingTestSuite g_opusProcessingTestSuite;

} // namespace
