/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "carrier-record.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/rail-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

Ptr<CarrierRecord>
CarrierRecord::Record(const Ptr<RailNetDevice>& nic)
{
    const auto record = Create<CarrierRecord>();
    record->m_begin = Simulator::Now();
    const bool connected =
        nic->TraceConnectWithoutContext("Carrier", MakeCallback(&CarrierRecord::Changed, record));
    NS_ABORT_MSG_UNLESS(connected, "CarrierRecord: there is no trace source Carrier");
    Simulator::ScheduleNow(&CarrierRecord::Look, record, PeekPointer(nic));
    return record;
}

void
CarrierRecord::Look(const RailNetDevice* nic)
{
    if (!m_since && nic->HasCarrier())
    {
        m_since = Simulator::Now();
    }
}

void
CarrierRecord::Changed(bool carrier)
{
    if (!carrier && m_since)
    {
        m_lit.emplace_back(*m_since, Simulator::Now());
    }
    m_since = carrier ? std::make_optional(Simulator::Now()) : std::nullopt;
}

Time
CarrierRecord::GetDark(Time end) const
{
    Time dark = end - m_begin;
    for (const auto& [from, to] : m_lit)
    {
        dark -= std::max(Time(0), std::min(to, end) - from);
    }
    return m_since ? dark - std::max(Time(0), end - *m_since) : dark;
}

} // namespace ns3
