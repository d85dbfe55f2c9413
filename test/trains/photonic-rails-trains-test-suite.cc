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
#include <utility>

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

/** A ring around a packet switch goes in trains, and an incast returns to them. */
class SwitchTrainsRanTest : public TestCase
{
  public:
    SwitchTrainsRanTest()
        : TestCase("a ring around a packet switch goes in trains, and again after an incast")
    {
    }

  private:
    /** @return three hosts around a packet switch, with a message of 1,000 frames to the next */
    static TrainsScenario MakeRing()
    {
        TrainsScenario scenario;
        scenario.gpus = 3;
        scenario.packetSwitch = TrainsScenario::PacketSwitch();
        scenario.rates.assign(3, 400'000'000'000);
        scenario.fibers.assign(3, 98'000);
        scenario.losses.assign(3, 0);
        for (uint32_t g = 0; g < 3; ++g)
        {
            TrainsScenario::QueuePair pair;
            pair.gpu = {g, (g + 1) % 3};
            pair.ports = {{0, 0}};
            scenario.queuePairs.push_back(pair);
            scenario.actions.push_back(Message(g, 0, 0));
        }
        return scenario;
    }

    /** @return a message of 1,000 frames */
    static TrainsScenario::Action Message(uint32_t queuePair, uint32_t end, Picoseconds at)
    {
        TrainsScenario::Action action;
        action.what = TrainsAction::POST;
        action.a = queuePair;
        action.b = end;
        action.number = 1000 * 4096;
        action.at = at;
        return action;
    }

    /** Runs a scenario both ways. @return the events: of packet events, of trains */
    std::pair<uint64_t, uint64_t> RunBoth(const TrainsScenario& scenario)
    {
        TrainsRunOptions options;
        const TrainsOutcome events = RunTrains(scenario, options);
        options.fidelity = "PacketTrains";
        const TrainsOutcome trains = RunTrains(scenario, options);
        NS_TEST_EXPECT_MSG_EQ(trains.DifferenceFrom(events), "", "the same answer");
        NS_TEST_EXPECT_MSG_EQ(trains.trainsRan, true, "by trains");
        return {events.events, trains.events};
    }

    /** GPUs that no job uses yet change nothing. @param alone the packet events of the ring */
    void CheckBare(TrainsScenario ring, uint64_t alone)
    {
        for (const uint32_t gpu : {3, 4})
        {
            ring.bareGpus.push_back(gpu);
            ring.rates.push_back(ring.rates[0]);
            ring.fibers.push_back(ring.fibers[0]);
            ring.losses.push_back(0);
        }
        ring.gpus = 5;
        TrainsScenario::Action equip;
        equip.what = TrainsAction::EQUIP;
        equip.a = 4;
        equip.at = 20'000'000; // the ring is under way
        ring.actions.push_back(equip);
        const auto [events, trains] = RunBoth(ring);
        NS_TEST_EXPECT_MSG_LT(events, alone + 20, "they send nothing");
        NS_TEST_EXPECT_MSG_LT(trains * 10,
                              events,
                              "so the others go in trains, but for an instant");
    }

    void DoRun() override
    {
        TrainsScenario ring = MakeRing();
        const auto [events, trains] = RunBoth(ring);
        NS_TEST_EXPECT_MSG_LT(trains * 20, events, "with few events");
        CheckBare(MakeRing(), events);
        // 0 gets a message of 1 beside that of 2: 2,000 frames wait, and Kmin is 390
        ring.actions.push_back(Message(0, 1, 0));
        const auto [incastEvents, incastTrains] = RunBoth(ring);
        NS_TEST_EXPECT_MSG_GT(incastTrains * 3, incastEvents, "packet events mark frames");
        // the same when the ring is under way: without that message it would stay calm
        TrainsScenario later = MakeRing();
        later.actions.push_back(Message(0, 1, 20'000'000));
        RunBoth(later);
        for (uint32_t g = 0; g < 3; ++g)
        {
            ring.actions.push_back(Message(g, 0, 1'000'000'000));
        }
        const auto [allEvents, allTrains] = RunBoth(ring);
        NS_TEST_EXPECT_MSG_LT((allTrains - incastTrains) * 20,
                              allEvents - incastEvents,
                              "what follows goes in trains again");
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
        AddTestCase(new SwitchTrainsRanTest);
        for (uint64_t first = 1; first <= 200; first += 50)
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
                                   60));
        AddTestCase(new TrainsCase("long messages each way give the answer of events",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::TRAINS,
                                   1,
                                   40));
        AddTestCase(new TrainsCase("sinks change nothing of long messages each way",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::NO_SINKS,
                                   101,
                                   50));
        for (uint64_t first = 1; first <= 100; first += 50)
        {
            AddTestCase(new TrainsCase("trains give the answer of events over routes of a fabric",
                                       TrainsDraw::FABRICS,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       50));
        }
        AddTestCase(new TrainsCase("no result of a fabric depends on the order of events",
                                   TrainsDraw::FABRICS,
                                   TrainsDifferential::SHUFFLED,
                                   301,
                                   50));
        AddTestCase(new TrainsCase("queue pairs that take turns give the answer of events",
                                   TrainsDraw::TURNS,
                                   TrainsDifferential::TRAINS,
                                   1,
                                   60));
        AddTestCase(new TrainsCase("looking at trains of several queue pairs changes nothing",
                                   TrainsDraw::TURNS,
                                   TrainsDifferential::DISTURBED,
                                   501,
                                   50));
        AddTestCase(new TrainsCase("sinks change nothing of several queue pairs",
                                   TrainsDraw::TURNS,
                                   TrainsDifferential::NO_SINKS,
                                   601,
                                   50));
        AddTestCase(
            new TrainsCase("no result of several queue pairs depends on the order of events",
                           TrainsDraw::TURNS,
                           TrainsDifferential::SHUFFLED,
                           701,
                           50));
        for (uint64_t first = 1; first <= 200; first += 100)
        {
            AddTestCase(new TrainsCase("trains give the answer of events around a packet switch",
                                       TrainsDraw::SWITCHED,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       100));
        }
        AddTestCase(new TrainsCase("looking at trains around a packet switch changes nothing",
                                   TrainsDraw::SWITCHED,
                                   TrainsDifferential::DISTURBED,
                                   501,
                                   40));
        AddTestCase(new TrainsCase("sinks change nothing around a packet switch",
                                   TrainsDraw::SWITCHED,
                                   TrainsDifferential::NO_SINKS,
                                   601,
                                   40));
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
