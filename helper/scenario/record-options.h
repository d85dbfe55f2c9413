/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORD_OPTIONS_H
#define PHOTONIC_RAILS_RECORD_OPTIONS_H

#include "ns3/training-run.h"

#include <cstdint>
#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief What a run records in its folder beside what is cheap, as options of a command line.
 */
struct RecordOptions
{
    bool inside{false};   //!< computing, and operations inside servers
    bool messages{false}; //!< messages on rails
    bool timeline{false}; //!< a timeline of each run
    /** The largest job whose operations are recorded, which its windows follow from, in ranks. */
    uint32_t ranks{TrainingRun::MOST_RANKS};

    /**
     * Adds the options `--record-ranks`, `--output-inside`, `--output-messages` and
     * `--output-timeline`.
     */
    void Add(ScenarioOptions& options);
    /** Refuses the last three without `--output`. */
    void Check(const ScenarioOptions& options) const;
    /** @return what is not recorded of a job with so many ranks, in words; empty: all is */
    std::string DescribeLimit(uint32_t jobRanks) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORD_OPTIONS_H */
