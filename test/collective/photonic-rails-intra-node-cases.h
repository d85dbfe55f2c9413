/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_INTRA_NODE_CASES_H
#define PHOTONIC_RAILS_INTRA_NODE_CASES_H

#include "ns3/test.h"

#include <cstdint>

namespace ns3
{

/**
 * Random programs inside servers, with what disturbs them: worked out as one they have the times,
 * counts, records and reports that they have message by message, in any order of events. So have
 * programs whose ranks do the same over stretches, worked out as a whole.
 */
class IntraNodeCase : public TestCase
{
  public:
    /** @param first seed @param count number of programs @param stretches whether they have some */
    IntraNodeCase(uint32_t first, uint32_t count, bool stretches);

  private:
    void DoRun() override;

    uint32_t m_first;
    uint32_t m_count;
    bool m_stretches;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_INTRA_NODE_CASES_H */
