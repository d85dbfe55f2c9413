/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-intra-node-cases.h"

#include "photonic-rails-intra-node-bench.h"

#include "ns3/picosecond-resolution.h"

#include <string>

namespace ns3
{

IntraNodeCase::IntraNodeCase(uint32_t first, uint32_t count, bool stretches)
    : TestCase((stretches ? "Programs with stretches from " : "Programs from ") +
               std::to_string(first)),
      m_first(first),
      m_count(count),
      m_stretches(stretches)
{
}

void
IntraNodeCase::DoRun()
{
    UsePicoseconds();
    uint64_t operations = 0;
    uint64_t asOne = 0; // or in stretches
    for (uint32_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const IntraNodeDraw drawn(seed, m_stretches);
        const std::string difference = m_stretches ? CompareStretches(drawn, operations, asOne)
                                                   : CompareIntraNode(drawn, operations, asOne);
        NS_TEST_EXPECT_MSG_EQ(difference,
                              "",
                              "intra-node-one-seed " << seed
                                                     << (m_stretches ? " --stretches" : ""));
    }
    NS_TEST_EXPECT_MSG_GT(asOne, operations / (m_stretches ? 40 : 4), "of " << operations);
    NS_TEST_EXPECT_MSG_LT(asOne, operations, "some are disturbed");
}

} // namespace ns3
