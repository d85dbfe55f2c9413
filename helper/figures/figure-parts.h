/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_PARTS_H
#define PHOTONIC_RAILS_FIGURE_PARTS_H

#include "figure.h"

#include "ns3/model-shape.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** The papers. */
struct FigureSources
{
    static const char* const RAILS; //!< the workshop paper
    static const char* const OPUS;  //!< the paper on Opus, and its artifact
};

/** Published values of a column: by row. */
using PublishedColumn = std::map<std::string, std::string>;

/** @return the published value of a row; empty: not available here */
std::string FindPublished(const PublishedColumn& published, const std::string& row);

/** A column of a figure of training jobs. */
struct JobColumn
{
    std::string name;
    std::vector<std::string> options;
    bool byDelay{false};         //!< it has a value for each delay; else one, without any
    PublishedColumn published{}; //!< by delay; without any: at NO_DELAY
};

/** The row of values without a delay. */
extern const char* const NO_DELAY;

/** @return seconds of a steady iteration */
double GetIterationSeconds(const FigureRun& run);

/** @return the columns of the simulations of Opus @param published by name of the column */
std::vector<JobColumn> ListSimulationColumns(
    const std::map<std::string, PublishedColumn>& published = {});

/** Adds the values of columns by delay. @param delays such as "10ms" */
void AddByDelay(Figure& figure,
                const std::vector<JobColumn>& columns,
                const std::vector<std::string>& delays);

/**
 * Adds the values of columns at one delay, in a row.
 * @param options of the row
 */
void AddRow(Figure& figure,
            const std::string& row,
            const std::vector<JobColumn>& columns,
            const std::vector<std::string>& options,
            const std::string& delay);

/** @return the delays of the simulations and the emulation up to a second */
std::vector<std::string> ListDelays();

/**
 * @return the 80B-class model of the simulations: 96 layers, as published; width and the rest are
 *         chosen to make 78 billion parameters
 */
ModelShape MakeStudyModel80();

/** @return the 405B-class model of the simulations, as their artifact has it */
ModelShape MakeStudyModel405();

/** @return options of a simulated job on H200 or GB200, with the settings of the artifact */
std::vector<std::string> ListStudyOptions(const std::string& gpu);

/** Sets what the figures of simulations share. */
void SetStudy(Figure& figure);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_PARTS_H */
