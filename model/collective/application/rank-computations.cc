/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-computations.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RankComputations");

RankComputations::RankComputations(EndCallback ended)
    : m_ended(std::move(ended))
{
}

void
RankComputations::Begin(uint32_t operation, Time duration)
{
    NS_LOG_FUNCTION(this << operation << duration);
    m_running.push_back({operation,
                         Simulator::Now(),
                         Simulator::Schedule(duration, &RankComputations::End, this, operation)});
}

void
RankComputations::End(uint32_t operation)
{
    NS_LOG_FUNCTION(this << operation);
    const auto found =
        std::find_if(m_running.begin(), m_running.end(), [operation](const Computation& one) {
            return one.operation == operation;
        });
    const Time start = found->start;
    m_running.erase(found);
    m_ended(operation, start);
}

void
RankComputations::Stop()
{
    NS_LOG_FUNCTION(this);
    for (const Computation& computation : m_running)
    {
        Simulator::Remove(computation.end);
    }
    m_running.clear();
}

} // namespace ns3
