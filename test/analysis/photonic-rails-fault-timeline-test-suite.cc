/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Faults on a timeline: a track for each component, a slice from the first fault to the repair.

#include "../support/photonic-rails-rail-bench.h"
#include "../support/photonic-rails-timeline-file.h"

#include "ns3/fault-injector.h"
#include "ns3/fault.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"
#include "ns3/timeline-recorder.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** Faults of two components, of which one has several that overlap. */
class FaultSpansTestCase : public TestCase
{
  public:
    FaultSpansTestCase()
        : TestCase("Slices last from the first fault of a component to its repair")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("faults.json");
        {
            RailBench bench(2, 100'000'000'000, 100'000);
            bench.Join(0, 1);
            const Ptr<FaultInjector> injector = CreateObject<FaultInjector>();
            injector->SetRails({bench.rail});
            TimelineRecorder timeline(file);
            timeline.Add(injector);
            const auto add = [&](FaultKind kind, int64_t at, int64_t lasts) {
                Fault fault;
                fault.kind = kind;
                fault.at = MicroSeconds(at);
                fault.duration = MicroSeconds(lasts);
                fault.server = 1;
                injector->Add(fault);
            };
            add(FaultKind::FIBER_CUT, 10, 20);
            add(FaultKind::FIBER_CUT, 20, 20); // until 40
            add(FaultKind::FIBER_CUT, 60, 5);
            add(FaultKind::NIC_PORT_DOWN, 12, 3);
            bench.Run();
            timeline.Finish();
            injector->Dispose();
        }
        const ReadTracks tracks = ReadTimeline(file);
        using Spans = std::vector<std::pair<Picoseconds, Picoseconds>>;
        const auto spansOf = [&tracks](const std::string& track) {
            Spans spans;
            const auto found = tracks.find({"faults", track});
            for (const ReadSlice& slice :
                 found == tracks.end() ? std::vector<ReadSlice>() : found->second)
            {
                spans.emplace_back(slice.start, slice.end);
            }
            return spans;
        };
        constexpr Picoseconds US = 1'000'000;
        const Spans cuts{{10 * US, 40 * US}, {60 * US, 65 * US}};
        const Spans down{{12 * US, 15 * US}};
        NS_TEST_EXPECT_MSG_EQ((spansOf("fiber-cut of server 1, gpu 0, port 0") == cuts),
                              true,
                              "the fiber");
        NS_TEST_EXPECT_MSG_EQ((spansOf("nic-port-down of server 1, gpu 0, port 0") == down),
                              true,
                              "the port");
    }
};

/** The suite. */
class FaultTimelineTestSuite : public TestSuite
{
  public:
    FaultTimelineTestSuite()
        : TestSuite("photonic-rails-fault-timeline", TestSuite::Type::UNIT)
    {
        AddTestCase(new FaultSpansTestCase());
    }
};

FaultTimelineTestSuite g_faultTimelineTestSuite;

} // namespace
