/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-jobs-cases.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;

/** The suite of 2,000 plans. */
class LongPlansTestSuite : public TestSuite
{
  public:
    LongPlansTestSuite()
        : TestSuite("photonic-rails-long-plans", TestSuite::Type::UNIT)
    {
        // 1551: a relay that waits for its own circuits
        for (uint64_t first = 1; first <= 2000; first += 100)
        {
            AddTestCase(new PlansCase(first, 100));
        }
    }
};

static LongPlansTestSuite g_longPlansTestSuite;
