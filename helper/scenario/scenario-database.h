/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCENARIO_DATABASE_H
#define PHOTONIC_RAILS_SCENARIO_DATABASE_H

#include "repeated-runs.h"

#include "ns3/curve-plot.h"
#include "ns3/program-results.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The database of results of a program (ResultDatabase), in the folder of its run.
 *
 * It has the command with its options from the begin on, then the results as they come. Runs are
 * recorded by RunResults. If the program ends by an error, a run that has begun has failed.
 */
class ScenarioDatabase : private std::streambuf
{
  public:
    /** A row of the table `parameters`. */
    struct Parameter
    {
        std::string name;
        std::string value;
        bool isGiven{false}; //!< an option that is on the command line
    };

    /** Makes a database; an existing file is replaced. */
    ScenarioDatabase(const std::string& file, const std::vector<Parameter>& parameters);
    ~ScenarioDatabase() override;
    ScenarioDatabase(const ScenarioDatabase&) = delete;
    ScenarioDatabase& operator=(const ScenarioDatabase&) = delete;

    /** @return the file */
    const std::string& GetFile() const;

    /** @return the number of the next run, from 0 */
    uint32_t TakeRunNumber();

    /**
     * Sets the plots of the program, which the report draws.
     * @param isEnd whether they are complete; else they are written from time to time
     */
    void SetPlots(const std::deque<CurvePlot>& plots, bool isEnd);
    /** Adds a row. @param json an object @param row its place in the array */
    void AddRow(const std::string& array, const std::string& json, std::size_t row);
    /** Completes the results. @param json an object with all but the rows that were added */
    void Complete(const std::string& json);
    /** Adds figures that the program is run for. */
    void AddFigures(const std::vector<RunFigure>& figures);

  private:
    /** A fatal error flushes all streams: runs that have begun have failed. */
    int sync() override;

    std::string m_file;
    ProgramResults m_results;
    std::ostream m_stream; //!< for fatal errors
    int m_process;         //!< that made it: copies by fork() are not concerned
    uint32_t m_runs{0};    //!< numbers that were taken
    double m_plotted{0};   //!< when plots were written, in seconds of the monotonic clock
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCENARIO_DATABASE_H */
