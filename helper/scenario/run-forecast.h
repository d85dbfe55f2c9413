/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RUN_FORECAST_H
#define PHOTONIC_RAILS_RUN_FORECAST_H

#include "side-by-side.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Forecasts the run time of simulations that run side by side, from the speed of those that
 * have made some progress.
 *
 * A simulation with less progress takes as long as its weight says, in relation to the others.
 */
class RunForecast
{
  public:
    /** The state of all simulations together. */
    struct Estimate
    {
        double share{0};       //!< completed share of all work, 0 to 1
        double secondsLeft{0}; //!< of run time
    };

    /**
     * @param weights relative run time of each simulation
     * @param processes at a time
     */
    RunForecast(const std::vector<double>& weights, uint32_t processes);

    /** @return the present estimate; none: no simulation has made enough progress */
    std::optional<Estimate> GetEstimate(const std::vector<SideBySide::Outcome>& outcomes) const;

    /** @return such as "3 of 14 runs, on-demand 25ms 40 %" */
    static std::string Describe(const std::vector<SideBySide::Outcome>& outcomes);

    /** Updates the line of progress (ProgressLine). */
    void Report(const std::vector<SideBySide::Outcome>& outcomes) const;

  private:
    std::vector<double> m_weights;
    uint32_t m_processes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RUN_FORECAST_H */
