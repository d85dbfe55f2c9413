/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRACE_EXPORT_H
#define PHOTONIC_RAILS_TRACE_EXPORT_H

#include "ns3/job-programs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Scenario;

/**
 * @ingroup photonic-rails
 * @brief The options `--export` and `--export-to` of a program that runs a job: its programs as a
 * trace, for this module and other tools.
 *
 * Each file is replaced as a whole or not at all (OutputFile).
 * @code
 * TraceExport traces;
 * traces.Add(scenario);
 * return scenario.Run(argc, argv, [&] {
 *     traces.Check(scenario, job);
 *     scenario.Begin();
 *     traces.Write(job);
 * });
 * @endcode
 */
class TraceExport
{
  public:
    /** Adds the options. */
    void Add(Scenario& scenario);

    /** @return whether there is anything to write */
    bool IsOn() const;

    /** Refuses a job that can't be written, and names of files that can't. */
    void Check(Scenario& scenario, const JobPrograms& job) const;

    /** Writes the files, if there are any to write. */
    void Write(const JobPrograms& job) const;

  private:
    /** @return the path, with %d for the rank where there is a file for each */
    std::string GetPath() const;
    /** @return the file of a rank */
    std::string GetPathOf(uint32_t rank) const;
    /** @return all files */
    std::vector<std::string> ListFiles(uint32_t ranks) const;
    /** Refuses a path that has not the form of its format. */
    void CheckPath(Scenario& scenario, uint32_t ranks) const;

    std::string m_format{"none"};
    std::string m_path;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRACE_EXPORT_H */
