/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Applications that send and count messages by RDMA: when messages are posted, arrive and are
// completed, from bytes, rate and fiber alone; how many there are; the failures.

#include "../support/photonic-rails-mistakes.h"
#include "../support/photonic-rails-rail-bench.h"

#include "ns3/global-value.h"
#include "ns3/ipv4-address.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-client-application.h"
#include "ns3/rdma-client-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-sink-application.h"
#include "ns3/rdma-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <utility>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 425'000'000'000; // a byte is no whole number of picoseconds
constexpr Picoseconds FIBER = 50'000;
constexpr uint32_t MTU = 4096; // the default of RdmaEngine
constexpr uint64_t GAP = 12;
constexpr uint64_t ACK = 86; // bytes on the wire: preamble 8, Ethernet 14, IPv4 20, UDP 8, BTH 12,
                             // AETH 4, ICRC 4, check sequence 4, gap 12
constexpr Picoseconds START = 7'000'001;

/** Bytes on the wire of a message that is sent, from the standard. */
uint64_t
WireBytesOfSend(uint64_t bytes)
{
    if (bytes == 0)
    {
        return 84; // no Ethernet frame is shorter
    }
    const uint64_t frames = (bytes + MTU - 1) / MTU;
    return frames * 82 + (bytes + 3) / 4 * 4;
}

/** From the first bit of some bytes on an idle wire to their last, at the other NIC port. */
Picoseconds
WayOf(uint64_t wireBytes)
{
    return RailBench::Span(wireBytes - GAP, RATE) + 2 * FIBER;
}

/** Two hosts on a circuit, the second with a sink, and the records of the applications' traces. */
class ApplicationBench : public RailBench
{
  public:
    struct Seen
    {
        uint64_t id;
        uint64_t bytes;
        Picoseconds at;
    };

    explicit ApplicationBench(const std::function<void(RdmaHelper&)>& prepare = nullptr)
        : RailBench(2, RATE, FIBER)
    {
        RdmaHelper helper;
        if (prepare)
        {
            prepare(helper);
        }
        helper.Install(NodeContainer(rail.GetGpu(0), rail.GetGpu(1)));
        sink = DynamicCast<RdmaSinkApplication>(RdmaSinkHelper().Install(rail.GetGpu(1)).Get(0));
        sink->TraceConnectWithoutContext("Rx", MakeCallback(&ApplicationBench::Rx, this));
    }

    /** Installs a client on host 0, which begins at START. */
    Ptr<RdmaClientApplication> AddClient(uint64_t size,
                                         uint64_t messages = 1,
                                         Picoseconds interval = 0)
    {
        RdmaClientHelper helper(rail.GetNic(1)->GetAddress());
        helper.SetAttribute("MessageSize", UintegerValue(size));
        helper.SetAttribute("Messages", UintegerValue(messages));
        helper.SetAttribute("Interval", TimeValue(ToTime(interval)));
        ApplicationContainer clients = helper.Install(rail.GetGpu(0));
        clients.Start(ToTime(START));
        const auto client = DynamicCast<RdmaClientApplication>(clients.Get(0));
        client->TraceConnectWithoutContext("Tx", MakeCallback(&ApplicationBench::Tx, this));
        client->TraceConnectWithoutContext("Completed",
                                           MakeCallback(&ApplicationBench::Completed, this));
        client->TraceConnectWithoutContext("Failed", MakeCallback(&ApplicationBench::Failed, this));
        return client;
    }

    Ptr<RdmaSinkApplication> sink;
    std::vector<Seen> tx;
    std::vector<Seen> rx;
    std::vector<Seen> completed;
    std::vector<Seen> failed;

  private:
    static Seen Note(const RdmaMessage& message)
    {
        return {message.id, message.bytes, NowPicoseconds()};
    }

    void Tx(const RdmaMessage& message)
    {
        tx.push_back(Note(message));
    }

    void Rx(const RdmaMessage& message)
    {
        rx.push_back(Note(message));
    }

    void Completed(const RdmaMessage& message)
    {
        completed.push_back(Note(message));
    }

    void Failed(const RdmaMessage& message, const std::string&)
    {
        failed.push_back(Note(message));
    }
};

