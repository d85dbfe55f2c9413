/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packet trains and packet events give the same answer in random scenarios, to the picosecond.

#include "photonic-rails-trains-cases.h"
#include "photonic-rails-trains-outcome.h"
#include "photonic-rails-trains-runner.h"
#include "photonic-rails-trains-scenario.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;

/** A message alone on a circuit goes in trains. */
class TrainsRanTest : public TestCase
{
  public:
    TrainsRanTest()
        : TestCase("a message alone on a circuit goes in trains, and not frame by frame")
    {
    }

  private:
    void DoRun() override
    {
        TrainsScenario scenario;
        scenario.rates = {400'000'000'000, 400'000'000'000};
        scenario.fibers = {98'000, 98'000};
        scenario.losses = {0, 0};
        scenario.circuits = {{0, 1}};
        scenario.queuePairs.resize(1);
        scenario.queuePairs[0].gpu = {0, 1};
        scenario.queuePairs[0].ports = {{0, 0}};
        scenario.actions.resize(1);
        scenario.actions[0].what = TrainsAction::POST;
        scenario.actions[0].number = 1000 * 4096;
        TrainsRunOptions options;
        const TrainsOutcome events = RunTrains(scenario, options);
        NS_TEST_ASSERT_MSG_EQ(events.frames, 1000 + 16, "frames, and an ACK for each 64 of them");
        options.fidelity = "PacketTrains";
        const TrainsOutcome trains = RunTrains(scenario, options);
        NS_TEST_ASSERT_MSG_EQ(trains.DifferenceFrom(events), "", "the same answer");
        NS_TEST_ASSERT_MSG_EQ(trains.trainsRan, true, "by trains");
    }
};

/** The suite of packet trains against packet events. */
class TrainsTestSuite : public TestSuite
{
  public:
    TrainsTestSuite()
        : TestSuite("photonic-rails-trains", TestSuite::Type::UNIT)
    {
        AddTestCase(new TrainsRanTest);
        for (uint64_t first = 1; first <= 500; first += 50)
        {
            AddTestCase(new TrainsCase("trains give the answer of events",
                                       TrainsDraw::SHORT,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       50));
        }
        AddTestCase(
            new TrainsCase("looking at trains, or waking a NIC for nothing, changes nothing",
                           TrainsDraw::SHORT,
                           TrainsDifferential::DISTURBED,
                           501,
                           100));
        AddTestCase(new TrainsCase("sinks change nothing",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::NO_SINKS,
                                   601,
                                   200));
        AddTestCase(new TrainsCase("long messages each way give the answer of events",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::TRAINS,
                                   1,
                                   100));
        AddTestCase(new TrainsCase("sinks change nothing of long messages each way",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::NO_SINKS,
                                   101,
                                   50));
        AddTestCase(new TrainsCase("no result depends on the order of the events of an instant",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::SHUFFLED,
                                   701,
                                   100));
        AddTestCase(new TrainsCase("a frame that goes again as a report of it comes",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::SHUFFLED,
                                   11'662,
                                   1));
        AddTestCase(new TrainsCase("a timeout a picosecond after a NAK on an idle wire",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::TRAINS,
                                   45'782,
                                   1));
        AddTestCase(new TrainsCase("no result depends on the scheduler",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::SCHEDULERS,
                                   801,
                                   30));
    }
};

static TrainsTestSuite g_trainsTestSuite;
