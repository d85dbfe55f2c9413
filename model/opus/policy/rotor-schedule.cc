/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rotor-schedule.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

RotorSchedule::RotorSchedule(uint32_t places, uint32_t ports)
    : m_places(places),
      m_ports(ports),
      m_wide(places == 0 ? 0 : (places - 1) / 2)
{
    NS_ABORT_MSG_IF(places == 0 || ports == 0,
                    "RotorSchedule: " << places << " GPUs with " << ports
                                      << " ports each; there must be one of both or more");
}

uint32_t
RotorSchedule::GetSlots() const
{
    if (m_places < 3)
    {
        return 1;
    }
    if (m_ports == 1)
    {
        return m_places - 1 + m_places % 2;
    }
    const uint32_t lastOffset = m_places / 2;
    return 1 + std::max(GetSlotOf(lastOffset), GetSlotOf(m_wide));
}

uint32_t
RotorSchedule::GetSlot(uint32_t one, uint32_t other) const
{
    const uint32_t low = std::min(one, other);
    const uint32_t high = std::max(one, other);
    if (m_ports > 1)
    {
        return GetSlotOf(std::min(high - low, m_places - (high - low)));
    }
    // In round r two places meet if their sum is r modulo an odd number. A place that would meet
    // itself meets the last one, or has no partner if the number of places is odd
    const uint32_t rounds = GetSlots();
    return (low + (high == rounds ? low : high)) % rounds;
}

uint32_t
RotorSchedule::GetSlotOf(uint32_t offset) const
{
    const uint32_t width = m_ports / 2; // offsets of two ports in each slot
    const bool isHalf = 2 * offset == m_places;
    if (isHalf)
    {
        return m_ports % 2 == 1 ? 0 : m_wide / width;
    }
    return (offset - 1) / width;
}

uint32_t
RotorSchedule::CountPorts(uint32_t offset) const
{
    return 2 * offset == m_places ? 1 : 2;
}

std::vector<uint32_t>
RotorSchedule::GetOffsets(uint32_t slot) const
{
    const uint32_t width = m_ports / 2;
    std::vector<uint32_t> offsets;
    for (uint32_t offset = slot * width + 1; offset <= std::min((slot + 1) * width, m_wide);
         ++offset)
    {
        offsets.push_back(offset);
    }
    if (m_places % 2 == 0 && GetSlotOf(m_places / 2) == slot)
    {
        offsets.push_back(m_places / 2);
    }
    return offsets;
}

void
RotorSchedule::AddOffset(std::vector<RotorCircuit>& circuits, uint32_t offset, uint32_t port) const
{
    const bool isHalf = CountPorts(offset) == 1;
    for (uint32_t place = 0; place < (isHalf ? offset : m_places); ++place)
    {
        circuits.push_back({place, port, (place + offset) % m_places, isHalf ? port : port + 1});
    }
}

std::vector<RotorCircuit>
RotorSchedule::GetMatching(uint32_t round) const
{
    const uint32_t rounds = GetSlots();
    std::vector<RotorCircuit> matching;
    for (uint32_t place = 0; place < rounds; ++place)
    {
        const uint32_t partner = (round + rounds - place) % rounds;
        const uint32_t other = partner == place ? rounds : partner;
        if (place < other && other < m_places)
        {
            matching.push_back({place, 0, other, 0});
        }
    }
    return matching;
}

std::vector<RotorCircuit>
RotorSchedule::GetCircuits(uint32_t slot) const
{
    NS_ABORT_MSG_UNLESS(slot < GetSlots(),
                        "RotorSchedule: a cycle has " << GetSlots() << " slots; there is no slot "
                                                      << slot);
    std::vector<RotorCircuit> circuits;
    if (m_places == 1)
    {
        return circuits;
    }
    if (m_ports == 1)
    {
        return GetMatching(slot);
    }
    const std::vector<uint32_t> offsets = GetOffsets(slot);
    uint32_t port = 0;
    for (bool hasRoom = true; hasRoom;)
    {
        hasRoom = false;
        for (const uint32_t offset : offsets)
        {
            if (port + CountPorts(offset) <= m_ports)
            {
                AddOffset(circuits, offset, port);
                port += CountPorts(offset);
                hasRoom = true;
            }
        }
    }
    return circuits;
}

} // namespace ns3
