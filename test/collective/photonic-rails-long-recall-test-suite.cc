/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-recall-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** RecallCase, for thousands of programs. */
class LongRecallTestSuite : public TestSuite
{
  public:
    LongRecallTestSuite()
        : TestSuite("photonic-rails-long-recall", TestSuite::Type::UNIT)
    {
        AddTestCase(new RecallCase(1001, 4000));
    }
};

LongRecallTestSuite g_longRecallTestSuite;

} // namespace
