/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reconfiguration-estimate.h"

#include "ns3/ocs-technology.h"
#include "ns3/optical-circuit-switch.h"
#include "ns3/pointer.h"
#include "ns3/rail-net-device.h"
#include "ns3/random-variable-mean.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace ns3
{

namespace
{

/** @return the mean of a random variable in seconds that is an attribute; else another time */
Time
GetMeanOf(Ptr<Object> owner, const std::string& attribute, Time other)
{
    PointerValue pointer;
    owner->GetAttribute(attribute, pointer);
    const Ptr<RandomVariableStream> variable = pointer.Get<RandomVariableStream>();
    const std::optional<double> mean = variable ? FindMean(variable) : std::nullopt;
    return mean ? PicoSeconds(std::llround(*mean * 1e12)) : other;
}

} // namespace

Time
EstimateReconfiguration(const std::vector<Rail>& rails, Time hostLatency, Time roundTrip)
{
    Time most(0);
    for (const Rail& rail : rails)
    {
        const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
        const Time switching =
            GetMeanOf(ocs, "ReconfigurationTime", ocs->GetUsualReconfigurationTime());
        most = std::max(most, switching + GetMeanOf(rail.GetNic(0), "LinkUpTime", Time(0)));
    }
    return most + hostLatency + hostLatency + roundTrip + roundTrip;
}

} // namespace ns3
