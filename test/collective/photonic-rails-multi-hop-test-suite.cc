/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Messages over several links of a rail, which the GPUs between forward: their times, the notices,
// the bytes at each hop, and failures.

#include "../support/photonic-rails-mistakes.h"

#include "ns3/collective-helper.h"
#include "ns3/multi-hop-transport.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rail-audit.h"
#include "ns3/rail-links.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** GPUs on one rail with two ports each; circuits join port 0 of each to port 1 of the next. */
class RingBench
{
  public:
    /** @param isClosed whether a circuit joins the last to the first */
    explicit RingBench(uint32_t ranks, bool isClosed = true)
        : nodes(ranks)
    {
        UsePicoseconds();
        PhotonicRailHelper photonic;
        photonic.SetPorts(2, DataRate("200Gbps"));
        rail = photonic.Install(nodes);
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        for (uint32_t rank = 0; rank + (isClosed ? 0 : 1) < ranks; ++rank)
        {
            ocs->Connect(rail.GetSwitchPort(rank, 0), rail.GetSwitchPort((rank + 1) % ranks, 1));
        }
        RdmaHelper rdma;
        rdma.SetAttribute("TimeoutExponent", UintegerValue(4));
        rdma.Install(nodes);
        links = std::make_shared<RailLinks>(std::vector<Rail>{rail});
        links->SetMultiHop(true);
        const Ptr<RankDirectory> directory = Create<RankDirectory>();
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            const auto nic = CreateObject<RdmaTransport>(RankId(rank), nodes.Get(rank), directory);
            directory->Add(nic);
            transports.push_back(CreateObject<MultiHopTransport>());
            transports[rank]->Join(RankId(rank), nic);
            transports[rank]->SetArrivedCallback(
                MakeCallback(&RingBench::Arrived, this).Bind(rank));
            transports[rank]->SetSettledCallback(
                MakeCallback(&RingBench::Settled, this).Bind(rank));
            transports[rank]->SetFailedCallback(MakeCallback(&RingBench::Failed, this).Bind(rank));
        }
    }

    ~RingBench()
    {
        for (const auto& one : transports)
        {
            one->Dispose();
        }
        Simulator::Destroy();
    }

    /** Sends a message on the first of its links. @return its number of hops */
    std::size_t Send(uint32_t from, uint32_t to, uint32_t tag, uint64_t bytes)
    {
        const std::vector<SharedRailPath> paths = links->GetPaths(RankId(from), RankId(to));
        TransportMessage message;
        message.from = RankId(from);
        message.to = RankId(to);
        message.channel = 3;
        message.tag = tag;
        message.bytes = bytes;
        message.link = links->GetLinks(RankId(from), RankId(to)).front();
        message.path = paths.empty() ? nullptr : paths.front();
        Simulator::ScheduleWithContext(from,
                                       Time(0),
                                       &MultiHopTransport::Send,
                                       transports[from],
                                       message);
        return message.path ? message.path->links.size() : 1;
    }

    void Arrived(uint32_t rank, const TransportMessage& message)
    {
        arrived[message.tag] = Simulator::Now().GetTimeStep();
        at[message.tag] = rank;
        bytes[message.tag] = message.bytes;
    }

    void Settled(uint32_t rank, const TransportMessage& message)
    {
        settled[message.tag] = Simulator::Now().GetTimeStep();
        at[message.tag] = message.from.Get() == rank ? at[message.tag] : UINT32_MAX;
    }

    void Failed(uint32_t rank, const TransportMessage& message, const std::string& why)
    {
        failed[message.tag] = why;
        at[message.tag] = rank;
    }

    NodeContainer nodes;
    Rail rail;
    std::shared_ptr<RailLinks> links;
    std::vector<Ptr<MultiHopTransport>> transports;
    std::map<uint32_t, int64_t> arrived;
    std::map<uint32_t, int64_t> settled;
    std::map<uint32_t, uint32_t> at; //!< rank
    std::map<uint32_t, uint64_t> bytes;
    std::map<uint32_t, std::string> failed;
};

/** The time of a message over some hops. */
class HopTimesTestCase : public TestCase
{
  public:
    HopTimesTestCase()
        : TestCase(
              "A message over n links takes n times that over one, and a picosecond at each GPU")
    {
    }

  private:
    /** @return the arrival and the settlement of a message from rank 0 to another */
    std::pair<int64_t, int64_t> Measure(uint32_t to, uint64_t bytes)
    {
        RingBench bench(9);
        const std::size_t hops = bench.Send(0, to, 7, bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hops, std::min(to, 9 - to), "the shorter way");
        NS_TEST_EXPECT_MSG_EQ(bench.at[7], to, "at the receiver");
        NS_TEST_EXPECT_MSG_EQ(bench.bytes[7], bytes, "all of it");
        uint64_t forwarded = 0;
        for (const auto& one : bench.transports)
        {
            forwarded += one->GetForwardedBytes();
        }
        NS_TEST_EXPECT_MSG_EQ(forwarded, bytes * (hops - 1), "counted at each hop");
        return {bench.arrived[7], bench.settled[7]};
    }

