/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPEATED_RUNS_H
#define PHOTONIC_RAILS_REPEATED_RUNS_H

#include "ns3/json-writer.h"
#include "ns3/sample-mean.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/** A figure of a run: what a program is run for. */
struct RunFigure
{
    std::string name; //!< such as "all-reduce of 1048576 bytes"
    std::string unit; //!< of the value, such as "us"
    double value{0};
};

/**
 * @ingroup photonic-rails
 * @brief The figures of several runs of a program that differ in their random variables: the mean
 * of each, and its 95 % interval (SampleMean).
 * @code
 * RepeatedRuns runs;
 * for (...) { runs.Add(figuresOfARun); }
 * runs.Print(std::cout, 1);
 * @endcode
 */
class RepeatedRuns
{
  public:
    /** @return figures as bytes, for a process of the same program */
    static std::string Pack(const std::vector<RunFigure>& figures);
    /** @param bytes of Pack() */
    static std::vector<RunFigure> Unpack(const std::string& bytes);

    /** Adds the figures of a run. @return the difference from the first run's; empty: none */
    std::string Add(const std::vector<RunFigure>& figures);

    /** @return the number of figures of each run */
    std::size_t CountFigures() const;

    /** Prints a row for each figure. @param firstRun number of the first run (RngRun) */
    void Print(std::ostream& os, uint64_t firstRun) const;

    /** Writes a figure as members of an object. @param which place of the figure */
    void Write(JsonWriter& json, std::size_t which) const;

  private:
    /** A figure in all runs. */
    struct Row
    {
        std::string name;
        std::string unit;
        std::vector<double> values; //!< by run
        SampleMean mean;
    };

    std::vector<Row> m_rows;
    uint64_t m_runs{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPEATED_RUNS_H */
