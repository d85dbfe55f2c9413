/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-intra-node-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** IntraNodeCase, for thousands of programs. */
class LongIntraNodeTestSuite : public TestSuite
{
  public:
    LongIntraNodeTestSuite()
        : TestSuite("photonic-rails-long-intra-node", TestSuite::Type::UNIT)
    {
        AddTestCase(new IntraNodeCase(1001, 10000, false));
        AddTestCase(new IntraNodeCase(1001, 10000, true));
    }
};

LongIntraNodeTestSuite g_longIntraNodeTestSuite;

} // namespace
