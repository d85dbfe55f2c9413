/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECOVERY_CASES_H
#define PHOTONIC_RAILS_RECOVERY_CASES_H

#include "ns3/test.h"

#include <cstdint>

namespace ns3
{

/** Random jobs that fail: they end, nothing is lost, and all modes are equal. */
class RandomRecoveryCase : public TestCase
{
  public:
    /** @param first seed @param count of seeds */
    RandomRecoveryCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

/** Random jobs whose traffic goes over another rail: they end well, and all modes are equal. */
class RandomOtherRailCase : public TestCase
{
  public:
    /** @param first seed @param count of seeds */
    RandomOtherRailCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECOVERY_CASES_H */
