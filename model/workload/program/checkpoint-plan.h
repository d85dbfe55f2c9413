/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CHECKPOINT_PLAN_H
#define PHOTONIC_RAILS_CHECKPOINT_PLAN_H

#include "training-task.h"

#include "ns3/rank-program.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The checkpoints of a training job: which state is copied, and where to.
 *
 * A checkpoint is a copy in the memory of another server, as in Gemini (SOSP 2023): every
 * `checkpointInterval` iterations each rank copies its state to the rank of its rail on the next
 * server, the last server to the first. So the state of any one server that is lost is on the next
 * one, and a spare gets it from there. Over the rails training goes on when the copies are made;
 * over the network of the hosts it goes on at once (CheckpointNetwork).
 *
 * The state is what training needs to go on: parameters and optimizer (CountGpuMemory()), which for
 * a shard is the shard's. Ranks of a server that hold different stages of the model count as its
 * largest. Not modelled: the copy of the own state from GPU to host memory, which every rank has in
 * addition, and host memory itself.
 */
class CheckpointPlan
{
  public:
    /** @param task without mistakes */
    explicit CheckpointPlan(const TrainingTask& task);

    /** @return the number of servers */
    uint32_t GetServers() const
    {
        return m_bytes.size();
    }

    /** @return the bytes of state of each rank of a server */
    uint64_t GetBytes(uint32_t server) const
    {
        return m_bytes.at(server);
    }

    /** @return the server that has the copy of a server's state */
    uint32_t GetHolder(uint32_t server) const
    {
        return (server + 1) % m_bytes.size();
    }

    /** @return the sends of a checkpoint on each rail, by server */
    std::vector<GroupedSend> GetSends() const;

  private:
    std::vector<uint64_t> m_bytes; //!< by server
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CHECKPOINT_PLAN_H */
