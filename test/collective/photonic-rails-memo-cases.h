/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_CASES_H
#define PHOTONIC_RAILS_MEMO_CASES_H

#include "photonic-rails-memo-bench.h"

#include "ns3/test.h"

#include <cstdint>

namespace ns3
{

/** Programs have equal results with operations that take after earlier ones and without. */
class MemoCase : public TestCase
{
  public:
    /** @param first seed @param count number of programs @param sort of programs */
    MemoCase(uint64_t first, uint64_t count, MemoSort sort);

  private:
    void DoRun() override;

    uint64_t m_first;
    uint64_t m_count;
    MemoSort m_sort;
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

/**
 * An operation with messages inside servers and on rails comes again and again: it is memoized,
 * also where ranks begin later than messages come to them. One in which a server has another
 * operation meanwhile is not.
 */
class MemoServersCase : public TestCase
{
  public:
    MemoServersCase();

  private:
    void DoRun() override;
};

/**
 * Groups of several rails call the same operation at once: one of them goes by messages, and the
 * others end as it does, unless something else comes to its circuits.
 */
class MemoRailsCase : public TestCase
{
  public:
    MemoRailsCase();

  private:
    void DoRun() override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_CASES_H */
