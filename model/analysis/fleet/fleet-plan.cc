/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-plan.h"

#include "ns3/option-value.h"

#include <numeric>
#include <set>

namespace ns3
{

std::string
FleetPlan::FindMistake() const
{
    if (servers == 0 || serversPerRack == 0 || gpus == 0 || replicaServers == 0)
    {
        return "a cluster of " + std::to_string(servers) + " servers in racks of " +
               std::to_string(serversPerRack) + ", with " + std::to_string(gpus) +
               " GPUs each and replicas of " + std::to_string(replicaServers) +
               " servers; give 1 or more of each";
    }
    if (spares >= servers)
    {
        return std::to_string(spares) + " of " + std::to_string(servers) +
               " servers in reserve leave none for jobs; give fewer";
    }
    const std::string ofJobs = FindMistakeOfJobs();
    if (!ofJobs.empty())
    {
        return ofJobs;
    }
    if (ListAdmitted().empty())
    {
        return "no job fits into " + std::to_string(servers - spares) +
               " servers; give smaller jobs or fewer spares";
    }
    return "";
}

std::string
FleetPlan::FindMistakeOfJobs() const
{
    for (const uint32_t job : jobs)
    {
        if (job == 0 || job % replicaServers != 0)
        {
            return "a job of " + std::to_string(job) + " servers has no whole replicas of " +
                   std::to_string(replicaServers) + " servers; give a multiple of that";
        }
    }
    return "";
}

std::vector<uint32_t>
FleetPlan::ListAdmitted() const
{
    std::vector<uint32_t> admitted;
    uint32_t left = servers - spares;
    for (const uint32_t job : jobs)
    {
        if (job <= left)
        {
            admitted.push_back(job);
            left -= job;
        }
    }
    return admitted;
}

uint32_t
FleetPlan::CountPool() const
{
    const std::vector<uint32_t> admitted = ListAdmitted();
    return servers - std::accumulate(admitted.begin(), admitted.end(), 0U);
}

std::vector<uint32_t>
FleetPlan::ListDistinctSpares(const std::vector<uint32_t>& numbers) const
{
    std::set<std::vector<uint32_t>> known;
    std::vector<uint32_t> distinct;
    FleetPlan with = *this;
    for (const uint32_t number : numbers)
    {
        with.spares = number;
        if (known.insert(with.ListAdmitted()).second)
        {
            distinct.push_back(number);
        }
    }
    return distinct;
}

std::string
ReadJobMix(const std::vector<std::string>& words, std::vector<uint32_t>& jobs)
{
    constexpr uint64_t MOST = 100000;
    std::vector<uint32_t> read;
    for (const std::string& word : words)
    {
        const std::size_t x = word.find('x');
        const auto count = ParseCount(word.substr(0, x), MOST);
        const auto servers = ParseCount(x == std::string::npos ? "" : word.substr(x + 1), MOST);
        if (x == std::string::npos || !count.why.empty() || !servers.why.empty() ||
            count.value == 0 || servers.value == 0 || read.size() + count.value > MOST)
        {
            return "'" + word + "' is no COUNTxSERVERS such as 8x16; give 1 to " +
                   std::to_string(MOST) + " of each";
        }
        read.insert(read.end(), count.value, servers.value);
    }
    jobs = read;
    return "";
}

} // namespace ns3
