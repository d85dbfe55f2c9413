/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-faults-random.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** A thousand random jobs with faults. */
class LongFaultsRandomTestSuite : public TestSuite
{
  public:
    LongFaultsRandomTestSuite()
        : TestSuite("photonic-rails-long-faults-random", TestSuite::Type::UNIT)
    {
        AddTestCase(new FaultsCase(1, 200));
        AddTestCase(new FaultsCase(1001, 1000));
    }
};

LongFaultsRandomTestSuite g_longFaultsRandomTestSuite;

} // namespace
