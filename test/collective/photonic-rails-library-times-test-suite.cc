/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The times that a communication library and its kernels take: start-up, steps, messages, and what
// protocols add to bytes. What an operation takes longer is compared with closed forms, to the
// picosecond.

#include "../support/photonic-rails-collective-bench.h"

#include "ns3/collective-helper.h"
#include "ns3/electrical-rail-helper.h"
#include "ns3/global-value.h"
#include "ns3/host-network-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

/** @return times of one network */
CollectiveTimes
MakeTimesOn(TransportKind kind, Time start, Time step, Time message = Time(0))
{
    CollectiveTimes times;
    times.Edit(kind) = {start, step, message};
    return times;
}

CollectiveTimes
MakeRailTimes(Time start, Time step, Time message = Time(0))
{
    return MakeTimesOn(TransportKind::RAIL, start, step, message);
}

/** Runs a case in both fidelities, which must agree. @return its time, ps */
Picoseconds
RunBoth(CollectiveCase one, std::string& problem)
{
    one.fidelity = "events";
    const CollectiveOutcome events = RunCollective(one);
    one.fidelity = "trains";
    const CollectiveOutcome trains = RunCollective(one);
    problem += events.findings.empty() && trains.findings.empty() ? "" : NameOf(one) + ": audit; ";
    problem += events.GetTime() == trains.GetTime() && events.frames == trains.frames
                   ? ""
                   : NameOf(one) + ": fidelities differ; ";
    return trains.GetTime();
}

/** A ring of shares of one message: each step of each round is waited for. */
class ExposedStepsTest : public TestCase
{
  public:
    ExposedStepsTest()
        : TestCase("a ring of n ranks with shares of one message takes a start and n - 1 steps")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto railSwitch : {CollectiveCase::RING, CollectiveCase::ELECTRICAL})
        {
            for (const auto& [kind, hops] : {std::pair(CollectiveKind::ALL_GATHER, 1),
                                             std::pair(CollectiveKind::REDUCE_SCATTER, 1),
                                             std::pair(CollectiveKind::ALL_REDUCE, 2)})
            {
                for (const uint32_t ranks : {2, 3, 5})
                {
                    Check(railSwitch, kind, ranks, hops * (ranks - 1));
                }
            }
        }
    }

    void Check(CollectiveCase::RailKind railSwitch,
               CollectiveKind kind,
               uint32_t ranks,
               Picoseconds steps)
    {
        CollectiveCase one;
        one.railSwitch = railSwitch;
        one.kind = kind;
        one.ranks = ranks;
        one.bidirectional = false; // acknowledgements have their direction for themselves
        one.bytes = uint64_t{ranks} * 2 * one.messageSize;
        const auto run = [&](Time start, Time step) {
            one.times = MakeRailTimes(start, step);
            std::string problem;
            const Picoseconds time = RunBoth(one, problem);
            NS_TEST_EXPECT_MSG_EQ(problem, "", "both fidelities");
            return time;
        };
        const Time step = NanoSeconds(14'321);
        const Picoseconds base = run(Time(0), step);
        NS_TEST_EXPECT_MSG_EQ(run(Time(0), 2 * step) - base,
                              steps * step.GetTimeStep(),
                              NameOf(one) << ": steps");
        NS_TEST_EXPECT_MSG_EQ(run(MicroSeconds(8), step) - base,
                              MicroSeconds(8).GetTimeStep(),
                              NameOf(one) << ": a start");
    }
};

/** A ring of shares of many messages: a message is sent on while the next ones come. */
class HiddenStepsTest : public TestCase
{
  public:
    HiddenStepsTest()
        : TestCase("steps shorter than the rest of a share are hidden, but for the last")
    {
    }

  private:
    void DoRun() override
    {
        CollectiveCase one;
        one.kind = CollectiveKind::ALL_GATHER;
        one.ranks = 4;
        one.bidirectional = false;
        constexpr uint32_t MESSAGES = 8;
        one.bytes = uint64_t{one.ranks} * 2 * MESSAGES * one.messageSize;
        // from the first message of a share to the end of the last one a wire is busy with others;
        // two channels share it
        const double message = OnTheWire(2.0 * one.messageSize, CollectiveCase::RATE);
        const double rest = (MESSAGES - 1) * message - PathDelay(one);
        const auto run = [&](double step) {
            one.times = MakeRailTimes(Time(0), ToTime(static_cast<Picoseconds>(step)));
            std::string problem;
            const Picoseconds time = RunBoth(one, problem);
            NS_TEST_EXPECT_MSG_EQ(problem, "", "both fidelities");
            return time;
        };
        const Picoseconds half = run(rest / 2);
        const Picoseconds most = run(rest * 0.95);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(most - half),
                                  rest * 0.45,
                                  1.0,
                                  "only the last step is seen");
        const Picoseconds more = run(rest * 1.5);
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(more - most),
                              rest * 0.55 + rest * 0.4,
                              "beyond, each round waits");
    }
};

