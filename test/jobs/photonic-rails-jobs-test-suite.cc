/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole training jobs, by trains and by packet events, under several schedulers, and with the
// events of an instant shuffled.

#include "photonic-rails-jobs-cases.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;

namespace
{

// without optimization, as in ns-3's profile debug, a job takes a minute
#ifdef __OPTIMIZE__
const uint64_t JOBS = 4;
#else
const uint64_t JOBS = 2;
#endif

} // namespace

/** The suite of whole jobs. */
class JobsTestSuite : public TestSuite
{
  public:
    JobsTestSuite()
        : TestSuite("photonic-rails-jobs", TestSuite::Type::UNIT)
    {
        AddTestCase(new SymmetricJobsCase);
        AddTestCase(new JobsCase(1, JOBS));
        AddTestCase(new PlansCase(1, 2 * JOBS));
        AddTestCase(new PlansCase(1077, 1)); // a ring through ranks that need no circuit
        AddTestCase(new PlansCase(1694, 1)); // a small sum by another algorithm than the large ones
        AddTestCase(new PlansCase(1989, 1)); // hints of ranks that need no circuit
    }
};

static JobsTestSuite g_jobsTestSuite;
