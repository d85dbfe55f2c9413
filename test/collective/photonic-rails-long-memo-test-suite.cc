/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-memo-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** MemoCase, for thousands of programs. */
class LongMemoTestSuite : public TestSuite
{
  public:
    LongMemoTestSuite()
        : TestSuite("photonic-rails-long-memo", TestSuite::Type::UNIT)
    {
        AddTestCase(new MemoCase(1001, 4000, MemoSort::RAIL));
        AddTestCase(new MemoCase(1001, 2000, MemoSort::SERVERS));
        AddTestCase(new MemoCase(1001, 3000, MemoSort::RAILS));
    }
};

LongMemoTestSuite g_longMemoTestSuite;

} // namespace
