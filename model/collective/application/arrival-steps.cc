/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "arrival-steps.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

ArrivalSteps::ArrivalSteps(Taker taker)
    : m_taker(std::move(taker))
{
}

ArrivalSteps::~ArrivalSteps()
{
    Simulator::Remove(m_event); // a cancelled one would prolong the simulation
}

void
ArrivalSteps::Add(const FlowMessage& message, Picoseconds over)
{
    m_waiting.emplace(Key{over, message.peer, message.channel, message.tag}, message);
    Arm();
}

void
ArrivalSteps::Arm()
{
    if (m_waiting.empty())
    {
        return;
    }
    const Picoseconds next = std::get<0>(m_waiting.begin()->first);
    if (next < m_armed)
    {
        Simulator::Remove(m_event);
        m_armed = next;
        m_event = Simulator::Schedule(ToTime(next - NowPicoseconds()), &ArrivalSteps::End, this);
    }
}

void
ArrivalSteps::End()
{
    const auto next = m_waiting.begin();
    const FlowMessage message = next->second;
    m_waiting.erase(next);
    m_armed = NEVER;
    Arm();
    m_taker(message); // last, as this may be gone afterwards
}

} // namespace ns3
