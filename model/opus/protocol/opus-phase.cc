/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-phase.h"

namespace ns3
{

OpusPhase::Tuple
OpusPhase::AsTuple() const
{
    return {job.Get(), group.Get(), pointToPoint, from.Get(), to.Get(), operation, stage};
}

bool
OpusPhase::operator==(const OpusPhase& other) const
{
    return AsTuple() == other.AsTuple();
}

bool
OpusPhase::operator<(const OpusPhase& other) const
{
    return AsTuple() < other.AsTuple();
}

} // namespace ns3
