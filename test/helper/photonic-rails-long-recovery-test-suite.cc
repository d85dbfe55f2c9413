/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-recovery-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** RandomRecoveryCase and RandomOtherRailCase, for a thousand jobs each, and the first ones. */
class LongRecoveryTestSuite : public TestSuite
{
  public:
    LongRecoveryTestSuite()
        : TestSuite("photonic-rails-long-recovery", TestSuite::Type::UNIT)
    {
        AddTestCase(new RandomRecoveryCase(1, 20));
        AddTestCase(new RandomOtherRailCase(1, 40));
        AddTestCase(new RandomRecoveryCase(1001, 1000));
        AddTestCase(new RandomOtherRailCase(1001, 1000));
    }
};

LongRecoveryTestSuite g_longRecoveryTestSuite;

} // namespace