/** Posting takes place one message after another, on all channels. */
class PostingTest : public TestCase
{
  public:
    PostingTest()
        : TestCase("k messages are posted one after another, channels in turn")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto railSwitch : {CollectiveCase::RING, CollectiveCase::ELECTRICAL})
        {
            CollectiveCase one;
            one.railSwitch = railSwitch;
            one.kind = CollectiveKind::BROADCAST;
            one.ranks = 2;
            one.messageSize = 1024;
            constexpr Picoseconds MESSAGES = 24;
            one.bytes = MESSAGES * one.messageSize;
            const auto run = [&](Time message) {
                one.times = MakeRailTimes(Time(0), Time(0), message);
                std::string problem;
                const Picoseconds time = RunBoth(one, problem);
                NS_TEST_EXPECT_MSG_EQ(problem, "", "both fidelities");
                return time;
            };
            const Time message = MicroSeconds(10);
            const Picoseconds once = run(message);
            NS_TEST_EXPECT_MSG_EQ(run(2 * message) - once,
                                  MESSAGES * message.GetTimeStep(),
                                  NameOf(one));
            NS_TEST_EXPECT_MSG_GT(once, MESSAGES * message.GetTimeStep(), "all are posted");
            NS_TEST_EXPECT_MSG_LT(once,
                                  MESSAGES * message.GetTimeStep() + 3 * PathDelay(one) + 1'000'000,
                                  "the last one is sent at once");
        }
    }
};

/** A message that came before its operation has had its step when the operation is active. */
class EarlyMessageTest : public TestCase
{
  public:
    EarlyMessageTest()
        : TestCase("the step of a message that came early goes on while the rank computes")
    {
    }

  private:
    void DoRun() override
    {
        CollectiveCase one;
        one.kind = CollectiveKind::BROADCAST;
        one.ranks = 2;
        one.bytes = 2048;
        one.late = MilliSeconds(1);
        for (const Time& step : {MicroSeconds(3), MicroSeconds(900)})
        {
            one.times = MakeRailTimes(MicroSeconds(7), step);
            std::string problem;
            const Picoseconds time = RunBoth(one, problem);
            NS_TEST_EXPECT_MSG_EQ(problem, "", "both fidelities");
            NS_TEST_EXPECT_MSG_EQ(time, MicroSeconds(7).GetTimeStep(), "the start-up, no more");
        }
    }
};

/** LL and LL128 take the time of their lines, and their share of a step. */
class ProtocolTest : public TestCase
{
  public:
    ProtocolTest()
        : TestCase("LL takes twice the bytes of Simple, LL128 16 for 15")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [name, share] :
             {std::pair("Simple", 1.0), std::pair("LL128", 16.0 / 15), std::pair("LL", 2.0)})
        {
            CollectiveCase one;
            one.protocol = name;
            one.bytes = uint64_t{one.ranks} * 2 * 16 * one.messageSize;
            std::string problem;
            const double time = static_cast<double>(RunBoth(one, problem));
            NS_TEST_EXPECT_MSG_EQ(problem, "", "both fidelities");
            const double rounds = 2 * (one.ranks - 1);
            const double work =
                rounds * OnTheWire(share * one.bytes / one.ranks, 2.0 * CollectiveCase::RATE);
            const double hop =
                PathDelay(one) + OnTheWire(share * one.messageSize, CollectiveCase::RATE);
            NS_TEST_EXPECT_MSG_GT(time, work, NameOf(one) << ", " << name << ": too fast");
            NS_TEST_EXPECT_MSG_LT(time, work + rounds * hop, name << ": too slow");
        }
        CheckTuned();
    }

    /** A small operation takes LL, a large one Simple. */
    void CheckTuned()
    {
        CollectiveCase one;
        one.protocol = "Tuned";
        for (const auto& [bytes, protocol] : {std::pair(64, CollectiveProtocol::LL),
                                              std::pair(1 << 28, CollectiveProtocol::SIMPLE)})
        {
            one.bytes = bytes;
            one.messageSize = 1 << 20;
            for (const OperationRecord& record : RunCollective(one).records)
            {
                NS_TEST_EXPECT_MSG_EQ(ToString(record.protocol),
                                      ToString(protocol),
                                      bytes << " bytes");
            }
        }
    }
};

