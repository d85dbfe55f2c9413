/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_NOISE_OPTION_H
#define PHOTONIC_RAILS_NOISE_OPTION_H

#include "ns3/nstime.h"

#include <string>

namespace ns3
{

class PhotonicRailHelper;
class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The option `--noise`: none, or measured (MeasuredNoise). `--runs` draws anew for each run.
 */
class NoiseOption
{
  public:
    /** Adds the option. */
    void Add(ScenarioOptions& options);

    /** @return whether computing and reconfiguration vary as measured */
    bool IsMeasured() const;

    /** Has the switches of rails vary, if so. @param mean reconfiguration time */
    void SetUp(PhotonicRailHelper& rails, Time mean) const;

    /** @param mean reconfiguration time @return the longest that a switch draws */
    Time GetLongest(Time mean) const;

  private:
    std::string m_noise{"none"};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_NOISE_OPTION_H */
