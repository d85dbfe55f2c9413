/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STATE_COPY_JOB_H
#define PHOTONIC_RAILS_STATE_COPY_JOB_H

#include "ns3/checkpoint-network.h"
#include "ns3/job-programs.h"
#include "ns3/state-moves.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** @return the servers of moves, ascending */
std::vector<uint32_t> ListServers(const std::vector<StateMove>& moves);

/**
 * @param moves of state
 * @param servers of them, in order of the ranks
 * @param rails number of rails, and of GPUs of a server
 * @param network that state goes over
 * @return a job that makes the moves: one operation of all GPUs of each rail
 */
JobPrograms MakeStateCopyJob(const std::vector<StateMove>& moves,
                             const std::vector<uint32_t>& servers,
                             uint32_t rails,
                             CheckpointNetwork network = CheckpointNetwork::RAILS);

} // namespace ns3

#endif /* PHOTONIC_RAILS_STATE_COPY_JOB_H */
