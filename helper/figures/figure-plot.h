/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FIGURE_PLOT_H
#define PHOTONIC_RAILS_FIGURE_PLOT_H

#include "figure.h"

#include "ns3/curve-plot.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The curves of a published figure: for each column its values here, and those published,
 * over the rows.
 *
 * Delays and rates have a logarithmic scale. A value of no delay is a level. Other rows are names.
 */
class FigurePlot
{
  public:
    /**
     * @param figure whose values are curves (Figure::isCurve)
     * @param points of it, that are drawn
     * @param plot gets the curves
     */
    FigurePlot(const Figure& figure, const std::vector<FigurePoint>& points, CurvePlot& plot);

    /** Adds the value of a point, and the published one. */
    void Add(const FigurePoint& point, double value);

  private:
    /** Adds a value to a curve. */
    void AddTo(const std::string& curve, const std::string& row, double value);

    std::string m_rowKind; //!< Figure::rows
    std::vector<std::string> m_rows;
    CurvePlot& m_plot;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FIGURE_PLOT_H */
