/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "checkpoint-options.h"

#include "scenario-options.h"

#include "ns3/checkpoint-network.h"
#include "ns3/training-job-helper.h"

namespace ns3
{

void
CheckpointOptions::Add(ScenarioOptions& options)
{
    options.Add("checkpoint-interval", "Iterations between checkpoints; 0: none", interval);
    options
        .Add(
            "checkpoint-network",
            "Of checkpoints, and of state after a failure; hosts is that of --host-network, in the "
            "background: rails, hosts",
            network)
        .OneOf(GetCheckpointNetworks(), "network");
}

void
CheckpointOptions::SetUp(TrainingJobHelper& helper) const
{
    helper.SetCheckpoints(interval);
    helper.SetCheckpointNetwork(network == ToString(CheckpointNetwork::HOSTS)
                                    ? CheckpointNetwork::HOSTS
                                    : CheckpointNetwork::RAILS);
}

} // namespace ns3
