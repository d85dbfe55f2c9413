/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-reaction.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>

namespace ns3
{

const std::vector<std::string>&
GetFleetReactionNames()
{
    static const std::vector<std::string> names{"splice", "detour", "move", "shrink", "stop"};
    return names;
}

FleetReaction
GetFleetReaction(const std::string& name)
{
    const std::vector<std::string>& names = GetFleetReactionNames();
    const auto found = std::find(names.begin(), names.end(), name);
    NS_ABORT_MSG_IF(found == names.end(),
                    "GetFleetReaction: no reaction '" << name << "'; give one of "
                                                      << JoinNames(names));
    return static_cast<FleetReaction>(found - names.begin());
}

} // namespace ns3
