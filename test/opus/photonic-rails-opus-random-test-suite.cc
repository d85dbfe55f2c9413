/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random jobs with a control plane, and all of its faults.

#include "photonic-rails-opus-random-run.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;

/** The suite of random jobs. */
class OpusRandomTestSuite : public TestSuite
{
  public:
    OpusRandomTestSuite()
        : TestSuite("photonic-rails-opus-random", TestSuite::Type::UNIT)
    {
        for (uint64_t first = 1; first <= 150; first += 50)
        {
            AddTestCase(new RandomJobsCase(first, 50));
        }
        AddTestCase(new RandomJobsCase(1, 60, true));
    }
};

static OpusRandomTestSuite g_opusRandomTestSuite;
