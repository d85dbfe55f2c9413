/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHECKPOINT_NETWORK_H
#define PHOTONIC_RAILS_CHECKPOINT_NETWORK_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The network that checkpoints go over, and state after a failure. */
enum class CheckpointNetwork : uint8_t
{
    RAILS, //!< on circuits of the rails; training waits for them
    HOSTS, //!< the network of the hosts, beside training
};

/** @return the name of a network: rails, hosts */
const std::string& ToString(CheckpointNetwork network);

/** @return the names of all networks, in their order */
const std::vector<std::string>& GetCheckpointNetworks();

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHECKPOINT_NETWORK_H */
