/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The same as photonic-rails-opus-random and photonic-rails-opus-failover, at length.

#include "photonic-rails-opus-crash-cases.h"
#include "photonic-rails-opus-random-run.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>

using namespace ns3;

/** The suite of random jobs, and of crashes at every instant. */
class LongOpusTestSuite : public TestSuite
{
  public:
    LongOpusTestSuite()
        : TestSuite("photonic-rails-long-opus", TestSuite::Type::UNIT)
    {
        for (uint64_t first = 1; first <= 3000; first += 250)
        {
            AddTestCase(new RandomJobsCase(first, 250));
        }
        for (uint64_t first = 1; first <= 1000; first += 250)
        {
            AddTestCase(new RandomJobsCase(first, 250, true));
        }
        for (const std::string policy : {"on-demand", "provisioned", "co-scheduled"})
        {
            AddTestCase(new SweepTestCase(policy, 1));
            AddTestCase(new LossyCrashTestCase(policy, 1000));
        }
    }
};

static LongOpusTestSuite g_longOpusTestSuite;
