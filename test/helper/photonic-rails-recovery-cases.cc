/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-recovery-cases.h"

#include "photonic-rails-recovery-bench.h"

namespace ns3
{

RandomFailuresCase::RandomFailuresCase(const std::string& name,
                                       const Compare& compare,
                                       const std::string& option,
                                       uint64_t first,
                                       uint64_t count)
    : TestCase(name + ": seeds " + std::to_string(first) + " to " +
               std::to_string(first + count - 1)),
      m_compare(compare),
      m_option(option),
      m_first(first),
      m_count(count)
{
}

void
RandomFailuresCase::DoRun()
{
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string found = m_compare(seed);
        NS_TEST_EXPECT_MSG_EQ(found, "", "recovery-one-seed " << seed << m_option);
    }
}

RandomRecoveryCase::RandomRecoveryCase(uint64_t first, uint64_t count)
    : RandomFailuresCase("Random jobs fail and go on", &CompareRecoveries, "", first, count)
{
}

RandomOtherRailCase::RandomOtherRailCase(uint64_t first, uint64_t count)
    : RandomFailuresCase("Random jobs go on over another rail",
                         &CompareOtherRails,
                         " --other-rail",
                         first,
                         count)
{
}

} // namespace ns3
