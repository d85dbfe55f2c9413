/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-export.h"

#include "scenario.h"

#include "ns3/chakra-trace-writer.h"
#include "ns3/goal-trace-writer.h"
#include "ns3/numbered-files.h"
#include "ns3/output-file.h"

#include <algorithm>

namespace ns3
{

namespace
{

const std::string OF_RANK = "%d";

/** @return whether a path has an ending */
bool
HasEnding(const std::string& path, const std::string& end)
{
    return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
}

} // namespace

void
TraceExport::Add(Scenario& scenario)
{
    scenario.Add("export", "Writes the job as a trace, one file or one for each rank", m_format)
        .OneOf({"none", "goal", "chakra"}, "format");
    scenario.Add("export-to",
                 "The file, by default job.goal; for chakra with %d for the rank, job.%d.et",
                 m_path);
}

bool
TraceExport::IsOn() const
{
    return m_format != "none";
}

std::string
TraceExport::GetPath() const
{
    return !m_path.empty() ? m_path : m_format == "chakra" ? "job.%d.et" : "job.goal";
}

std::string
TraceExport::GetPathOf(uint32_t rank) const
{
    std::string path = GetPath();
    return path.replace(path.find(OF_RANK), OF_RANK.size(), std::to_string(rank));
}

std::vector<std::string>
TraceExport::ListFiles(uint32_t ranks) const
{
    std::vector<std::string> files;
    for (uint32_t rank = 0; m_format == "chakra" && rank < ranks; ++rank)
    {
        files.push_back(GetPathOf(rank));
    }
    return files.empty() ? std::vector<std::string>{GetPath()} : files;
}

void
TraceExport::CheckPath(Scenario& scenario, uint32_t ranks) const
{
    const std::string path = GetPath();
    if (m_format == "goal")
    {
        scenario.Require(HasEnding(path, ".goal"), "export-to", "give a name that ends with .goal");
        return;
    }
    const std::size_t place = path.find(OF_RANK);
    scenario.Require(HasEnding(path, ".et") && place != std::string::npos &&
                         path.find(OF_RANK, place + 1) == std::string::npos,
                     "export-to",
                     "give a name with one %d, for the rank, that ends with .et");
    const NumberedFiles there(path.substr(0, place), path.substr(place + OF_RANK.size()));
    const bool hasMore = !there.GetNumbers().empty() && *there.GetNumbers().rbegin() >= ranks;
    scenario.Require(!hasMore,
                     "export-to",
                     hasMore ? "there is " +
                                   there.GetPath(std::to_string(*there.GetNumbers().rbegin())) +
                                   " already, of a job of more than " + std::to_string(ranks) +
                                   " ranks; remove it, or give another name"
                             : "");
}

void
TraceExport::Check(Scenario& scenario, const JobPrograms& job) const
{
    scenario.Require(IsOn() || m_path.empty(), "export-to", "give the format, --export");
    if (!IsOn())
    {
        return;
    }
    const std::string why = m_format == "goal" ? GoalTraceWriter(job).FindWhyNot()
                                               : ChakraTraceWriter(job).FindWhyNot();
    scenario.Require(why.empty(), "export", why);
    CheckPath(scenario, job.ranks.size());
    scenario.Claim("export-to", ListFiles(job.ranks.size()));
}

void
TraceExport::Write(const JobPrograms& job) const
{
    if (!IsOn())
    {
        return;
    }
    if (m_format == "goal")
    {
        OutputFile file(GetPath());
        GoalTraceWriter(job).Write([&file](const std::string& piece) { file.Append(piece); });
        file.Complete();
        return;
    }
    const ChakraTraceWriter writer(job);
    for (uint32_t rank = 0; rank < job.ranks.size(); ++rank)
    {
        OutputFile file(GetPathOf(rank));
        writer.Write(rank, [&file](const std::string& piece) { file.Append(piece); });
        file.Complete();
    }
}

} // namespace ns3
