/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-cases.h"

namespace ns3
{

TrainsCase::TrainsCase(const std::string& truth,
                       TrainsDraw::Kind kind,
                       TrainsDifferential::Mode mode,
                       uint64_t first,
                       uint64_t count)
    : TestCase(truth + ", seeds " + std::to_string(first) + " to " +
               std::to_string(first + count - 1)),
      m_kind(kind),
      m_mode(mode),
      m_first(first),
      m_count(count)
{
}

void
TrainsCase::DoRun()
{
    // a folder of the runner's, which is there and may be written to
    std::string folder = CreateTempDirFilename("capture");
    folder.erase(folder.find_last_of('/'));
    const TrainsDifferential differential(folder, m_kind, m_mode);
    uint64_t skipped = 0;
    uint64_t frames = 0;
    for (uint64_t seed = m_first; seed < m_first + m_count; ++seed)
    {
        const TrainsComparison check = differential.Check(seed);
        NS_TEST_ASSERT_MSG_EQ(check.difference, "", "seed " << seed);
        skipped += check.skipped ? 1 : 0;
        frames += check.frames;
    }
    NS_TEST_ASSERT_MSG_LT(skipped * 20, m_count, "nearly every scenario can be compared");
    NS_TEST_ASSERT_MSG_GT(frames, 10 * m_count, "and something happens in it");
}

} // namespace ns3
