/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Random programs inside servers, with what disturbs them: worked out as one they have the times,
// counts, records and reports that they have message by message, in any order of events.

#include "photonic-rails-intra-node-bench.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

using namespace ns3;

namespace
{

/** Compares a number of programs. */
class LongIntraNodeCase : public TestCase
{
  public:
    LongIntraNodeCase(uint32_t first, uint32_t count)
        : TestCase("Programs from " + std::to_string(first)),
          m_first(first),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        uint64_t operations = 0;
        uint64_t asOne = 0;
        for (uint32_t seed = m_first; seed < m_first + m_count; ++seed)
        {
            const std::string difference = CompareIntraNode(IntraNodeDraw(seed), operations, asOne);
            NS_TEST_EXPECT_MSG_EQ(difference, "", "intra-node-one-seed " << seed);
        }
        NS_TEST_EXPECT_MSG_GT(asOne, operations / 4, "of " << operations << " go as one");
        NS_TEST_EXPECT_MSG_LT(asOne, operations, "some are disturbed");
    }

    uint32_t m_first;
    uint32_t m_count;
};

/** The suite. */
class LongIntraNodeTestSuite : public TestSuite
{
  public:
    LongIntraNodeTestSuite()
        : TestSuite("photonic-rails-long-intra-node", TestSuite::Type::UNIT)
    {
        AddTestCase(new LongIntraNodeCase(1001, 10000));
    }
};

LongIntraNodeTestSuite g_longIntraNodeTestSuite;

} // namespace