/** One message, from its post to its acknowledgement. */
class OneMessageTest : public TestCase
{
  public:
    explicit OneMessageTest(const std::string& fidelity)
        : TestCase("a message takes its wire bytes and two fibers, its acknowledgement the same: " +
                   fidelity),
          m_fidelity(fidelity)
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t bytes : {0, 1, 4096, 4097, 100'000, 1 << 20})
        {
            GlobalValue::Bind("PhotonicRailsFidelity", StringValue(m_fidelity));
            ApplicationBench bench;
            bench.Join(0, 1);
            const auto client = bench.AddClient(bytes);
            bench.Run();
            const Picoseconds arrival = START + WayOf(WireBytesOfSend(bytes));
            NS_TEST_ASSERT_MSG_EQ(bench.tx.size(), 1, "one is posted");
            NS_TEST_EXPECT_MSG_EQ(bench.tx[0].at, START, "when the application starts");
            NS_TEST_ASSERT_MSG_EQ(bench.rx.size(), 1, "one arrives");
            NS_TEST_EXPECT_MSG_EQ(bench.rx[0].at, arrival, bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(bench.rx[0].bytes, bytes, "whole");
            NS_TEST_ASSERT_MSG_EQ(bench.completed.size(), 1, "one is completed");
            NS_TEST_EXPECT_MSG_EQ(bench.completed[0].at, arrival + WayOf(ACK), bytes << " bytes");
            NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), 0, "none fails");

            NS_TEST_EXPECT_MSG_EQ(client->GetPosted(), 1, "the client counts");
            NS_TEST_EXPECT_MSG_EQ(client->GetCompleted(), 1, "the client counts");
            NS_TEST_EXPECT_MSG_EQ(client->GetLastCompletion(),
                                  ToTime(bench.completed[0].at),
                                  "its time");
            NS_TEST_EXPECT_MSG_EQ(bench.sink->GetMessages(), 1, "the sink counts");
            NS_TEST_EXPECT_MSG_EQ(bench.sink->GetTotalRx(), bytes, "the sink counts");
            NS_TEST_EXPECT_MSG_EQ(bench.sink->GetLastArrival(), ToTime(arrival), "its time");
        }
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue("PacketTrains"));
    }

    std::string m_fidelity;
};

/** Several messages, an Interval apart or one after the other. */
class SeveralMessagesTest : public TestCase
{
  public:
    SeveralMessagesTest()
        : TestCase("messages follow each other on the wire, or an interval apart if it is longer")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t SIZE = 10'000;
        constexpr uint64_t MESSAGES = 5;
        const uint64_t wireBytes = WireBytesOfSend(SIZE);
        const Picoseconds onWire = RailBench::Span(wireBytes, RATE);
        // a long interval: the wire is idle again, and the acknowledgement is back
        for (const Picoseconds interval : {Picoseconds{0}, onWire / 2, onWire + 4 * FIBER})
        {
            ApplicationBench bench;
            bench.Join(0, 1);
            bench.AddClient(SIZE, MESSAGES, interval);
            bench.Run();
            NS_TEST_ASSERT_MSG_EQ(bench.tx.size(), MESSAGES, "all are posted");
            NS_TEST_ASSERT_MSG_EQ(bench.rx.size(), MESSAGES, "all arrive");
            NS_TEST_EXPECT_MSG_EQ(bench.completed.size(), MESSAGES, "all are completed");
            for (uint64_t k = 0; k < MESSAGES; ++k)
            {
                const Picoseconds posted = START + static_cast<Picoseconds>(k) * interval;
                const Picoseconds arrival = interval > onWire ? posted + WayOf(wireBytes)
                                                              : START + WayOf((k + 1) * wireBytes);
                NS_TEST_EXPECT_MSG_EQ(bench.tx[k].id, k, "in order");
                NS_TEST_EXPECT_MSG_EQ(bench.tx[k].at, posted, "an interval apart");
                NS_TEST_EXPECT_MSG_EQ(bench.rx[k].id, k, "in order");
                NS_TEST_EXPECT_MSG_EQ(bench.rx[k].at, arrival, "message " << k);
            }
        }
    }
};

/** Messages until the application stops. */
class StopTest : public TestCase
{
  public:
    StopTest()
        : TestCase("a client that has stopped posts no more, and what it has posted arrives")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Picoseconds INTERVAL = 1'000'000;
        ApplicationBench bench;
        bench.Join(0, 1);
        const auto client = bench.AddClient(1 << 20, 0, INTERVAL); // 1 MiB takes about 20 us
        client->SetStopTime(ToTime(START + 3 * INTERVAL + INTERVAL / 2));
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.tx.size(), 4, "after 0, 1, 2 and 3 intervals");
        NS_TEST_EXPECT_MSG_EQ(bench.rx.size(), 4, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(bench.completed.size(), 4, "all are completed");
    }
};

