/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FAULT_OPTION_H
#define PHOTONIC_RAILS_FAULT_OPTION_H

#include "ns3/fault-injector.h"
#include "ns3/fault-schedule.h"
#include "ns3/job-run.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The options `--faults`, a JSON file, and `--fault`, faults in words.
 *
 * @code
 * FaultOption faults;
 * faults.Add(scenario.GetOptions());
 * scenario.Run(argc, argv, [&] {
 *     faults.Check(scenario.GetOptions());
 *     const Ptr<JobRun> run = helper.Install(job);
 *     const Ptr<FaultInjector> injector = faults.Install(*run);
 * @endcode
 */
class FaultOption
{
  public:
    /** @param words the default of `--fault` */
    explicit FaultOption(const std::string& words = "")
        : m_words(words)
    {
    }

    /** Adds the options. */
    void Add(ScenarioOptions& options);

    /** Reads the faults. Refuses what is no fault. */
    void Check(const ScenarioOptions& options);

    /** @return whether there are any faults */
    bool IsAny() const;

    /**
     * Gives a job the faults, before its run. If there are any, its ranks do not abort at a
     * failure, but stop, and the faults end with the last rank.
     * @return the injector
     */
    Ptr<FaultInjector> Install(const JobRun& run) const;

  private:
    std::string m_file;
    std::string m_words;
    FaultSchedule m_schedule;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FAULT_OPTION_H */
