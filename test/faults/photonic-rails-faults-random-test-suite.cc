/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-faults-random.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** Some hundred random jobs with faults. */
class FaultsRandomTestSuite : public TestSuite
{
  public:
    FaultsRandomTestSuite()
        : TestSuite("photonic-rails-faults-random", TestSuite::Type::UNIT)
    {
        AddTestCase(new FaultsCase(1, 60));
    }
};

FaultsRandomTestSuite g_faultsRandomTestSuite;

} // namespace
