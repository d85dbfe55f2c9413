/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PLOT_OPTION_H
#define PHOTONIC_RAILS_PLOT_OPTION_H

#include "ns3/curve-plot.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <string>

namespace ns3
{

class OutputFile;
class ScenarioOptions;

/**
 * @ingroup photonic-rails
 * @brief The option `--plot=FILE.svg` of a program: curves of its results, in one file.
 *
 * A program sets the quantities of its plots at any time, and adds each point with the row of
 * results that has it (Scenario::AddRow()). The file has all rows so far, as that of `--json` does.
 */
class PlotOption
{
  public:
    PlotOption();
    ~PlotOption();
    PlotOption(const PlotOption&) = delete;
    PlotOption& operator=(const PlotOption&) = delete;

    /** Adds the option. */
    void Add(ScenarioOptions& options);

    /** @return whether the option is given */
    bool IsOn() const;

    /** @return all plots, from the top */
    const std::deque<CurvePlot>& GetPlots() const;

    /** @return a plot of the file, from the top; it stays where it is @param which from 0 */
    CurvePlot& GetPlot(std::size_t which);

    /** Opens the file, if the option is given. */
    void Begin();
    /**
     * Replaces the file by a drawing of all points so far, if there are any.
     * @param isEnd no call follows: devices and pipes are written too
     */
    void Save(bool isEnd);
    /** Completes the file. Throws a std::runtime_error if there is no point to draw. */
    void End();

  private:
    std::string m_name; //!< of the file; empty: the option is not given
    std::unique_ptr<OutputFile> m_file;
    std::deque<CurvePlot> m_plots; //!< references to them stay valid
    bool m_isDrawn{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PLOT_OPTION_H */
