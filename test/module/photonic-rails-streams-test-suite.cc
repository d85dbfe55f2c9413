/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random streams: equal streams give equal draws, and every device draws from its own.

#include "../support/photonic-rails-host-bench.h"
#include "../support/time-units.h"

#include "ns3/config.h"
#include "ns3/own-random-variable.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

using namespace ns3;

namespace
{

/** Random streams of a rail. */
class StreamsTest : public TestCase
{
  public:
    StreamsTest()
        : TestCase("equal streams give equal draws, and nobody's depend on what others draw")
    {
    }

  private:
    void DoRun() override
    {
        const auto quiet = Draw(false, 0);
        NS_TEST_EXPECT_MSG_GT(quiet.size(), 20, "there are times to compare");
        NS_TEST_EXPECT_MSG_EQ((Draw(false, 0) == quiet), true, "built afresh");
        NS_TEST_EXPECT_MSG_EQ((Draw(true, 0) == quiet), true, "with others that draw as well");
        NS_TEST_EXPECT_MSG_EQ((Draw(false, 1000) == quiet), false, "other streams, other times");
    }

    /**
     * @param othersDraw whether the other rail and the other two hosts change circuits as well
     * @param stream the first stream
     * @return when circuit 0-1 of the first rail and the carrier of its hosts came
     */
    static std::vector<Picoseconds> Draw(bool othersDraw, int64_t stream)
    {
        const HostBench::Case self;
        // one object for all switches, and one for all NICs
        Config::SetDefault("ns3::OpticalCircuitSwitch::ReconfigurationTime",
                           StringValue("ns3::UniformRandomVariable[Min=1e-6|Max=2e-6]"));
        Config::SetDefault("ns3::RailNetDevice::LinkUpTime",
                           StringValue("ns3::ExponentialRandomVariable[Mean=1e-6|Bound=3e-6]"));
        PhotonicRailHelper helper;
        const Rail one = helper.Install(NodeContainer(4), RailId(0));
        const Rail other = helper.Install(NodeContainer(2), RailId(1));
        const int64_t used = PhotonicRailHelper::AssignStreams(one, stream);
        PhotonicRailHelper::AssignStreams(other, stream + used);
        one.GetOpticalSwitch()->Connect(PortId(2), PortId(3));
        std::vector<Picoseconds> times;
        one.GetOpticalSwitch()->TraceConnectWithoutContext(
            "CircuitUp",
            MakeBoundCallback(&StreamsTest::CircuitUp, &times));
        for (uint32_t h = 0; h < 2; ++h)
        {
            one.GetNic(h)->TraceConnectWithoutContext(
                "Carrier",
                MakeBoundCallback(&StreamsTest::Carrier, &times));
        }
        for (uint32_t i = 0; i < 10; ++i)
        {
            const Picoseconds round = i * 100 * US;
            if (othersDraw)
            {
                // first, so that they would take the streams of the first two hosts
                HostBench::At(round, [&other, i] { Toggle(other, i); });
                HostBench::At(round, [&one] { one.GetFiber(2)->Cut(); });
                HostBench::At(round + 10 * US, [&one] { one.GetFiber(2)->Splice(); });
            }
            HostBench::At(round + 50 * US, [&one, i] { Toggle(one, i); });
        }
        Simulator::Run();
        return times;
    }

    /** Joins ports 0 and 1, or parts them. */
    static void Toggle(const Rail& rail, uint32_t round)
    {
        if (round % 2 == 0)
        {
            rail.GetOpticalSwitch()->Connect(PortId(0), PortId(1));
        }
        else
        {
            rail.GetOpticalSwitch()->Disconnect(PortId(0), PortId(1));
        }
    }

    static void CircuitUp(std::vector<Picoseconds>* times, PortId, PortId, uint64_t)
    {
        times->push_back(NowPicoseconds());
    }

    static void Carrier(std::vector<Picoseconds>* times, bool)
    {
        times->push_back(NowPicoseconds());
    }
};

/** A random variable with one owner. */
class OwnCopyTest : public TestCase
{
  public:
    OwnCopyTest()
        : TestCase("an own copy of a random variable draws as the variable does")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        for (const char* text : {
                 "ns3::ConstantRandomVariable[Constant=1.5e-5]",
                 "ns3::ConstantRandomVariable[Constant=1.2345678e-5]",
                 "ns3::UniformRandomVariable[Min=1|Max=2]",
                 "ns3::UniformRandomVariable[Min=0.0250000001|Max=0.0250000009]",
                 "ns3::ExponentialRandomVariable[Mean=3|Bound=9]",
                 "ns3::NormalRandomVariable[Mean=5|Variance=2|Bound=4]",
                 "ns3::LogNormalRandomVariable[Mu=0.5|Sigma=0.25]",
                 "ns3::ParetoRandomVariable[Scale=2|Shape=1.5]",
                 "ns3::WeibullRandomVariable[Scale=2|Shape=3]",
                 "ns3::GammaRandomVariable[Alpha=2|Beta=3]",
                 "ns3::ErlangRandomVariable[K=2|Lambda=3]",
                 "ns3::TriangularRandomVariable[Mean=5|Min=1|Max=9]",
                 "ns3::ZipfRandomVariable[N=10|Alpha=1.5]",
                 "ns3::ZetaRandomVariable[Alpha=3]",
             })
        {
            PointerValue pointer;
            pointer.DeserializeFromString(text, MakePointerChecker<RandomVariableStream>());
            Ptr<RandomVariableStream> variable = pointer.Get<RandomVariableStream>();
            Ptr<RandomVariableStream> copy = OwnCopyOf(variable);
            NS_TEST_EXPECT_MSG_NE(copy, variable, text << ": another object");
            variable->SetStream(7);
            copy->SetStream(7);
            bool equal = true;
            for (uint32_t i = 0; i < 20; ++i)
            {
                equal = copy->GetValue() == variable->GetValue() && equal;
            }
            NS_TEST_EXPECT_MSG_EQ(equal, true, text);
        }
    }
};

/** A random variable with an object among its attributes. */
class OwnCopyOfSequenceTest : public TestCase
{
  public:
    OwnCopyOfSequenceTest()
        : TestCase("a sequence as reconfiguration time, one for each switch")
    {
    }

  private:
    void DoRun() override
    {
        const HostBench::Case self;
        PointerValue pointer;
        pointer.DeserializeFromString("ns3::SequentialRandomVariable[Min=1|Max=9]",
                                      MakePointerChecker<RandomVariableStream>());
        Ptr<RandomVariableStream> variable = pointer.Get<RandomVariableStream>();
        Ptr<RandomVariableStream> copy = OwnCopyOf(variable);
        for (uint32_t i = 0; i < 20; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(copy->GetValue(), variable->GetValue(), "value " << i);
        }
    }
};

/** The suite. */
class StreamsTestSuite : public TestSuite
{
  public:
    StreamsTestSuite()
        : TestSuite("photonic-rails-streams", TestSuite::Type::UNIT)
    {
        AddTestCase(new StreamsTest);
        AddTestCase(new OwnCopyTest);
        AddTestCase(new OwnCopyOfSequenceTest);
    }
};

StreamsTestSuite g_streamsTestSuite;

} // namespace