/** Servers of two GPUs, on which rank 0 sends to a rank. */
class Servers
{
  public:
    Servers(const CollectiveTimes& times, bool onHosts)
    {
        UsePicoseconds();
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue("PacketTrains"));
        NodeContainer gpus(4);
        ElectricalRailHelper rails;
        const std::vector<Rail> all = rails.InstallRails(gpus, 2);
        RdmaHelper().Install(gpus);
        CollectiveHelper collectives;
        collectives.SetTimes(times);
        collectives.SetScaleUp(ScaleUpHelper().Install(gpus, 2));
        if (onHosts)
        {
            collectives.SetHostNetwork(HostNetworkHelper().Install(NodeContainer(2)));
            collectives.SetBroker(CreateObject<HostsOnly>());
        }
        m_job = collectives.Install(all);
        m_job->TraceConnect("OperationEnded", MakeCallback(&CollectiveOutcome::Ended, &m_outcome));
    }

    /** @return the time of a broadcast of two ranks, ps */
    Picoseconds Broadcast(uint32_t to, bool inside)
    {
        const auto group = m_job->MakeGroup("two", {0, to}, inside ? 2 : 1);
        m_job->Call(group, CollectiveKind::BROADCAST, 100'000, "ring");
        RailAudit audit;
        audit.Add(m_job->GetApplications());
        Simulator::Run();
        findings = audit.Check();
        Simulator::Destroy();
        return m_outcome.GetTime();
    }

    std::vector<std::string> findings;

  private:
    /** A broker that has no circuits. */
    class HostsOnly : public CircuitBroker
    {
      public:
        std::string GetWhyNot(const std::vector<RankId>&,
                              const std::vector<std::pair<RankId, RankId>>&) const override
        {
            return "";
        }

        void Request(const CircuitRequest&, AnswerCallback callback) override
        {
            CircuitAnswer answer;
            answer.network = CircuitAnswer::Network::HOST;
            callback(answer);
        }

        void Finished(const CircuitRequest&) override
        {
        }
    };

    Ptr<CollectiveJob> m_job;
    CollectiveOutcome m_outcome;
};

/** Times belong to a network: those of others do not count. */
class NetworksTest : public TestCase
{
  public:
    NetworksTest()
        : TestCase("a message takes the step of the network that brings it, an operation its start")
    {
    }

  private:
    void DoRun() override
    {
        Check(TransportKind::SCALE_UP, 1, true, false);
        Check(TransportKind::RAIL, 2, false, false);
        Check(TransportKind::RAIL, 3, false, false); // by way of a relay
        Check(TransportKind::HOST, 2, false, true);
    }

    void Check(TransportKind kind, uint32_t to, bool inside, bool onHosts)
    {
        const auto run = [&](const CollectiveTimes& times) {
            Servers servers(times, onHosts);
            const Picoseconds time = servers.Broadcast(to, inside);
            NS_TEST_EXPECT_MSG_EQ(servers.findings.size(), 0, "audit");
            return time;
        };
        const Time step = MilliSeconds(10); // longer than an acknowledgement takes
        const Picoseconds base = run(MakeTimesOn(kind, Time(0), step));
        const auto number = static_cast<uint32_t>(kind);
        NS_TEST_EXPECT_MSG_EQ(run(MakeTimesOn(kind, Time(0), 2 * step)) - base,
                              step.GetTimeStep(),
                              "a step on network " << number << " to rank " << to);
        // the sender's start-up; the receiver has its own meanwhile
        const Picoseconds startUp = run(MakeTimesOn(kind, MicroSeconds(5), step)) - base;
        const auto expected = MicroSeconds(5).GetTimeStep();
        NS_TEST_EXPECT_MSG_EQ(startUp, expected, "a start on network " << number);
        for (const auto other : {TransportKind::RAIL, TransportKind::SCALE_UP, TransportKind::HOST})
        {
            if (other != kind)
            {
                CollectiveTimes both = MakeTimesOn(kind, Time(0), step);
                both.Edit(other) = {MilliSeconds(1), MilliSeconds(1), MilliSeconds(1)};
                NS_TEST_EXPECT_MSG_EQ(run(both), base, "times of another network");
            }
        }
    }
};

class LibraryTimesTestSuite : public TestSuite
{
  public:
    LibraryTimesTestSuite()
        : TestSuite("photonic-rails-library-times", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new ExposedStepsTest);
        AddTestCase(new HiddenStepsTest);
        AddTestCase(new PostingTest);
        AddTestCase(new EarlyMessageTest);
        AddTestCase(new ProtocolTest);
        AddTestCase(new NetworksTest);
    }
};

LibraryTimesTestSuite g_libraryTimesTestSuite;

} // namespace
