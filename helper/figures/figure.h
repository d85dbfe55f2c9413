/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_H
#define PHOTONIC_RAILS_FIGURE_H

#include "figure-run.h"

#include "ns3/model-shape.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** A value of a published figure, and the way to compute it here. */
struct FigurePoint
{
    std::string row;                    //!< such as "10 ms"
    std::string column;                 //!< such as "on demand"
    std::string published{};            //!< as printed there; empty: not available here
    std::vector<std::string> options{}; //!< of the training job, beside those of the figure
    std::function<double(const FigureRun&)> measure{}; //!< the value of the job; or null
    std::function<double()> compute{};                 //!< the value without a simulation; or null
    std::optional<int> decimals{};                     //!< of the value, if not those of the figure
};

/**
 * @ingroup photonic-rails
 * @brief A figure or table of a paper, as data: its columns, the published values, and the
 * configuration of each value.
 *
 * A value is of a training job, which is described by options of photonic-training, or is computed
 * without a simulation. Rows and columns have the order of their first point. Not every row has
 * every column.
 */
struct Figure
{
    std::string name;                       //!< in scripts: "simulation-128"
    std::string title;                      //!< of what it shows
    std::string source;                     //!< the paper, or its artifact
    std::string rows;                       //!< what its rows are: "delay"
    std::string unit;                       //!< of its values: "s an iteration"
    std::string calibrated;                 //!< which constants are set by a published value
    std::string effort;                     //!< how long it takes
    std::vector<std::string> assumptions{}; //!< what was not published, and is chosen here
    std::optional<ModelShape> shape{};      //!< of its jobs, if it is none of GetModelShapes()
    std::string shapeFile{};                //!< the same as a file, below doc/validation
    std::vector<std::string> options{};     //!< of all its jobs
    bool isCurve{false};                    //!< its values have one unit, its rows an order
    int decimals{3};                        //!< of its values
    std::vector<FigurePoint> points{};      //!< its values

    /** @return the names of the rows, in order */
    std::vector<std::string> ListRows() const;
    /** @return the names of the columns, in order */
    std::vector<std::string> ListColumns() const;
    /**
     * @param only names of rows and columns; of each kind none means all
     * @return the points in these rows and columns
     */
    std::vector<FigurePoint> Select(const std::vector<std::string>& only) const;
    /** @return a shell command with the options of all jobs */
    std::string GetCommand() const;
    /** @return all options of a point's job */
    std::vector<std::string> ListOptions(const FigurePoint& point) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_H */
