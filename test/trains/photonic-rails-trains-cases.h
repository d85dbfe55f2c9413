/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_CASES_H
#define PHOTONIC_RAILS_TRAINS_CASES_H

#include "photonic-rails-trains-differential.h"
#include "photonic-rails-trains-draw.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** Two runs of each of some random scenarios have equal outcomes. */
class TrainsCase : public TestCase
{
  public:
    /**
     * @param truth the tested property, as text
     * @param kind of scenarios
     * @param mode of the comparison
     * @param first seed
     * @param count of seeds
     */
    TrainsCase(const std::string& truth,
               TrainsDraw::Kind kind,
               TrainsDifferential::Mode mode,
               uint64_t first,
               uint64_t count);

  private:
    void DoRun() override;

    TrainsDraw::Kind m_kind;
    TrainsDifferential::Mode m_mode;
    uint64_t m_first;
    uint64_t m_count;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_CASES_H */
