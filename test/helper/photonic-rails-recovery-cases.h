/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECOVERY_CASES_H
#define PHOTONIC_RAILS_RECOVERY_CASES_H

#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

// Seeds of random runs in each test run; the long tests have all seeds to 40 or 20, and a thousand
// more. Without optimization, as in ns-3's profile debug, a run takes up to ten seconds.
#ifdef __OPTIMIZE__
constexpr uint64_t OTHER_RAIL_SEEDS = 6;
constexpr uint64_t RECOVERY_SEEDS = 4;
#else
constexpr uint64_t OTHER_RAIL_SEEDS = 3;
constexpr uint64_t RECOVERY_SEEDS = 2;
#endif

/** Jobs of random draws, in all modes. */
class RandomFailuresCase : public TestCase
{
  protected:
    /** Compares the modes of the job of a seed. @return what is wrong; empty: nothing */
    using Compare = std::function<std::string(uint64_t seed)>;

    /**
     * @param option of recovery-one-seed for such jobs
     * @param first seed
     * @param count of seeds
     */
    RandomFailuresCase(const std::string& name,
                       const Compare& compare,
                       const std::string& option,
                       uint64_t first,
                       uint64_t count);

  private:
    void DoRun() override;

    Compare m_compare;
    std::string m_option;
    uint64_t m_first;
    uint64_t m_count;
};

/** Random jobs that fail: they end, nothing is lost, and all modes are equal. */
class RandomRecoveryCase : public RandomFailuresCase
{
  public:
    /** @param first seed @param count of seeds */
    RandomRecoveryCase(uint64_t first, uint64_t count);
};

/** Random jobs whose traffic goes over another rail: they end well, and all modes are equal. */
class RandomOtherRailCase : public RandomFailuresCase
{
  public:
    /** @param first seed @param count of seeds */
    RandomOtherRailCase(uint64_t first, uint64_t count);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECOVERY_CASES_H */