/** A peer that no circuit leads to. */
class NoCircuitTest : public TestCase
{
  public:
    NoCircuitTest()
        : TestCase("without a circuit all messages that are posted fail, and no more are posted")
    {
    }

  private:
    void DoRun() override
    {
        ApplicationBench bench([](RdmaHelper& helper) {
            helper.SetAttribute("DarkLimit", TimeValue(MicroSeconds(10)));
        });
        const auto client = bench.AddClient(1000, 100, 4'000'000);
        bench.Run();
        NS_TEST_EXPECT_MSG_GT(client->GetPosted(), 0, "it tries");
        NS_TEST_EXPECT_MSG_LT(client->GetPosted(), 100, "it does not go on");
        NS_TEST_EXPECT_MSG_EQ(bench.failed.size(), client->GetPosted(), "each fails");
        NS_TEST_EXPECT_MSG_EQ(client->GetCompleted(), 0, "none is completed");
        NS_TEST_EXPECT_MSG_EQ(bench.sink->GetMessages(), 0, "none arrives");
    }
};

/** The counters of a sink. */
class SinkTest : public TestCase
{
  public:
    SinkTest()
        : TestCase("a sink counts the messages of all clients, from its start to its stop")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Picoseconds INTERVAL = 10'000'000;
        ApplicationBench bench;
        bench.Join(0, 1);
        bench.AddClient(3000, 4, INTERVAL);
        bench.AddClient(500, 4, INTERVAL);
        // both clients' messages of one instant take well under half an interval
        bench.sink->SetStartTime(ToTime(START + INTERVAL / 2));
        bench.sink->SetStopTime(ToTime(START + 2 * INTERVAL + INTERVAL / 2));
        bench.Run();
        NS_TEST_EXPECT_MSG_EQ(bench.completed.size(), 8, "all are acknowledged by the engine");
        NS_TEST_EXPECT_MSG_EQ(bench.sink->GetMessages(), 4, "the second and third of each client");
        NS_TEST_EXPECT_MSG_EQ(bench.sink->GetTotalRx(), 2 * (3000 + 500), "their bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.rx.size(), 4, "and Rx fires for these");
    }
};

/** @return the mistake of a client with an attribute, on a circuit */
Mistake
OfClient(const std::string& name,
         const std::vector<std::pair<std::string, std::string>>& attributes,
         const std::vector<std::string>& words)
{
    return {name,
            [attributes] {
                ApplicationBench bench;
                bench.Join(0, 1);
                const auto client = bench.AddClient(1);
                for (const auto& [attribute, value] : attributes)
                {
                    client->SetAttribute(attribute, StringValue(value));
                }
                bench.Run();
            },
            words};
}

std::vector<Mistake>
Mistakes()
{
    return {
        OfClient("an address that no engine has",
                 {{"Remote", "00:11:22:33:44:55"}},
                 {"RdmaClientApplication", "00:11:22:33:44:55", "Remote", "RdmaHelper"}),
        OfClient("messages without end",
                 {{"Messages", "0"}},
                 {"RdmaClientApplication", "Messages of 0", "Interval of 0 s", "1 ps or more"}),
        {"an attribute that is set too late",
         [] {
             ApplicationBench bench;
             bench.Join(0, 1);
             const auto client = bench.AddClient(1);
             bench.At(START + 1, [client] { client->SetAttribute("Messages", UintegerValue(2)); });
             bench.Run();
         },
         {"RdmaClientApplication::Messages", "too late"}},
        {"a client with an address that is no MAC address",
         [] { RdmaClientHelper helper(Ipv4Address("10.0.0.1")); },
         {"RdmaClientHelper", "no MAC address", "NIC port"}},
        {"a sink without an engine",
         [] {
             RdmaSinkHelper().Install(CreateObject<Node>());
             Simulator::Run();
         },
         {"RdmaSinkApplication", "no RdmaEngine", "RdmaHelper"}},
    };
}

/** The suite. */
class RdmaApplicationsTestSuite : public TestSuite
{
  public:
    RdmaApplicationsTestSuite()
        : TestSuite("photonic-rails-rdma-applications", TestSuite::Type::UNIT)
    {
        AddTestCase(new OneMessageTest("PacketEvents"));
        AddTestCase(new OneMessageTest("PacketTrains"));
        AddTestCase(new SeveralMessagesTest);
        AddTestCase(new StopTest);
        AddTestCase(new NoCircuitTest);
        AddTestCase(new SinkTest);
        AddTestCase(new MistakesTest("mistakes with RDMA applications", Mistakes()));
    }
};

RdmaApplicationsTestSuite g_rdmaApplicationsTestSuite;

} // namespace
