/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-memo-cases.h"

#include "photonic-rails-memo-bench.h"

#include "ns3/picosecond-resolution.h"

#include <string>

namespace ns3
{

MemoCase::MemoCase(uint64_t first, uint64_t count)
    : TestCase("Programs on circuits from " + std::to_string(first)),
      m_first(first),
      m_count(count)
{
}

void
MemoCase::DoRun()
{
    UsePicoseconds();
    MemoCounts counts;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string difference = CompareMemo(MemoDraw(seed), seed % 8 == 0, counts);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "memo-one-seed " << seed);
    }
    NS_TEST_EXPECT_MSG_GT(counts.memoized, counts.operations / 8, "of " << counts.operations);
    NS_TEST_EXPECT_MSG_GT(counts.madeUp, 0, "some are disturbed");
}

} // namespace ns3
