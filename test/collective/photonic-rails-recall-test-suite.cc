/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-recall-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** RecallCase, for a hundred programs. */
class RecallTestSuite : public TestSuite
{
  public:
    RecallTestSuite()
        : TestSuite("photonic-rails-recall", TestSuite::Type::UNIT)
    {
        AddTestCase(new RecallCase(1, 100));
    }
};

RecallTestSuite g_recallTestSuite;

} // namespace
