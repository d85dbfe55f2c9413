/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "failure-diagnosis.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** @return a diagnosis of GPUs */
FailureDiagnosis
OfGpus(const std::set<GpuPlace>& gpus, FailureSign sign, const std::string& words)
{
    FailureDiagnosis found;
    found.gpus = gpus;
    found.sign = sign;
    std::ostringstream all;
    for (const GpuPlace& gpu : gpus)
    {
        found.servers.insert(gpu.server);
        all << (all.str().empty() ? "" : " and ") << gpu;
    }
    found.words = all.str() + ": " + words;
    return found;
}

/** @return a diagnosis of whole servers */
FailureDiagnosis
OfServers(const std::set<uint32_t>& servers, FailureSign sign, const std::string& words)
{
    FailureDiagnosis found;
    found.servers = servers;
    found.sign = sign;
    std::ostringstream all;
    for (const uint32_t server : servers)
    {
        all << (all.str().empty() ? "server " : " and server ") << server;
    }
    found.words = all.str() + ": " + words;
    return found;
}

/** @return what messages show that were given up */
FailureDiagnosis
OfMessages(const std::set<FailureReport>& reports, const std::set<GpuPlace>& left)
{
    std::set<std::pair<GpuPlace, GpuPlace>> pairs; // the lower place first
    std::set<GpuPlace> reporters;
    FailureSign sign = FailureSign::RETRY_LIMIT;
    bool areDark = true; // all of them
    for (const FailureReport& report : reports)
    {
        if (report.suspect &&
            (report.sign == FailureSign::NO_CARRIER || report.sign == FailureSign::RETRY_LIMIT))
        {
            pairs.insert(std::minmax(report.at, *report.suspect));
            reporters.insert(report.at);
            sign = std::min(sign, report.sign);
            areDark = areDark && report.sign == FailureSign::NO_CARRIER;
        }
    }
    std::map<GpuPlace, std::size_t> counts;
    for (const auto& [one, other] : pairs)
    {
        ++counts[one];
        ++counts[other];
    }
    std::size_t most = 0;
    for (const auto& [place, count] : counts)
    {
        most = std::max(most, count);
    }
    std::set<GpuPlace> found;
    std::set<GpuPlace> quiet;
    for (const auto& [place, count] : counts)
    {
        if (count == most)
        {
            found.insert(place);
            if (reporters.count(place) == 0)
            {
                quiet.insert(place);
            }
        }
    }
    if (found.empty())
    {
        return {};
    }
    // without light a GPU is quiet that has nothing to send
    std::set<GpuPlace> tied = quiet.empty() || areDark ? found : quiet;
    GpuPlace failed = *tied.begin();
    for (const GpuPlace& place : left)
    {
        failed = tied.count(place) > 0 ? place : failed;
    }
    tied.erase(failed);
    std::ostringstream words;
    words << "messages of " << pairs.size() << (pairs.size() == 1 ? " pair" : " pairs")
          << " were given up (" << ToString(sign) << ")";
    FailureDiagnosis one = OfGpus({failed}, sign, words.str());
    one.tied = tied;
    return one;
}

} // namespace

FailureDiagnosis
Diagnose(const std::set<FailureReport>& reports,
         const std::set<uint32_t>& silent,
         const std::set<uint32_t>& running,
         const std::set<GpuPlace>& left)
{
    if (!silent.empty())
    {
        return OfServers(silent, FailureSign::NO_HEARTBEAT, "no heartbeat");
    }
    std::set<GpuPlace> ended;
    std::set<uint32_t> stalled;
    for (const FailureReport& report : reports)
    {
        if (report.sign == FailureSign::PROCESS_EXIT)
        {
            ended.insert(report.at);
        }
        if (report.sign == FailureSign::TIMEOUT)
        {
            stalled.insert(report.at.server);
        }
    }
    if (!ended.empty())
    {
        return OfGpus(ended, FailureSign::PROCESS_EXIT, "the process of the rank has ended");
    }
    FailureDiagnosis found = OfMessages(reports, left);
    if (!found.IsKnown() && stalled.size() + 1 == running.size())
    {
        std::set<uint32_t> others;
        std::set_difference(running.begin(),
                            running.end(),
                            stalled.begin(),
                            stalled.end(),
                            std::inserter(others, others.begin()));
        found = OfServers(others, FailureSign::TIMEOUT, "ranks of all others stalled");
    }
    if (!found.IsKnown())
    {
        found.words = "the signs point to no component";
    }
    return found;
}

} // namespace ns3
