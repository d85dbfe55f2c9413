/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole training jobs, by trains and by packet events, under several schedulers, and with the
// events of an instant shuffled.

#include "photonic-rails-jobs-differential.h"

using namespace ns3;

/** The suite of whole jobs. */
class JobsTestSuite : public TestSuite
{
  public:
    JobsTestSuite()
        : TestSuite("photonic-rails-jobs", TestSuite::Type::UNIT)
    {
        AddTestCase(new SymmetricJobsCase);
        AddTestCase(new JobsCase(1, 24));
    }
};

static JobsTestSuite g_jobsTestSuite;
