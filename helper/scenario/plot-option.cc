/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plot-option.h"

#include "error-line.h"
#include "scenario-options.h"

#include "ns3/output-file.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{

PlotOption::PlotOption() = default;
PlotOption::~PlotOption() = default;

void
PlotOption::Add(ScenarioOptions& options)
{
    options.Add("plot", "File for a plot of the results, SVG: NAME.svg", m_name)
        .Writes()
        .EndsIn(".svg");
}

bool
PlotOption::IsOn() const
{
    return !m_name.empty();
}

const std::deque<CurvePlot>&
PlotOption::GetPlots() const
{
    return m_plots;
}

CurvePlot&
PlotOption::GetPlot(std::size_t which)
{
    m_plots.resize(std::max(m_plots.size(), which + 1));
    return m_plots[which];
}

void
PlotOption::Begin()
{
    if (IsOn())
    {
        ErrorLine::SetNote("; no " + m_name + ": there is no row to draw yet");
        m_file = std::make_unique<OutputFile>(m_name);
    }
}

void
PlotOption::Save(bool isEnd)
{
    const bool isEmpty = std::all_of(m_plots.begin(), m_plots.end(), [](const CurvePlot& plot) {
        return plot.IsEmpty();
    });
    if (m_file && !isEmpty && (isEnd || m_file->IsReplaceable()))
    {
        m_file->Replace(CurvePlot::DrawFile({m_plots.begin(), m_plots.end()}));
        m_isDrawn = true;
        ErrorLine::SetNote("");
    }
}

void
PlotOption::End()
{
    if (m_file && !m_isDrawn)
    {
        throw std::runtime_error("--plot=" + m_name +
                                 ": there is nothing to draw, as the run has no row of results");
    }
    m_file.reset();
}

} // namespace ns3
