/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-faults-random.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** A job whose ranks end while the shim of one is down: the simulation has an end. */
class EndWithoutShimTest : public TestCase
{
  public:
    EndWithoutShimTest()
        : TestCase("A job that ends while a shim is down ends when the shim is back")
    {
    }

  private:
    void DoRun() override
    {
        FaultsCounts counts;
        const FaultsDraw drawn(2593);
        NS_TEST_EXPECT_MSG_EQ(CompareFaults(drawn, counts), "", drawn.Describe());
        NS_TEST_EXPECT_MSG_EQ(counts.begun, 1, "the shim is down");
        NS_TEST_EXPECT_MSG_EQ(counts.whole, 1, "all operations have ended");
    }
};

/** Some hundred random jobs with faults. */
class FaultsRandomTestSuite : public TestSuite
{
  public:
    FaultsRandomTestSuite()
        : TestSuite("photonic-rails-faults-random", TestSuite::Type::UNIT)
    {
        AddTestCase(new FaultsCase(1, 60));
        AddTestCase(new EndWithoutShimTest);
    }
};

FaultsRandomTestSuite g_faultsRandomTestSuite;

} // namespace
