/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "frame-sinks.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
FrameSinks::Add(std::shared_ptr<FrameSink> sink)
{
    m_sinks.push_back(std::move(sink));
}

bool
FrameSinks::Remove(const std::shared_ptr<FrameSink>& sink)
{
    const auto place = std::find(m_sinks.begin(), m_sinks.end(), sink);
    if (place == m_sinks.end())
    {
        return false;
    }
    (*place)->Settle(NEVER);
    m_sinks.erase(place);
    return true;
}

void
FrameSinks::Close()
{
    for (const auto& sink : m_sinks)
    {
        sink->Settle(NEVER);
    }
    m_sinks.clear();
}

void
FrameSinks::TakeSent(const WireFrame& frame, Picoseconds now) const
{
    for (const auto& sink : m_sinks)
    {
        sink->Settle(now - 1);
        sink->TakeSent(frame, frame.roce, RunClock(frame.first, frame.last));
    }
}

void
FrameSinks::TakeReceived(const WireFrame& frame, Picoseconds now) const
{
    for (const auto& sink : m_sinks)
    {
        sink->Settle(now - 1);
        sink->TakeReceived(frame, frame.roce, RunClock(frame.first, frame.last));
    }
}

bool
FrameSinks::TakeTotals() const
{
    return std::all_of(m_sinks.begin(), m_sinks.end(), [](const auto& sink) {
        return sink->TakesTotals();
    });
}

void
FrameSinks::AddSent(const FrameTotal& total) const
{
    for (const auto& sink : m_sinks)
    {
        sink->AddSent(total);
    }
}

void
FrameSinks::AddReceived(const FrameTotal& total) const
{
    for (const auto& sink : m_sinks)
    {
        sink->AddReceived(total);
    }
}

} // namespace ns3
