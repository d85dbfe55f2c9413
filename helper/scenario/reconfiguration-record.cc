/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reconfiguration-record.h"

#include "ns3/callback.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/picosecond-resolution.h"

#include <cstddef>

namespace ns3
{

void
ReconfigurationRecord::Observe(const Rail& rail)
{
    Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    ocs->TraceConnectWithoutContext("PlanAccepted",
                                    MakeCallback(&ReconfigurationRecord::TakePlan, this));
    ocs->TraceConnectWithoutContext("CircuitDown",
                                    MakeCallback(&ReconfigurationRecord::TakeCircuitDown, this));
    ocs->TraceConnectWithoutContext("CircuitUp",
                                    MakeCallback(&ReconfigurationRecord::TakeCircuitUp, this));
}

void
ReconfigurationRecord::Write(JsonWriter& json) const
{
    json.BeginArray("reconfigurations");
    for (std::size_t i = 0; i < m_down.size(); ++i)
    {
        json.BeginObject();
        json.Field("requested_ps", m_requested[i]);
        json.Field("dark_from_ps", m_down[i]);
        if (i < m_up.size())
        {
            json.Field("up_at_ps", m_up[i]);
        }
        json.EndObject();
    }
    json.EndArray();
}

void
ReconfigurationRecord::TakePlan(uint64_t, const CircuitPlan&)
{
    m_requested.push_back(NowPicoseconds());
}

void
ReconfigurationRecord::TakeCircuitDown(PortId, PortId, uint64_t)
{
    m_down.push_back(NowPicoseconds());
}

void
ReconfigurationRecord::TakeCircuitUp(PortId, PortId, uint64_t)
{
    m_up.push_back(NowPicoseconds());
}

} // namespace ns3
