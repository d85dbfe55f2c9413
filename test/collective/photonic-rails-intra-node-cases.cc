/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-intra-node-cases.h"

#include "photonic-rails-intra-node-bench.h"

#include "ns3/picosecond-resolution.h"

#include <string>

namespace ns3
{

IntraNodeCase::IntraNodeCase(uint32_t first, uint32_t count)
    : TestCase("Programs from " + std::to_string(first)),
      m_first(first),
      m_count(count)
{
}

void
IntraNodeCase::DoRun()
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

IntraNodeStretchesCase::IntraNodeStretchesCase(uint32_t first, uint32_t count)
    : TestCase("Programs with stretches from " + std::to_string(first)),
      m_first(first),
      m_count(count)
{
}

void
IntraNodeStretchesCase::DoRun()
{
    UsePicoseconds();
    uint64_t operations = 0;
    uint64_t inStretches = 0;
    for (uint32_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const std::string difference =
            CompareStretches(IntraNodeDraw(seed, true), operations, inStretches);
        NS_TEST_EXPECT_MSG_EQ(difference, "", "intra-node-one-seed " << seed << " --stretches");
    }
    NS_TEST_EXPECT_MSG_GT(inStretches, operations / 40, "of " << operations);
}

} // namespace ns3
