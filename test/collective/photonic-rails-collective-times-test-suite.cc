/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long collectives take on quiet rails, against closed forms.

#include "../support/photonic-rails-collective-bench.h"

#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** A ring fills its wires: the time is that of the bytes and not much more. */
class RingTimeTest : public TestCase
{
  public:
    RingTimeTest()
        : TestCase("rings take the time of their bytes, and a hop a round at most")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto railSwitch : {CollectiveCase::RING, CollectiveCase::ELECTRICAL})
        {
            for (const std::string fidelity : {"trains", "events"})
            {
                for (const uint32_t ranks : {2, 3, 4, 8})
                {
                    for (const auto kind : {CollectiveKind::ALL_GATHER,
                                            CollectiveKind::REDUCE_SCATTER,
                                            CollectiveKind::ALL_REDUCE})
                    {
                        Check(railSwitch, fidelity, ranks, kind);
                    }
                }
            }
        }
    }

    void Check(CollectiveCase::RailKind railSwitch,
               const std::string& fidelity,
               uint32_t ranks,
               CollectiveKind kind)
    {
        CollectiveCase one;
        one.railSwitch = railSwitch;
        one.fidelity = fidelity;
        one.ranks = ranks;
        one.kind = kind;
        // shards of 16 messages on each of the two channels
        one.bytes = uint64_t{ranks} * 2 * 16 * one.messageSize;
        const CollectiveOutcome outcome = RunCollective(one);
        const double times = kind == CollectiveKind::ALL_REDUCE ? 2 : 1;
        const double work =
            times * (ranks - 1) *
            OnTheWire(static_cast<double>(one.bytes) / ranks, 2.0 * CollectiveCase::RATE);
        const double hop = PathDelay(one) + OnTheWire(one.messageSize, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_EQ(outcome.findings.size(), 0, NameOf(one) << ": audit");
        NS_TEST_EXPECT_MSG_EQ(outcome.records.size(), ranks, NameOf(one) << ": ends");
        NS_TEST_EXPECT_MSG_GT(outcome.GetTime(), work, NameOf(one) << ": too fast");
        NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                              work + times * (ranks - 1) * hop,
                              NameOf(one) << ": too slow");
    }
};

/**
 * Each kind against its closed form: the time of the bytes, and no more than a hop a round beside.
 */
class ClosedFormTest : public TestCase
{
  public:
    ClosedFormTest()
        : TestCase(
              "broadcast, reduce, send, all-to-all and halving-doubling take their closed forms")
    {
    }

  private:
    /** An operation, and the values of its closed form. */
    struct Form
    {
        CollectiveKind kind;
        std::string algorithm;
        std::vector<CollectiveCase::RailKind> railSwitches;
        std::vector<uint32_t> ranks;
        bool bidirectional;
        /** Bytes that the busiest port of a rank sends. */
        double (*portBytes)(double n, double bytes);
        /** Hops that are waited for beside. */
        double (*hops)(double n);
    };

    void DoRun() override
    {
        const auto both = {CollectiveCase::RING, CollectiveCase::ELECTRICAL};
        // N ranks, S bytes; each of the 2 ports carries half, unless only one leads the way
        const std::vector<Form> forms{
            // pipelined: S on each link, and the data on its way when the root has sent all
            {CollectiveKind::BROADCAST,
             "ring",
             both,
             {2, 3, 4, 8},
             true,
             [](double, double s) { return s / 2; },
             [](double n) { return n - 1; }},
            {CollectiveKind::REDUCE,
             "ring",
             both,
             {2, 3, 4, 8},
             true,
             [](double, double s) { return s / 2; },
             [](double n) { return n - 1; }},
            {CollectiveKind::SEND_RECV,
             "direct",
             both,
             {2},
             true,
             [](double, double s) { return s / 2; },
             [](double) { return 1.0; }},
            {CollectiveKind::ALL_TO_ALL,
             "direct",
             {CollectiveCase::ELECTRICAL},
             {2, 4, 8},
             true,
             [](double n, double s) { return s * (n - 1) / n / 2; },
             [](double n) { return n - 1; }},
            // one way: a share goes (N - 1) / 2 hops on average, all over one port
            {CollectiveKind::ALL_TO_ALL,
             "ring",
             {CollectiveCase::RING},
             {3, 4, 8},
             false,
             [](double n, double s) { return s * (n - 1) / 2; },
             [](double n) { return n - 1; }},
            // both ways: N / 4 hops on average, N even, half of it on each port
            {CollectiveKind::ALL_TO_ALL,
             "ring",
             {CollectiveCase::RING},
             {4, 8},
             true,
             [](double n, double s) { return s * n / 8; },
             [](double n) { return n - 1; }},
        };
        for (const Form& form : forms)
        {
            for (const auto railSwitch : form.railSwitches)
            {
                for (const uint32_t ranks : form.ranks)
                {
                    for (const std::string fidelity : {"trains", "events"})
                    {
                        Check(form, railSwitch, ranks, fidelity);
                    }
                }
            }
        }
        CheckHalvingDoubling();
    }

