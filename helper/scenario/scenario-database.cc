/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-database.h"

#include "error-line.h"
#include "monotonic-seconds.h"

#include "ns3/curve-plot-rows.h"
#include "ns3/fatal-impl.h"
#include "ns3/json-columns.h"
#include "ns3/result-database.h"
#include "ns3/result-schema.h"

#include <unistd.h>

namespace ns3
{

namespace
{

constexpr double BETWEEN_PLOTS = 0.5; // seconds, at least: each time all points are written

} // namespace

ScenarioDatabase::ScenarioDatabase(const std::string& file,
                                   const std::vector<Parameter>& parameters)
    : m_file(file),
      m_results(file),
      m_stream(this),
      m_process(getpid())
{
    ResultRows rows{FindResultTable("parameters"), {}};
    for (const Parameter& one : parameters)
    {
        rows.values.push_back(MakeResultValue(one.name));
        rows.values.push_back(MakeResultValue(one.value));
        rows.values.push_back(MakeResultValue(one.isGiven));
    }
    ResultDatabase::Create(file);
    ResultDatabase(file).Insert({rows});
    FatalImpl::RegisterStream(&m_stream);
}

ScenarioDatabase::~ScenarioDatabase()
{
    FatalImpl::UnregisterStream(&m_stream);
}

const std::string&
ScenarioDatabase::GetFile() const
{
    return m_file;
}

uint32_t
ScenarioDatabase::TakeRunNumber()
{
    return m_runs++;
}

void
ScenarioDatabase::SetPlots(const std::deque<CurvePlot>& plots, bool isEnd)
{
    const double now = GetMonotonicSeconds();
    if (isEnd || now - m_plotted > BETWEEN_PLOTS)
    {
        m_plotted = now;
        WriteCurvePlots(m_file, plots);
    }
}

void
ScenarioDatabase::AddRow(const std::string& array, const std::string& json, std::size_t row)
{
    m_results.AddRows(array, row, {json});
}

void
ScenarioDatabase::Complete(const std::string& json)
{
    m_results.SetSummary(json);
    for (const JsonArray& array : ListArrays(json))
    {
        m_results.AddRows(array.name, 0, array.elements);
    }
}

void
ScenarioDatabase::AddFigures(const std::vector<RunFigure>& figures)
{
    ResultRows rows{FindResultTable("figures"), {}};
    for (const RunFigure& figure : figures)
    {
        rows.values.push_back(MakeResultValue(figure.name));
        rows.values.push_back(MakeResultValue(figure.unit));
        rows.values.push_back(MakeResultValue(figure.value));
    }
    ResultDatabase(m_file).Insert({rows});
}

int
ScenarioDatabase::sync()
{
    if (m_process == getpid())
    {
        m_process = 0; // once: an error of the database is a fatal error itself
        ResultDatabase(m_file).Execute(
            "UPDATE runs SET status='failed', error=? WHERE status='running'",
            {MakeResultValue(ErrorLine::GetReason())});
    }
    return 0;
}

} // namespace ns3
