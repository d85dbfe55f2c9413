/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "checkpoint-network.h"

namespace ns3
{

const std::vector<std::string>&
GetCheckpointNetworks()
{
    static const std::vector<std::string> names{"rails", "hosts"};
    return names;
}

const std::string&
ToString(CheckpointNetwork network)
{
    return GetCheckpointNetworks().at(static_cast<std::size_t>(network));
}

} // namespace ns3
