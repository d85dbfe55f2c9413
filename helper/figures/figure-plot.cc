/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "figure-plot.h"

#include "figure-parts.h"

#include "ns3/option-value.h"

#include <algorithm>
#include <cstdlib>

namespace ns3
{

namespace
{

const char* const PUBLISHED_CURVE = ", published"; //!< behind the name of a curve

} // namespace

FigurePlot::FigurePlot(const Figure& figure,
                       const std::vector<FigurePoint>& points,
                       CurvePlot& plot)
    : m_rowKind(figure.rows),
      m_plot(plot)
{
    Figure selected;
    selected.points = points;
    m_rows = selected.ListRows();
    for (const FigurePoint& point : points)
    {
        plot.AddCurve(point.column);
        if (!point.published.empty())
        {
            plot.AddCurve(point.column + PUBLISHED_CURVE);
        }
    }
    plot.SetTitle(figure.title);
    plot.SetY({figure.unit});
    if (m_rowKind == "delay")
    {
        plot.SetX({"delay (logarithmic, 0 at the left)", 1, PlotQuantity::SECONDS, true});
    }
    else if (m_rowKind == "rate")
    {
        plot.SetX({"rate (GB/s, logarithmic)", 8e9, PlotQuantity::NUMBERS, true});
    }
    else
    {
        plot.SetX({figure.rows});
        plot.SetXNames(m_rows);
    }
}

void
FigurePlot::Add(const FigurePoint& point, double value)
{
    AddTo(point.column, point.row, value);
    char* end = nullptr;
    const double published = std::strtod(point.published.c_str(), &end);
    if (!point.published.empty() && *end == '\0')
    {
        AddTo(point.column + PUBLISHED_CURVE, point.row, published);
    }
}

void
FigurePlot::AddTo(const std::string& curve, const std::string& row, double value)
{
    if (row == NO_DELAY)
    {
        m_plot.AddLevel(curve, value);
    }
    else if (m_rowKind == "delay")
    {
        m_plot.AddPoint(curve, ParseTime(row).value.GetSeconds(), value);
    }
    else if (m_rowKind == "rate")
    {
        m_plot.AddPoint(curve, ParseRate(row).value.GetBitRate(), value);
    }
    else
    {
        const auto place = std::find(m_rows.begin(), m_rows.end(), row) - m_rows.begin();
        m_plot.AddPoint(curve, static_cast<double>(place), value);
    }
}

} // namespace ns3
