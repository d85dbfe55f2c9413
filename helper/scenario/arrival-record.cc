/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "arrival-record.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <stdexcept>

namespace ns3
{

ArrivalRecord::ArrivalRecord(uint32_t senders, uint64_t bytes)
    : m_bytes(bytes),
      m_arrived(senders)
{
}

void
ArrivalRecord::Arrive(uint32_t sender, Time at)
{
    m_arrived[sender] = at;
}

void
ArrivalRecord::Fail(uint32_t sender, const std::string& why)
{
    m_failures[sender] = why;
}

Time
ArrivalRecord::GetLast() const
{
    return *std::max_element(m_arrived.begin(), m_arrived.end());
}

uint64_t
ArrivalRecord::GetDelivered() const
{
    return m_arrived.size() - std::count(m_arrived.begin(), m_arrived.end(), Time(0));
}

uint64_t
ArrivalRecord::GetGoodput(uint32_t sender) const
{
    __extension__ using Wide = unsigned __int128;
    const auto picoseconds = static_cast<uint64_t>(m_arrived[sender].GetTimeStep());
    return picoseconds == 0
               ? 0
               : static_cast<uint64_t>(Wide{8} * m_bytes * 1'000'000'000'000 / picoseconds);
}

void
ArrivalRecord::Print(std::ostream& os) const
{
    os << "sender           arrived        goodput" << std::endl;
    for (uint32_t s = 0; s < m_arrived.size(); ++s)
    {
        os << std::setw(6) << s + 1;
        if (m_failures.count(s) != 0)
        {
            os << "  failed: " << m_failures.at(s) << std::endl;
            continue;
        }
        const uint64_t megabits = GetGoodput(s) / 1'000'000;
        os << std::setw(15) << m_arrived[s].GetTimeStep() << " ps" << std::setw(8) << megabits
           << " Mb/s" << std::endl;
    }
}

void
ArrivalRecord::Write(JsonWriter& json) const
{
    json.BeginArray("senders");
    for (uint32_t s = 0; s < m_arrived.size(); ++s)
    {
        json.BeginObject();
        json.Field("sender", s + 1);
        if (!m_arrived[s].IsZero())
        {
            json.Field("arrived_ps", m_arrived[s].GetTimeStep());
            json.Field("goodput_bps", GetGoodput(s));
        }
        json.EndObject();
    }
    json.EndArray();
}

void
ArrivalRecord::Require() const
{
    if (!m_failures.empty())
    {
        const auto& [sender, why] = *m_failures.begin();
        const std::size_t others = m_failures.size() - 1;
        throw std::runtime_error(
            "the message of sender " + std::to_string(sender + 1) + " failed: " + why +
            (others > 0 ? " (and those of " + std::to_string(others) + " others)" : ""));
    }
}

} // namespace ns3
