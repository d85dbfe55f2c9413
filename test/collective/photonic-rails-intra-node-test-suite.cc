/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-intra-node-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** IntraNodeCase, for hundreds of programs. */
class IntraNodeTestSuite : public TestSuite
{
  public:
    IntraNodeTestSuite()
        : TestSuite("photonic-rails-intra-node", TestSuite::Type::UNIT)
    {
        AddTestCase(new IntraNodeCase(1, 300, false));
        AddTestCase(new IntraNodeCase(1, 300, true));
    }
};

IntraNodeTestSuite g_intraNodeTestSuite;

} // namespace
