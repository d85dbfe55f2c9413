/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The same as photonic-rails-trains, for 10,000 scenarios, some of them with many more frames.

#include "photonic-rails-trains-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <utility>

using namespace ns3;

/** The suite of packet trains against packet events, at length. */
class LongTrainsTestSuite : public TestSuite
{
  public:
    LongTrainsTestSuite()
        : TestSuite("photonic-rails-long-trains", TestSuite::Type::UNIT)
    {
        for (uint64_t first = 1; first <= 10'000; first += 500)
        {
            AddTestCase(new TrainsCase("trains give the answer of events",
                                       TrainsDraw::LONG,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       500));
        }
        AddTestCase(new TrainsCase("trains give the answer of events",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::TRAINS,
                                   1,
                                   1000));
        for (uint64_t first = 1; first <= 8000; first += 1000)
        {
            AddTestCase(new TrainsCase("trains give the answer of events around a packet switch",
                                       TrainsDraw::SWITCHED,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       1000));
        }
        for (uint64_t first = 1; first <= 8000; first += 1000)
        {
            AddTestCase(new TrainsCase("queue pairs that take turns give the answer of events",
                                       TrainsDraw::TURNS,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       1000));
        }
        AddTestCase(new TrainsCase("looking at trains of several queue pairs changes nothing",
                                   TrainsDraw::TURNS,
                                   TrainsDifferential::DISTURBED,
                                   8001,
                                   1000));
        AddTestCase(new TrainsCase("sinks change nothing of several queue pairs",
                                   TrainsDraw::TURNS,
                                   TrainsDifferential::NO_SINKS,
                                   9001,
                                   1000));
        for (const auto& [first, count] : {std::pair(501, 100), std::pair(8001, 1000)})
        {
            AddTestCase(new TrainsCase("looking at trains around a packet switch changes nothing",
                                       TrainsDraw::SWITCHED,
                                       TrainsDifferential::DISTURBED,
                                       first,
                                       count));
        }
        for (const auto& [first, count] : {std::pair(601, 100), std::pair(9001, 1000)})
        {
            AddTestCase(new TrainsCase("sinks change nothing around a packet switch",
                                       TrainsDraw::SWITCHED,
                                       TrainsDifferential::NO_SINKS,
                                       first,
                                       count));
        }
        for (uint64_t first = 1; first <= 4000; first += 1000)
        {
            AddTestCase(new TrainsCase("trains give the answer of events over routes of a fabric",
                                       TrainsDraw::FABRICS,
                                       TrainsDifferential::TRAINS,
                                       first,
                                       1000));
        }
        AddTestCase(new TrainsCase("long messages each way give the answer of events",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::TRAINS,
                                   1,
                                   1500));
        AddTestCase(new TrainsCase("sinks change nothing of long messages each way",
                                   TrainsDraw::STREAMS,
                                   TrainsDifferential::NO_SINKS,
                                   1501,
                                   1000));
        AddTestCase(new TrainsCase("sinks change nothing",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::NO_SINKS,
                                   601,
                                   200));
        AddTestCase(new TrainsCase("sinks change nothing",
                                   TrainsDraw::LONG,
                                   TrainsDifferential::NO_SINKS,
                                   1,
                                   1500));
        AddTestCase(
            new TrainsCase("looking at trains, or waking a NIC for nothing, changes nothing",
                           TrainsDraw::LONG,
                           TrainsDifferential::DISTURBED,
                           10'001,
                           1000));
        AddTestCase(new TrainsCase("no result depends on the order of the events of an instant",
                                   TrainsDraw::SHORT,
                                   TrainsDifferential::SHUFFLED,
                                   11'001,
                                   2000));
    }
};

static LongTrainsTestSuite g_longTrainsTestSuite;
