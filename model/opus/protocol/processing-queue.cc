/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "processing-queue.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
ProcessingQueue::Add(Picoseconds now, std::function<void()> action, bool isLast)
{
    m_inputs.push_back({now, std::move(action), isLast});
    m_load.longest = std::max<uint64_t>(m_load.longest, m_inputs.size());
}

bool
ProcessingQueue::IsReady() const
{
    return !m_inputs.empty() && !m_present;
}

void
ProcessingQueue::Begin(Picoseconds now, Picoseconds span)
{
    m_present = Times{m_inputs.front().arrived, now, now + span};
}

std::function<void()>
ProcessingQueue::End()
{
    m_last = *m_present;
    m_present.reset();
    Input input = std::move(m_inputs.front());
    m_inputs.pop_front();
    m_isWithinGroup = !input.isLast;
    const Picoseconds waited = m_last.begun - m_last.arrived;
    ++m_load.inputs;
    m_load.busy += m_last.ended - m_last.begun;
    m_load.waited += waited;
    m_load.waitedMost = std::max(m_load.waitedMost, waited);
    return std::move(input.action);
}

void
ProcessingQueue::Clear()
{
    m_inputs.clear();
    m_present.reset();
    m_isWithinGroup = false;
}

bool
ProcessingQueue::IsWithinGroup() const
{
    return m_isWithinGroup;
}

std::size_t
ProcessingQueue::GetLength() const
{
    return m_inputs.size();
}

const ProcessingQueue::Times&
ProcessingQueue::GetLast() const
{
    return m_last;
}

const ProcessingLoad&
ProcessingQueue::GetLoad() const
{
    return m_load;
}

} // namespace ns3
