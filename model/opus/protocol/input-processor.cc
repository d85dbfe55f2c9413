/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-processor.h"

#include "ns3/own-random-variable.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

InputProcessor::InputProcessor(InstantQueue& instant,
                               uint64_t key,
                               std::function<void(const ProcessingQueue::Times&)> ended)
    : m_instant(instant),
      m_key(key),
      m_ended(std::move(ended))
{
}

InputProcessor::~InputProcessor()
{
    m_event.Cancel(); // after the end of the simulation it cannot be removed
}

void
InputProcessor::SetTime(Ptr<RandomVariableStream> seconds)
{
    m_time = seconds;
    const auto constant = DynamicCast<ConstantRandomVariable>(seconds);
    m_isOn = seconds && (!constant || constant->GetConstant() != 0);
}

Ptr<RandomVariableStream>
InputProcessor::GetTime() const
{
    return m_time;
}

int64_t
InputProcessor::AssignStreams(int64_t stream)
{
    FixStream(m_time, stream);
    return 1;
}

bool
InputProcessor::IsOn() const
{
    return m_isOn;
}

void
InputProcessor::Add(const Turn& turn, std::function<void()> action)
{
    m_arrivals.push_back({turn, std::move(action)});
}

void
InputProcessor::Accept(bool isGroup)
{
    std::vector<Arrival> arrivals;
    arrivals.swap(m_arrivals);
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) {
        return a.turn < b.turn;
    });
    for (Arrival& one : arrivals)
    {
        const bool isLast = !isGroup || &one == &arrivals.back();
        m_queue.Add(NowPicoseconds(), std::move(one.action), isLast);
    }
}

void
InputProcessor::InstantOver(bool isGroup, const std::function<void()>& send)
{
    Accept(isGroup);
    const uint64_t cleared = m_cleared;
    while (m_cleared == cleared && m_queue.IsReady())
    {
        const Picoseconds span = DrawPicoseconds(m_time, "OpusEndpoint: ProcessingTime");
        m_queue.Begin(NowPicoseconds(), span);
        if (span > 0)
        {
            // the instant in which it ends is over a picosecond later
            m_event = Simulator::Schedule(ToTime(span - 1), &InputProcessor::TimeOver, this);
        }
        else
        {
            End();
        }
    }
    if (m_cleared == cleared && !m_queue.IsWithinGroup())
    {
        send();
    }
}

void
InputProcessor::TimeOver()
{
    m_instant.Add({m_key, 0, 0}, [this]() { End(); });
}

void
InputProcessor::End()
{
    const std::function<void()> action = m_queue.End();
    const ProcessingQueue::Times times = m_queue.GetLast();
    action();
    m_ended(times);
}

void
InputProcessor::Clear()
{
    ++m_cleared;
    Simulator::Remove(m_event); // a cancelled event would prolong the simulation
    m_arrivals.clear();
    m_queue.Clear();
}

std::size_t
InputProcessor::GetLength() const
{
    return m_queue.GetLength();
}

const ProcessingLoad&
InputProcessor::GetLoad() const
{
    return m_queue.GetLoad();
}

} // namespace ns3
