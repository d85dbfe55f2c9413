/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_CASES_H
#define PHOTONIC_RAILS_MEMO_CASES_H

#include "ns3/test.h"

#include <cstdint>

namespace ns3
{

/** Programs have equal results with operations that take after earlier ones and without. */
class MemoCase : public TestCase
{
  public:
    /** @param first seed @param count number of programs */
    MemoCase(uint64_t first, uint64_t count);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
};

/**
 * Two pairs of ranks send to each other again and again, one pair later than the other: exchanges
 * that begin like one that was simulated are memoized.
 */
class MemoSendsCase : public TestCase
{
  public:
    MemoSendsCase();

  private:
    void DoRun() override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_CASES_H */
