/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-computations.h"

#include "ns3/log.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
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
    m_running.push_back({operation, Simulator::Now(), 0, duration.GetTimeStep(), EventId()});
    Schedule(m_running.back());
}

void
RankComputations::Resume(uint32_t operation, Picoseconds start, Picoseconds duration)
{
    NS_LOG_FUNCTION(this << operation << start << duration);
    Computation computation{operation, ToTime(start), start, duration, EventId()};
    computation.end = Simulator::Schedule(ToTime(start + duration - NowPicoseconds()),
                                          &RankComputations::End,
                                          this,
                                          operation);
    m_running.push_back(computation);
}

Time
RankComputations::Lengthen(Time duration, double factor)
{
    return factor == 1 ? duration : ToTime(std::llround(duration.GetTimeStep() * factor));
}

void
RankComputations::Schedule(Computation& computation)
{
    computation.since = NowPicoseconds();
    const Picoseconds takes =
        m_factor == 1 ? computation.left
                      : static_cast<Picoseconds>(std::llround(computation.left * m_factor));
    computation.end =
        Simulator::Schedule(ToTime(takes), &RankComputations::End, this, computation.operation);
}

void
RankComputations::SetFactor(double factor)
{
    NS_LOG_FUNCTION(this << factor);
    if (factor == m_factor)
    {
        return;
    }
    const Picoseconds now = NowPicoseconds();
    for (Computation& computation : m_running)
    {
        const Picoseconds passed = now - computation.since;
        const Picoseconds done =
            m_factor == 1 ? passed : static_cast<Picoseconds>(std::llround(passed / m_factor));
        computation.left = std::max<Picoseconds>(0, computation.left - done);
    }
    m_factor = factor;
    for (Computation& computation : m_running)
    {
        Simulator::Remove(computation.end);
        Schedule(computation);
    }
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