    void Check(const Form& form,
               CollectiveCase::RailKind railSwitch,
               uint32_t ranks,
               const std::string& fidelity)
    {
        CollectiveCase one;
        one.kind = form.kind;
        one.algorithm = form.algorithm;
        one.railSwitch = railSwitch;
        one.ranks = ranks;
        one.bidirectional = form.bidirectional;
        one.fidelity = fidelity;
        one.bytes = uint64_t{ranks} * 16 * one.messageSize;
        const CollectiveOutcome outcome = RunCollective(one);
        const double work = OnTheWire(form.portBytes(ranks, one.bytes), CollectiveCase::RATE);
        const double hop = PathDelay(one) + OnTheWire(one.messageSize, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_EQ(outcome.findings.size(), 0, NameOf(one) << ": audit");
        NS_TEST_EXPECT_MSG_GT(outcome.GetTime(), work, NameOf(one) << ": too fast");
        NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                              work + form.hops(ranks) * hop,
                              NameOf(one) << ": too slow");
    }

    /** 2 log2 N rounds, and before each circuits reconfigure; rounds move S / 2, S / 4, ... and
     * back. */
    void CheckHalvingDoubling()
    {
        for (const uint32_t log : {1, 2, 3})
        {
            CollectiveCase one;
            one.algorithm = "halving-doubling";
            one.railSwitch = CollectiveCase::RECONFIGURING;
            one.ranks = 1U << log;
            one.bytes = uint64_t{one.ranks} * 16 * one.messageSize;
            const CollectiveOutcome outcome = RunCollective(one);
            const double n = one.ranks;
            const double work = OnTheWire(2 * (n - 1) / n * one.bytes / 2, CollectiveCase::RATE);
            const double hop = PathDelay(one) + OnTheWire(one.messageSize, CollectiveCase::RATE);
            // on the way back the first round takes the circuits of the last on the way there
            const double turns = (2.0 * log - 1) * one.reconfiguration.GetTimeStep();
            NS_TEST_EXPECT_MSG_EQ(outcome.reconfigurations, 2 * log - 1, NameOf(one) << ": turns");
            NS_TEST_EXPECT_MSG_GT(outcome.GetTime(), work + turns, NameOf(one) << ": too fast");
            NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                                  work + turns + 2 * log * hop,
                                  NameOf(one) << ": too slow");
        }
    }
};

