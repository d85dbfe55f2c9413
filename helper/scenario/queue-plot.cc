/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-plot.h"

#include "ns3/output-file.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/** @return a name between quotes @param forQuote replaces each quote in it */
std::string
Quote(const std::string& name, const std::string& forQuote)
{
    std::string quoted = "'";
    for (const char c : name)
    {
        quoted += c == '\'' ? forQuote : std::string(1, c);
    }
    return quoted + "'";
}

} // namespace

QueuePlot::QueuePlot(const std::string& prefix)
    : m_data(prefix + ".dat"),
      m_script(prefix + ".gp"),
      m_picture(prefix + ".png")
{
}

std::vector<std::string>
QueuePlot::ListFiles() const
{
    return {m_data, m_script, m_picture};
}

std::string
QueuePlot::Draw(const QueueHistory& history) const
{
    OutputFile(m_data).Replace(MakeData(history));
    OutputFile(m_script).Replace(MakeScript());
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    {
        return "gnuplot is not installed; wrote " + m_data + " and " + m_script;
    }
    const std::string run = "gnuplot " + Quote(m_script, "'\\''");
    if (std::system(run.c_str()) != 0)
    {
        throw std::runtime_error("gnuplot could not draw " + m_picture + " from " + m_script);
    }
    return "wrote " + m_picture;
}

std::string
QueuePlot::MakeData(const QueueHistory& history)
{
    std::ostringstream points;
    points << "# time in ps, bytes in the queue of the receiver's port\n";
    for (const QueueHistory::Depth& depth : history.GetDepths())
    {
        points << depth.since.GetTimeStep() << " " << depth.bytes << "\n";
    }
    return points.str();
}

std::string
QueuePlot::MakeScript() const
{
    std::ostringstream commands;
    commands << "set terminal pngcairo size 900,500\n"
             << "set output " << Quote(m_picture, "''") << "\n"
             << "set xlabel 'time (us)'\n"
             << "set ylabel 'queue of the receiver''s port (MB)'\n"
             << "set yrange [0:*]\n"
             << "set key off\n"
             << "plot " << Quote(m_data, "''") << " using ($1/1e6):($2/1e6) with steps\n";
    return commands.str();
}

} // namespace ns3
