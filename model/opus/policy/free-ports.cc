/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "free-ports.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

FreePorts::FreePorts(JobId job, const Cabling& cabling)
    : m_job(job),
      m_cabling(cabling)
{
}

const std::vector<uint32_t>&
FreePorts::Get(RankId rank)
{
    const auto [free, isNew] = m_free.try_emplace(rank);
    if (isNew)
    {
        free->second = m_cabling.GetOwnedPorts(m_job, rank);
    }
    return free->second;
}

bool
FreePorts::IsFree(RankId rank, uint32_t port)
{
    const std::vector<uint32_t>& free = Get(rank);
    return std::find(free.begin(), free.end(), port) != free.end();
}

bool
FreePorts::CanJoin(RankId one, RankId other)
{
    return one != other && !Get(one).empty() && !Get(other).empty() &&
           m_cabling.GetRail(one) == m_cabling.GetRail(other);
}

void
FreePorts::Take(RankId rank, uint32_t port)
{
    NS_ABORT_MSG_UNLESS(IsFree(rank, port),
                        "FreePorts: port " << port << " of rank " << rank
                                           << " is taken already, or not the job's");
    std::vector<uint32_t>& free = m_free.at(rank);
    free.erase(std::find(free.begin(), free.end(), port));
}

RankCircuit
FreePorts::Join(RankId one, RankId other)
{
    const RankCircuit circuit{one, Get(one).at(0), other, Get(other).at(0)};
    Take(one, circuit.onePort);
    Take(other, circuit.otherPort);
    return circuit;
}

} // namespace ns3