/** As many ports as there are, odd numbers of them too. */
class PortsTest : public TestCase
{
  public:
    PortsTest()
        : TestCase("one port takes a matching a round, and three or five are full on several rings")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t ranks : {3, 4, 5, 6, 7, 8})
        {
            CheckOnePort(CollectiveKind::ALL_GATHER, "recursive-doubling", ranks);
            CheckOnePort(CollectiveKind::REDUCE_SCATTER, "recursive-halving", ranks);
        }
        for (const uint32_t ports : {3, 5})
        {
            for (const uint32_t ranks : {6, 8})
            {
                CheckRings(ports, ranks);
            }
        }
    }

    /** lg N rounds, each with circuits of its own, and one more if N is odd. */
    void CheckOnePort(CollectiveKind kind, const std::string& instead, uint32_t ranks)
    {
        CollectiveCase one;
        one.kind = kind; // by a ring, which one port is not on
        one.ports = 1;
        one.ranks = ranks;
        one.railSwitch = CollectiveCase::RECONFIGURING;
        one.bytes = uint64_t{ranks} * 16 * one.messageSize;
        const CollectiveOutcome outcome = RunCollective(one);
        uint32_t rounds = ranks % 2;
        for (uint32_t reached = 1; reached < ranks; reached *= 2)
        {
            ++rounds;
        }
        // an even number sends each share once. Of an odd number rank 0 represents another one: its
        // own share first, then, as the sets of ranks halve, half of all shares and so on, each
        // rounded up, and at last the n - 2 shares of the others
        const auto span = [&](double shares) {
            return OnTheWire(shares / ranks * one.bytes, CollectiveCase::RATE);
        };
        uint32_t most = ranks - 1;
        for (uint32_t set = 2; ranks % 2 != 0 && set <= ranks; set *= 2)
        {
            most += (ranks + set - 1) / set;
        }
        const double turns = static_cast<double>(rounds) * one.reconfiguration.GetTimeStep();
        const double hop = PathDelay(one) + OnTheWire(one.messageSize, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_EQ(outcome.findings.size(), 0, NameOf(one) << ": audit");
        NS_TEST_ASSERT_MSG_EQ(outcome.records.size(), ranks, NameOf(one) << ": ends");
        NS_TEST_EXPECT_MSG_EQ(outcome.records[0].algorithm, instead, NameOf(one));
        NS_TEST_EXPECT_MSG_EQ(outcome.reconfigurations, rounds, NameOf(one) << ": turns");
        NS_TEST_EXPECT_MSG_GT(outcome.GetTime(),
                              span(ranks - 1) + turns,
                              NameOf(one) << ": too fast");
        NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                              span(most) + turns + rounds * hop,
                              NameOf(one) << ": too slow");
    }

    /** Each port of a rank carries as many bytes as each other one. */
    void CheckRings(uint32_t ports, uint32_t ranks)
    {
        CollectiveCase one;
        one.algorithm = "multi-ring";
        one.ports = ports;
        one.ranks = ranks;
        one.railSwitch = CollectiveCase::RECONFIGURING;
        one.bytes = uint64_t{ranks} * 2 * ports * 16 * one.messageSize;
        const CollectiveOutcome outcome = RunCollective(one);
        const double rounds = 2.0 * (ranks - 1);
        const double work = OnTheWire(rounds / ranks * one.bytes,
                                      static_cast<double>(ports) * CollectiveCase::RATE);
        const double turn = one.reconfiguration.GetTimeStep();
        // two channels share each direction of a link
        const double hop = PathDelay(one) + 2 * OnTheWire(one.messageSize, CollectiveCase::RATE);
        NS_TEST_EXPECT_MSG_EQ(outcome.findings.size(), 0, NameOf(one) << ": audit");
        NS_TEST_EXPECT_MSG_EQ(outcome.reconfigurations, 1, NameOf(one) << ": turns");
        NS_TEST_EXPECT_MSG_GT(outcome.GetTime(), work + turn, NameOf(one) << ": too fast");
        NS_TEST_EXPECT_MSG_LT(outcome.GetTime(),
                              1.03 * work + turn + rounds * hop,
                              NameOf(one) << ": too slow");
    }
};

/** The suite. */
class CollectiveTimesTestSuite : public TestSuite
{
  public:
    CollectiveTimesTestSuite()
        : TestSuite("photonic-rails-collective-times", TestSuite::Type::UNIT)
    {
        AddTestCase(new RingTimeTest);
        AddTestCase(new ClosedFormTest);
        AddTestCase(new PortsTest);
    }
};

static CollectiveTimesTestSuite g_collectiveTimesTestSuite;

} // namespace