    void DoRun() override
    {
        // the notice follows the acknowledgement of the last link: preamble and gap, Ethernet, IPv4,
        // UDP, BTH, AETH, ICRC
        constexpr int64_t ACK = (8 + 12 + 14 + 4 + 20 + 8 + 12 + 4 + 4) * 8 * 5; // at 5 ps a bit
        const int64_t notice = Measure(1, 0).first;
        for (const uint64_t bytes : {0UL, 1UL, 4096UL, 100'000UL, 1'000'000UL})
        {
            const int64_t one = Measure(1, bytes).first;
            for (uint32_t hops = 2; hops <= 4; ++hops)
            {
                for (const uint32_t to : {hops, 9 - hops})
                {
                    const auto [arrived, settled] = Measure(to, bytes);
                    NS_TEST_EXPECT_MSG_EQ(arrived, hops * one + hops - 1, bytes << " bytes");
                    NS_TEST_EXPECT_MSG_EQ(settled - arrived,
                                          ACK + hops * notice + hops - 1,
                                          "the notice goes back over as many links");
                }
            }
        }
    }
};

/** Many messages at once. */
class HopOrderTestCase : public TestCase
{
  public:
    HopOrderTestCase()
        : TestCase("Messages of all pairs arrive, in the order in which they were sent")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 7;
        constexpr uint32_t EACH = 5;
        RingBench bench(RANKS);
        uint64_t forwarded = 0;
        for (uint32_t i = 0; i < RANKS * RANKS * EACH; ++i)
        {
            const uint32_t from = i / EACH / RANKS;
            const uint32_t to = i / EACH % RANKS;
            const uint64_t bytes = 10'000 + 977 * (i % 13);
            if (from != to)
            {
                forwarded += (bench.Send(from, to, i, bytes) - 1) * bytes;
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrived.size(), RANKS * (RANKS - 1) * EACH, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(bench.settled.size(), RANKS * (RANKS - 1) * EACH, "all are settled");
        for (const auto& [tag, when] : bench.arrived)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.at[tag], tag / EACH % RANKS, "at its receiver");
            NS_TEST_EXPECT_MSG_GT(bench.settled[tag], when, "it arrives and is settled");
            if (tag % EACH > 0)
            {
                NS_TEST_EXPECT_MSG_GT(when, bench.arrived[tag - 1], "in order");
            }
        }
        uint64_t counted = 0;
        for (const auto& one : bench.transports)
        {
            counted += one->GetForwardedBytes();
        }
        NS_TEST_EXPECT_MSG_EQ(counted, forwarded, "bytes times hops but one");
    }
};

/** A link of the path goes dark. */
class HopFailureTestCase : public TestCase
{
  public:
    HopFailureTestCase()
        : TestCase("A message that a GPU on its way cannot send on fails at its sender")
    {
    }

  private:
    void DoRun() override
    {
        RingBench bench(5, false); // a line: 0 to 4 is four links
        NS_TEST_EXPECT_MSG_EQ(bench.Send(0, 4, 1, 50'000), 4, "the only way");
        Simulator::Schedule(PicoSeconds(1), [&bench] {
            bench.rail.GetOpticalSwitch()->Disconnect(bench.rail.GetSwitchPort(2, 0),
                                                      bench.rail.GetSwitchPort(3, 1));
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.arrived.size(), 0, "it does not arrive");
        NS_TEST_EXPECT_MSG_EQ(bench.failed[1],
                              "rank 2, which forwards it, could not send it on",
                              "it says where");
        NS_TEST_EXPECT_MSG_EQ(bench.at[1], 0, "at the sender");
        NS_TEST_EXPECT_MSG_EQ(bench.links->GetLinks(RankId(0), RankId(4)).size(), 0, "no way now");
        NS_TEST_EXPECT_MSG_EQ(bench.links->GetLinks(RankId(0), RankId(2)).size(), 1, "up to there");
    }
};

/** An all-to-all of ranks whose circuits are one ring, by name. */
class StandingRingTestCase : public TestCase
{
  public:
    StandingRingTestCase()
        : TestCase("Over circuits that stay, any algorithm runs with multi-hop")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 8;
        constexpr uint64_t BYTES = RANKS * 30'000;
        for (const char* algorithm : {"direct", "ring"})
        {
            RingBench bench(RANKS);
            CollectiveHelper helper;
            helper.SetMultiHop(true);
            const Ptr<CollectiveJob> job = helper.Install(bench.rail);
            job->Call(job->MakeGroup("all"), CollectiveKind::ALL_TO_ALL, BYTES, algorithm);
            RailAudit audit;
            audit.Add(bench.rail);
            audit.Add(job->GetApplications());
            Simulator::Run();
            audit.Require();
            // to the ranks 1, 2, 3 and 4 links away, two of each but one of the last
            const uint64_t hops = 2 * (0 + 1 + 2) + 3;
            const bool isDirect = algorithm == std::string("direct");
            NS_TEST_EXPECT_MSG_EQ(job->GetMultiHopBytes(),
                                  (isDirect ? RANKS * hops * (BYTES / RANKS) : 0),
                                  algorithm << ": bytes of each pair, at each hop");
        }
    }
};

/** The suite. */
class MultiHopTestSuite : public TestSuite
{
  public:
    MultiHopTestSuite()
        : TestSuite("photonic-rails-multi-hop", TestSuite::Type::UNIT)
    {
        AddTestCase(new HopTimesTestCase);
        AddTestCase(new HopOrderTestCase);
        AddTestCase(new HopFailureTestCase);
        AddTestCase(new StandingRingTestCase);
    }
};

MultiHopTestSuite g_multiHopTestSuite;

} // namespace
