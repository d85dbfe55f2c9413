/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "state-moves.h"

#include "ns3/checkpoint-plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace ns3
{

namespace
{

/** The places of a server's ranks on which its state depends. */
using StateKey = std::vector<std::pair<uint32_t, uint32_t>>; // by GPU: stage, shard

/** @return the key of each server of a plan */
std::vector<StateKey>
MakeKeys(const ParallelismPlan& plan)
{
    const RankLayout layout(plan);
    const bool isSharded = plan.sharding == ParameterSharding::FULL;
    std::vector<StateKey> keys(plan.GetRanks() / plan.scaleUp);
    for (uint32_t rank = 0; rank < layout.GetRanks(); ++rank)
    {
        // context-parallel ranks share shards too; experts of different ranks differ
        const uint32_t shard = (isSharded ? layout.GetPlace(rank, Parallelism::CONTEXT) +
                                                plan.cp * layout.GetPlace(rank, Parallelism::SHARD)
                                          : 0) *
                                   plan.ep * plan.tp +
                               layout.GetPlace(rank, Parallelism::EXPERT) * plan.tp +
                               layout.GetPlace(rank, Parallelism::TENSOR);
        keys[layout.GetServer(rank)].emplace_back(layout.GetPlace(rank, Parallelism::PIPELINE),
                                                  shard);
    }
    return keys;
}

/** A server that has state, and whether that is a checkpoint. */
struct StateSource
{
    uint32_t server{0};
    bool isCheckpoint{false};
};

/** @return the source of the state of each place of the former attempt, if there is one */
std::vector<std::optional<StateSource>>
FindSources(const TrainingTask& task, const FailureCase& failure, bool hasCheckpoint)
{
    const std::vector<StateKey> keys = MakeKeys(task.plan);
    const CheckpointPlan checkpoints(task);
    const auto works = [&failure](uint32_t server) { return failure.lost.count(server) == 0; };
    std::vector<std::optional<StateSource>> sources(failure.servers.size());
    for (std::size_t place = 0; place < sources.size(); ++place)
    {
        if (works(failure.servers[place]))
        {
            sources[place] = StateSource{failure.servers[place], false};
            continue;
        }
        for (std::size_t other = 0; other < sources.size() && !sources[place]; ++other)
        {
            if (keys[other] == keys[place] && works(failure.servers[other]))
            {
                sources[place] = StateSource{failure.servers[other], false};
            }
        }
        const uint32_t holder = failure.servers[checkpoints.GetHolder(place)];
        if (!sources[place] && hasCheckpoint && works(holder))
        {
            sources[place] = StateSource{holder, true};
        }
    }
    return sources;
}

/** Adds bytes to the moves between two servers, unless they are the same. */
void
AddMove(std::map<std::pair<uint32_t, uint32_t>, uint64_t>& moves,
        uint32_t from,
        uint32_t to,
        uint64_t bytes)
{
    if (from != to && bytes > 0)
    {
        moves[{to, from}] += bytes;
    }
}

} // namespace

StatePlan
PlanStateMoves(const TrainingTask& task,
               const FailureCase& failure,
               const Recovery& recovery,
               bool hasCheckpoint)
{
    const std::vector<std::optional<StateSource>> sources =
        FindSources(task, failure, hasCheckpoint);
    const CheckpointPlan state(task);
    const bool isResharded =
        task.plan.sharding == ParameterSharding::FULL && recovery.plan.dp != task.plan.dp;
    const RankLayout former(task.plan);
    const RankLayout next(recovery.plan);
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> moves; // by receiver and sender
    StatePlan plan;
    const auto take = [&](uint32_t place, uint32_t to, uint64_t bytes) {
        if (!sources[place])
        {
            plan.from = StatePlan::From::BEGIN;
            return;
        }
        if (sources[place]->isCheckpoint && plan.from == StatePlan::From::LAST_ITERATION)
        {
            plan.from = StatePlan::From::CHECKPOINT;
        }
        AddMove(moves, sources[place]->server, to, bytes);
    };
    for (std::size_t s = 0; s < recovery.servers.size(); ++s)
    {
        const uint32_t to = recovery.servers[s];
        const uint32_t place = recovery.formerPlace[s];
        if (!isResharded)
        {
            take(place, to, state.GetBytes(place));
            continue;
        }
        // shards of the stage: of the former attempt [j, j + 1) / dp, of the next [d, d + 1) / dp'
        const uint32_t rank = s * task.plan.scaleUp;
        const uint32_t d = next.GetPlace(rank, Parallelism::SHARD);
        const uint64_t now = recovery.plan.dp;
        const uint64_t was = task.plan.dp;
        for (uint64_t j = 0; j < was; ++j)
        {
            const uint32_t peer =
                former.GetServer(former.GetPeer(place * task.plan.scaleUp, Parallelism::SHARD, j));
            const uint64_t begin = std::max(j * now, d * was);
            const uint64_t end = std::min((j + 1) * now, (d + 1) * was);
            if (begin < end)
            {
                // a shard of the former attempt is `now` parts long
                take(peer, to, state.GetBytes(peer) * (end - begin) / now);
            }
        }
    }
    if (plan.from == StatePlan::From::BEGIN)
    {
        return plan;
    }
    for (const auto& [ends, bytes] : moves)
    {
        plan.moves.push_back({ends.second, ends.first, bytes});
    }
    return plan;
}

} // namespace ns3
