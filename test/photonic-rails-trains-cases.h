/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_CASES_H
#define PHOTONIC_RAILS_TRAINS_CASES_H

#include "photonic-rails-trains-differential.h"

#include "ns3/test.h"

#include <string>

namespace ns3
{

/** Two runs of each of some random scenarios have equal outcomes. */
class TrainsCase : public TestCase
{
  public:
    /**
     * @param truth what is tested, in words
     * @param kind of scenarios
     * @param mode what is compared
     * @param first seed
     * @param count of seeds
     */
    TrainsCase(const std::string& truth,
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

  private:
    void DoRun() override
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

    TrainsDraw::Kind m_kind;
    TrainsDifferential::Mode m_mode;
    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_CASES_H */
