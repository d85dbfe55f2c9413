/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-key.h"

#include <tuple>

namespace ns3
{

bool
FlowKey::operator<(const FlowKey& other) const
{
    return std::make_tuple(group.Get(), pointToPoint, from, to) <
           std::make_tuple(other.group.Get(), other.pointToPoint, other.from, other.to);
}

} // namespace ns3
