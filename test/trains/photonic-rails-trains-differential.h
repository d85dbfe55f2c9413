/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H
#define PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H

#include "photonic-rails-trains-draw.h"
#include "photonic-rails-trains-scenario.h"

#include <cstdint>
#include <string>

namespace ns3
{

struct TrainsRunOptions;

/** The result of a comparison of two runs of a scenario. */
struct TrainsComparison
{
    std::string difference; //!< as text, with the scenario; empty if there is none
    bool skipped{false};    //!< a check falls on the very instant at which a frame passes
    uint64_t frames{0};
    uint64_t events{0};      //!< of the first run
    uint64_t otherEvents{0}; //!< of the second
    uint64_t longestRun{0};  //!< in one call of a sink of the second run
};

/** Runs random scenarios twice and finds the differences. */
class TrainsDifferential
{
  public:
    /** The kind of the second run. */
    enum Mode
    {
        TRAINS,     //!< trains, under another scheduler; the first is the reference
        SHUFFLED,   //!< the reference with events of an instant in another order
        DISTURBED,  //!< trains that are checked now and then; the first is of trains as well
        NO_SINKS,   //!< trains without sinks; the first has sinks
        SCHEDULERS, //!< the reference under another scheduler
    };

    /**
     * @param folder for captures
     * @param kind of scenarios
     * @param mode of the comparison
     */
    TrainsDifferential(std::string folder, TrainsDraw::Kind kind, Mode mode);

    /** @return the result of a seed's scenario */
    TrainsComparison Check(uint64_t seed) const;

    /** @return a scenario, with the instants of actions that are tied to frames */
    static TrainsScenario DrawScenario(TrainsDraw::Kind kind, uint64_t seed);

    static constexpr uint64_t MOST_ROWS = 3'000'000; //!< for showing what differs

  private:
    TrainsRunOptions FirstOptions(uint64_t seed) const;

    TrainsRunOptions SecondOptions(uint64_t seed) const;

    std::string m_folder;
    TrainsDraw::Kind m_kind;
    Mode m_mode;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H */
