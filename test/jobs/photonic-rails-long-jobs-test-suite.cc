/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The same as photonic-rails-jobs, at length.

#include "photonic-rails-jobs-cases.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;

/** The suite of many whole jobs. */
class LongJobsTestSuite : public TestSuite
{
  public:
    LongJobsTestSuite()
        : TestSuite("photonic-rails-long-jobs", TestSuite::Type::UNIT)
    {
        AddTestCase(new JobsCase(1, 20));
        for (uint64_t first = 1001; first <= 1500; first += 50)
        {
            AddTestCase(new JobsCase(first, 50));
        }
    }
};

static LongJobsTestSuite g_longJobsTestSuite;
