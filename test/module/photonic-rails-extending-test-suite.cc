/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A policy and a congestion control of a user's file (doc/extending.rst) are chosen by their types,
// and act as documented.

#include "../extending/fixed-rate-control.cc"
#include "../extending/one-link-policy.cc"
#include "../support/photonic-rails-opus-bench.h"

#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;

namespace
{

/** Two servers whose GPUs have four ports each, and a policy that gives a pair some of them. */
class PolicyTest : public TestCase
{
  public:
    PolicyTest()
        : TestCase("A policy of a user's file, by its type")
    {
    }

  private:
    void DoRun() override
    {
        Expect("on-demand", nullptr, 4);
        Expect("ns3::OneLinkPolicy", nullptr, 1);
        Expect("ns3::OneLinkPolicy[Links=3]", nullptr, 3);
        const auto two = [](OpusHelper& opus) {
            opus.SetPolicy("ns3::OneLinkPolicy", "Links", UintegerValue(2));
        };
        Expect("on-demand", two, 2);
    }

    void Expect(const std::string& policy,
                const std::function<void(OpusHelper&)>& adjust,
                std::size_t links)
    {
        OpusCase one;
        one.ports = 4;
        one.policy = policy;
        one.adjust = adjust;
        OpusBench bench(one);
        const auto group = bench.MakeGroup("dp 0", {0, 1});
        const auto program = OneCollective(CollectiveKind::ALL_GATHER, 1 << 20);
        bench.SetProgram(0, program, {group});
        bench.SetProgram(1, program, {group});
        const std::string findings = bench.Run();
        NS_TEST_EXPECT_MSG_EQ(findings, "", policy << ": the audits are clean");
        NS_TEST_EXPECT_MSG_EQ(bench.ended.size(), 2, policy);
        const std::size_t up = std::count_if(bench.changes.begin(),
                                             bench.changes.end(),
                                             [](const LightChange& change) { return change.up; });
        NS_TEST_EXPECT_MSG_EQ(up, links, policy << ": circuits between the two");
    }
};

/** A message over a circuit, whose frames keep the distance of a rate. */
class CongestionControlTest : public TestCase
{
  public:
    CongestionControlTest()
        : TestCase("A congestion control of a user's file, by its type")
    {
    }

  private:
    void DoRun() override
    {
        // frames of an MTU and its headers, the gap included
        constexpr Picoseconds FRAMES = 64;
        constexpr Picoseconds BITS = 8 * (4096 + 82);
        const Picoseconds atOnce =
            RunWith([](RdmaHelper& rdma) { rdma.SetCongestionControl("none"); });
        const Picoseconds paced = RunWith([](RdmaHelper& rdma) {
            rdma.SetCongestionControl("ns3::FixedRateControl", "Rate", StringValue("50Gbps"));
        });
        // 400 Gb/s are 2.5 ps a bit, 50 Gb/s are 20 ps; the last frame waits for all before it
        NS_TEST_EXPECT_MSG_EQ(paced - atOnce,
                              (FRAMES - 1) * (20 * BITS - BITS * 5 / 2),
                              "the distance between frames");
        const Picoseconds byText = RunWith([](RdmaHelper& rdma) {
            rdma.SetAttribute("CongestionControl",
                              StringValue("ns3::FixedRateControl[Rate=50Gbps]"));
        });
        NS_TEST_EXPECT_MSG_EQ(byText, paced, "the same, as a text");
    }

    /** @return when a message of 64 frames is in */
    Picoseconds RunWith(const std::function<void(RdmaHelper&)>& adjust)
    {
        UsePicoseconds();
        const NodeContainer gpus(2);
        PhotonicRailHelper photonic;
        photonic.SetPorts(1, DataRate("400Gbps"));
        const Rail rail = photonic.Install(gpus);
        RdmaHelper rdma;
        adjust(rdma);
        rdma.Install(gpus);
        rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
        const RdmaEngine::Ends ends = RdmaEngine::Connect(gpus.Get(0), gpus.Get(1));
        ends.second->SetArrivedCallback(MakeCallback(&CongestionControlTest::Arrived, this));
        ends.first->Post(RdmaVerb::SEND, 64 * 4096);
        m_arrived = 0;
        Simulator::Run();
        Simulator::Destroy();
        return m_arrived;
    }

    void Arrived(Ptr<RdmaQueuePair>, const RdmaMessage&)
    {
        m_arrived = NowPicoseconds();
    }

    Picoseconds m_arrived{0};
};

/** The suite. */
class ExtendingTestSuite : public TestSuite
{
  public:
    ExtendingTestSuite()
        : TestSuite("photonic-rails-extending", TestSuite::Type::UNIT)
    {
        AddTestCase(new PolicyTest);
        AddTestCase(new CongestionControlTest);
    }
};

ExtendingTestSuite g_extendingTestSuite;

} // namespace
