/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARALLELISM_PLAN_H
#define PHOTONIC_RAILS_PARALLELISM_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** A parallelism: one axis along which a job is divided. */
enum class Parallelism : uint8_t
{
    TENSOR,  //!< divides each matrix, and with sequence parallelism the tokens between matrices
    CONTEXT, //!< divides the tokens of a sequence
    EXPERT,  //!< divides the experts of a layer, over ranks that have different sequences
    SHARD,   //!< divides sequences; parameters too, if they are sharded
    REPLICA, //!< divides sequences; each replica holds all parameters (the outer part of HSDP)
    PIPELINE //!< divides the layers
};

/** @return all parallelisms, in order */
const std::vector<Parallelism>& GetParallelisms();
/** @return the name of a parallelism in an order: tp, cp, ep, dp, replica, pp */
const char* ToString(Parallelism parallelism);

/** The distribution of parameters and optimizer over data-parallel ranks. */
enum class ParameterSharding : uint8_t
{
    NONE, //!< plain data parallelism: every rank has all; gradients are summed by AllReduce
    FULL, //!< FSDP: each rank has a share; gathered before use, gradients scattered
};

/**
 * @ingroup photonic-rails
 * @brief The division of a job over GPUs, and the places of its ranks.
 *
 * A plan has tp x cp x dp x pp ranks. Expert parallelism takes its ranks from dp: ep divides dp,
 * since tokens of other sequences visit a rank's experts. HSDP is FULL sharding with replicas > 1,
 * which divides dp too: gradients of a shard are then summed over replicas. Context-parallel ranks
 * have the same parameters, so these are sharded over cp x dp / replicas ranks, and those of
 * experts over cp x dp / (ep x replicas).
 *
 * The order lists the parallelisms, fastest varying first: with "tp-cp-ep-dp-pp" ranks 0 to tp - 1
 * are the tensor group of rank 0. Replicas follow dp. Rank r is GPU r % scaleUp of server r /
 * scaleUp, and that GPU is on the rail of its number.
 * @code
 * ParallelismPlan plan;
 * plan.tp = 4;
 * plan.dp = 2;
 * plan.pp = 2;
 * plan.scaleUp = 4;
 * std::cout << Describe(plan, shape, recipe, gpu); // the table
 * @endcode
 */
struct ParallelismPlan
{
    uint32_t tp{1};              //!< tensor parallelism
    uint32_t cp{1};              //!< context parallelism
    uint32_t dp{1};              //!< data parallelism, expert parallelism and replicas included
    uint32_t pp{1};              //!< pipeline parallelism: number of ranks of a pipeline
    uint32_t ep{1};              //!< expert parallelism: divides dp
    uint32_t replicas{1};        //!< HSDP: divides dp / ep
    bool sequenceParallel{true}; //!< tensor parallelism splits tokens between matrices
    ParameterSharding sharding{ParameterSharding::FULL};
    std::string order{"tp-cp-ep-dp-pp"}; //!< fastest varying first; each of the five once
    uint32_t scaleUp{8};                 //!< GPUs of a server (of a scale-up domain) that it uses

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return tp * cp * dp * pp;
    }

    /** @return the number of ranks along a parallelism */
    uint32_t GetDegree(Parallelism parallelism) const;
};

/** The largest number of ranks of a plan: with more, numbers of ranks would exceed 32 bits. */
constexpr uint64_t LARGEST_PLAN = uint64_t{1} << 24;

/** @return the mistake in the numbers of a plan, with the remedy; empty if there is none */
std::string FindMistake(const ParallelismPlan& plan);

/**
 * @ingroup photonic-rails
 * @brief The place of each rank along the parallelisms of a plan.
 */
class RankLayout
{
  public:
    /** @param plan must have no mistakes */
    explicit RankLayout(const ParallelismPlan& plan);

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /** @return the place of a rank along a parallelism, from 0 */
    uint32_t GetPlace(uint32_t rank, Parallelism parallelism) const;

    /**
     * @param rank a member of the group
     * @param parallelisms the group's ranks differ only along these
     * @return the ranks of its group, ascending along the parallelisms; the first parallelism
     *         varies fastest
     */
    std::vector<uint32_t> GetGroup(uint32_t rank,
                                   const std::vector<Parallelism>& parallelisms) const;

    /** @return the rank at another place along a parallelism */
    uint32_t GetPeer(uint32_t rank, Parallelism parallelism, uint32_t place) const;

    /** @return the server of a rank */
    uint32_t GetServer(uint32_t rank) const;
    /** @return the GPU of a rank in its server, which is also its rail */
    uint32_t GetRail(uint32_t rank) const;
    /** @return whether all ranks are in one server, so that no rail is used */
    bool IsInScaleUp(const std::vector<uint32_t>& ranks) const;

  private:
    uint32_t m_ranks;
    uint32_t m_scaleUp;
    std::vector<uint32_t> m_degree; //!< by parallelism
    std::vector<uint32_t> m_stride; //!< by parallelism
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_PLAN_H */
