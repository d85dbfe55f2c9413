/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Datagrams of the control plane without the stack of their nodes: what is on the wires, and what
// channels report, against the stack's.

#include "../support/photonic-rails-host-bench.h"
#include "../support/time-units.h"
#include "photonic-rails-opus-channel-bench.h"

#include "ns3/global-value.h"
#include "ns3/ipv4.h"
#include "ns3/management-network-helper.h"
#include "ns3/opus-channel.h"
#include "ns3/packet.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"
#include "ns3/star-host.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

typedef OpusChannelBench Bench;

/** A packet that begins on a wire: when, from which device, and its bytes. */
typedef std::tuple<Picoseconds, uint32_t, std::vector<uint8_t>> OnWire;

/** All that a run leaves behind. */
struct Outcome
{
    std::vector<OnWire> packets;
    std::vector<std::string> reports; //!< of channels, in order for each node
};

/** Notes a packet that begins on a wire. */
void
NotePacket(std::vector<OnWire>* packets, uint32_t device, Ptr<const Packet> packet)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    packets->emplace_back(NowPicoseconds(), device, std::move(bytes));
}

/** Notes the reports of a kind to a node. */
void
NoteReports(const std::string& kind, const std::vector<Bench::Report>& reports, Outcome& outcome)
{
    for (const Bench::Report& report : reports)
    {
        outcome.reports.push_back(kind + " " + std::to_string(report.at) + " " +
                                  std::to_string(report.peer.address.Get()) + " " +
                                  std::to_string(report.message.Get<OpusRequest>().number));
    }
}

/** Random messages and faults, by their seed. */
class RandomMessages
{
  public:
    RandomMessages(uint64_t seed, const std::string& fidelity)
        : m_random(seed),
          m_fidelity(fidelity)
    {
    }

    Outcome Run()
    {
        const HostBench::Case self;
        GlobalValue::Bind("PhotonicRailsFidelity", StringValue(m_fidelity));
        ManagementNetworkHelper helper;
        helper.SetLatency(ToTime(Draw(3, 20 * US)));
        helper.SetLoss(Draw(0, 2) == 0 ? 0.1 : 0);
        const uint32_t nodes = Draw(2, 5);
        OpusChannelSettings settings;
        settings.mostAttempts = Draw(1, 4);
        Bench bench(nodes, helper, settings);
        Outcome outcome;
        for (uint32_t n = 0; n < nodes; ++n)
        {
            bench.network.devices.Get(n)->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeBoundCallback(&NotePacket, &outcome.packets, 2 * n));
            bench.network.routerDevices.Get(n)->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeBoundCallback(&NotePacket, &outcome.packets, 2 * n + 1));
        }
        for (uint32_t i = 0; i < 60; ++i)
        {
            DrawAction(bench, nodes, i);
        }
        Simulator::Stop(ToTime(100 * MS));
        Simulator::Run();
        for (uint32_t n = 0; n < nodes; ++n)
        {
            NoteReports("received", bench.received[n], outcome);
            NoteReports("acknowledged", bench.acknowledged[n], outcome);
            NoteReports("failed", bench.failed[n], outcome);
        }
        // the order of events of one instant is no property of the network
        std::sort(outcome.packets.begin(), outcome.packets.end());
        hosts = 0;
        for (uint32_t n = 0; n < nodes; ++n)
        {
            hosts += bench.nodes.Get(n)->GetObject<StarHost>() ? 1 : 0;
        }
        return outcome;
    }

    uint32_t hosts{0}; //!< nodes whose stack has no part in datagrams

  private:
    uint64_t Draw(uint64_t least, uint64_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    /** Has something happen at a random instant. */
    void DrawAction(Bench& bench, uint32_t nodes, uint32_t number)
    {
        const uint32_t node = Draw(0, nodes - 1);
        const uint32_t other = Draw(0, nodes - 1); // itself at times
        const Picoseconds at = Draw(0, 3) == 0 ? 0 : Draw(0, 4 * MS);
        const Ptr<Node> its = bench.nodes.Get(node);
        const uint32_t ranks = Draw(0, 3) == 0 ? Draw(0, 1500) : Draw(0, 4);
        switch (Draw(0, 19))
        {
        case 0:
            HostBench::At(at, [&bench, its]() { bench.network.Cut(its); });
            HostBench::At(at + 100 * US, [&bench, its]() { bench.network.Restore(its); });
            break;
        case 1: {
            const Time extra = ToTime(Draw(0, 50 * US));
            HostBench::At(at, [&bench, its, extra]() { bench.network.SetExtraDelay(its, extra); });
            break;
        }
        case 2:
            HostBench::At(at, [&bench, its]() { bench.network.Divide({NodeContainer(its)}); });
            HostBench::At(at + 200 * US, [&bench]() { bench.network.Divide({}); });
            break;
        case 3:
            if (Draw(0, 9) == 0) // for good: its stack loses the route, too
            {
                HostBench::At(at, [its]() { its->GetObject<Ipv4>()->SetDown(1); });
            }
            break;
        case 4: // to an address of the network that no node has
            HostBench::At(at, [&bench, node, number]() {
                bench.channels[node]->Send(Bench::Make(number, 0),
                                           {Ipv4Address("10.255.200.1"), Bench::PORT});
            });
            break;
        case 5: // to a port without a listener: ICMP comes back
            HostBench::At(at, [&bench, node, other, number]() {
                bench.channels[node]->Send(Bench::Make(number, 0),
                                           {bench.network.addresses[other], 9});
            });
            break;
        default:
            HostBench::At(at, [&bench, node, other, number, ranks]() {
                bench.Send(node, other, number, ranks);
            });
        }
    }

    std::mt19937_64 m_random;
    std::string m_fidelity;
};

/** The two ways of a datagram. */
class TwoWaysTest : public TestCase
{
  public:
    TwoWaysTest()
        : TestCase("without the stack every wire has the same bytes at the same instants")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t packets = 0;
        for (uint64_t seed = 1; seed <= 300; ++seed)
        {
            RandomMessages express(seed, "PacketTrains");
            RandomMessages stack(seed, "PacketEvents");
            const Outcome one = express.Run();
            const Outcome other = stack.Run();
            NS_TEST_ASSERT_MSG_GT(express.hosts, 0, "without the stack");
            NS_TEST_ASSERT_MSG_EQ(stack.hosts, 0, "with it");
            NS_TEST_ASSERT_MSG_EQ(one.packets.size(), other.packets.size(), "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ((one.packets == other.packets), true, "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ((one.reports == other.reports), true, "seed " << seed);
            packets += one.packets.size();
        }
        NS_TEST_EXPECT_MSG_GT(packets, 10000, "and there are some");
    }
};

/** Tests StarHost. */
class StarHostTestSuite : public TestSuite
{
  public:
    StarHostTestSuite()
        : TestSuite("photonic-rails-star-host", TestSuite::Type::UNIT)
    {
        AddTestCase(new TwoWaysTest);
    }
};

StarHostTestSuite g_starHostTestSuite;

} // namespace
