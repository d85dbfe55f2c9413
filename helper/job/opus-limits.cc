/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-limits.h"

#include "ns3/picosecond-resolution.h"
#include "ns3/saturating-sum.h"

namespace ns3
{

namespace
{

/** @return the sum of a limit and a wait */
Time
Add(const Time& limit, Picoseconds wait)
{
    return ToTime(AddSaturating(limit.GetTimeStep(), wait));
}

/** @return a multiple of a wait */
Picoseconds
Multiply(Picoseconds wait, uint32_t times)
{
    return times == 0 ? 0 : MultiplySaturating(wait, times);
}

/** @return a multiple of half a wait */
Picoseconds
MultiplyHalves(Picoseconds wait, uint32_t halves)
{
    return AddSaturating(Multiply(wait, halves / 2), halves % 2 == 0 ? 0 : wait / 2);
}

} // namespace

OpusLimits
OpusLimits::GetWith(const OpusWaits& waits) const
{
    const Picoseconds plan = Multiply(waits.reconfiguration.GetTimeStep(), waits.reconfigurations);
    const Picoseconds phase =
        AddSaturating(Multiply(plan, waits.plans), waits.computing.GetTimeStep());
    OpusLimits with;
    with.program = Add(program, plan);
    with.votes = Add(votes, phase);
    with.ports = Add(ports, phase);
    with.traffic = Add(traffic, phase);
    with.givingUp = Add(givingUp, MultiplyHalves(phase, waits.halvesOfGivingUp));
    with.stall = Add(stall, MultiplyHalves(phase, waits.halvesOfStall));
    return with;
}

} // namespace ns3
