/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-recovery-cases.h"

#include "photonic-rails-recovery-bench.h"

namespace ns3
{

RandomRecoveryCase::RandomRecoveryCase(uint64_t first, uint64_t count)
    : TestCase("Random jobs fail and go on: seeds " + std::to_string(first) + " to " +
               std::to_string(first + count - 1)),
      m_first(first),
      m_count(count)
{
}

void
RandomRecoveryCase::DoRun()
{
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string found = CompareRecoveries(seed);
        NS_TEST_EXPECT_MSG_EQ(found, "", "recovery-one-seed " << seed);
    }
}

RandomOtherRailCase::RandomOtherRailCase(uint64_t first, uint64_t count)
    : TestCase("Random jobs go on over another rail: seeds " + std::to_string(first) + " to " +
               std::to_string(first + count - 1)),
      m_first(first),
      m_count(count)
{
}

void
RandomOtherRailCase::DoRun()
{
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string found = CompareOtherRails(seed);
        NS_TEST_EXPECT_MSG_EQ(found, "", "recovery-one-seed " << seed << " --other-rail");
    }
}

} // namespace ns3
