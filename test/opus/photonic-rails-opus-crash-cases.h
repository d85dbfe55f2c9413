/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CRASH_CASES_H
#define PHOTONIC_RAILS_OPUS_CRASH_CASES_H

#include "ns3/test.h"

#include <cstdint>
#include <string>

/**
 * @file
 * The controller of a small job crashes: cases of two suites, which differ in how many they try.
 */

namespace ns3
{

/** The controller crashes at every instant of its events, just before or after. */
class SweepTestCase : public TestCase
{
  public:
    /** @param policy that is run @param every how many instants one is tried */
    SweepTestCase(const std::string& policy, uint32_t every);

  private:
    void DoRun() override;

    std::string m_policy;
    uint32_t m_every;
};

/**
 * The controller crashes while many messages are lost, so that its own state and that of its
 * standby differ.
 */
class LossyCrashTestCase : public TestCase
{
  public:
    /** @param policy that is run @param runs how many */
    LossyCrashTestCase(const std::string& policy, uint32_t runs);

  private:
    void DoRun() override;

    std::string m_policy;
    uint32_t m_runs;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CRASH_CASES_H */
