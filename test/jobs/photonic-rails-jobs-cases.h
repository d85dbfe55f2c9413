/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_JOBS_CASES_H
#define PHOTONIC_RAILS_JOBS_CASES_H

#include "ns3/test.h"

#include <cstdint>

namespace ns3
{

struct DrawnJob;

/**
 * Jobs that differed when the order of events decided: symmetric ranks whose requests meet at the
 * router of the management network in one picosecond.
 */
class SymmetricJobsCase : public TestCase
{
  public:
    SymmetricJobsCase();

  private:
    void Compare(const DrawnJob& drawn);

    void DoRun() override;
};

/** Compares a number of jobs. */
class JobsCase : public TestCase
{
  public:
    /** @param first seed @param count of jobs */
    JobsCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

/** Runs plans of all kinds: each ends with a clean audit, or is refused before it begins. */
class PlansCase : public TestCase
{
  public:
    /** @param first seed @param count of plans */
    PlansCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_JOBS_CASES_H */
