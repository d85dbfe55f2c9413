/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-memo-cases.h"

#include "ns3/test.h"

using namespace ns3;

namespace
{

/** MemoCase, for a hundred programs of each sort, and the other cases. */
class MemoTestSuite : public TestSuite
{
  public:
    MemoTestSuite()
        : TestSuite("photonic-rails-memo", TestSuite::Type::UNIT)
    {
        AddTestCase(new MemoCase(1, 100, MemoSort::RAIL));
        AddTestCase(new MemoCase(1, 60, MemoSort::SERVERS));
        AddTestCase(new MemoCase(1, 100, MemoSort::RAILS));
        AddTestCase(new MemoSendsCase());
        AddTestCase(new MemoServersCase());
        AddTestCase(new MemoRailsCase());
    }
};

MemoTestSuite g_memoTestSuite;

} // namespace
