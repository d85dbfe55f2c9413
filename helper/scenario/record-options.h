/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORD_OPTIONS_H
#define PHOTONIC_RAILS_RECORD_OPTIONS_H

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

    /** Adds the options `--output-inside`, `--output-messages` and `--output-timeline`. */
    void Add(ScenarioOptions& options);
    /** Refuses them without `--output`. */
    void Check(const ScenarioOptions& options) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORD_OPTIONS_H */
