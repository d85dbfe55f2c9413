/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "straggler-costs.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/straggler-plan.h"

#include <algorithm>

namespace ns3
{

StragglerCosts
StragglerCosts::OfFabric(uint32_t ranks, uint64_t bytes, uint64_t bytesPerSecond, Time hop)
{
    StragglerCosts costs;
    costs.ranks = ranks;
    costs.bytes = bytes;
    costs.bytesPerSecond = bytesPerSecond;
    costs.hop = hop;
    costs.rounds = GetStragglerPlan(ranks).rounds;
    costs.scatterRounds = ranks - 2;
    return costs;
}

Time
StragglerCosts::GetSending(uint64_t parts, uint64_t whole) const
{
    __extension__ using Wide = unsigned __int128;
    constexpr uint64_t PICOSECONDS = 1'000'000'000'000; // of a second
    const Wide sending = Wide{bytes} * parts * PICOSECONDS / whole / bytesPerSecond;
    constexpr uint64_t LONGEST = INT64_MAX / 8; // sums of such times stay within the range
    return ToTime(static_cast<int64_t>(std::min<Wide>(sending, LONGEST)));
}

Time
StragglerCosts::GetRing() const
{
    const uint32_t steps = 2 * (ranks - 1);
    return ToTime(steps * hop.GetTimeStep()) + GetSending(steps, ranks);
}

Time
StragglerCosts::GetScatter() const
{
    return ToTime(scatterRounds * hop.GetTimeStep() +
                  scatterChanges * reconfiguration.GetTimeStep()) +
           GetSending(ranks - 2, ranks - 1);
}

Time
StragglerCosts::GetRounds() const
{
    return ToTime(rounds * hop.GetTimeStep() + changes * reconfiguration.GetTimeStep()) +
           GetSending(rounds, ranks - 1);
}

Time
StragglerCosts::GetStragglAr(Time lateness) const
{
    return std::max(lateness, GetScatter()) + GetRounds();
}

Time
StragglerCosts::GetStragglArSettled(Time lateness) const
{
    return GetStragglAr(lateness) + ToTime(rounds * settling.GetTimeStep());
}

bool
StragglerCosts::IsSureToPay(Time lateness) const
{
    return IsSureToPay(lateness, GetRing());
}

bool
StragglerCosts::IsSureToPay(Time lateness, Time other) const
{
    const bool mayDisturb = changes == 0;
    const Time scatter = GetScatter() + ToTime(scatterRounds * settling.GetTimeStep());
    return GetStragglArSettled(lateness) < lateness + other && (!mayDisturb || lateness >= scatter);
}

Time
StragglerCosts::GetCrossover() const
{
    // beyond the time of the scatter both grow with the lateness
    if (GetRounds() > GetRing())
    {
        return Time::Max();
    }
    return std::max(Time(0), GetScatter() + GetRounds() - GetRing());
}

} // namespace ns3
