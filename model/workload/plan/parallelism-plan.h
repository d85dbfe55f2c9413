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

/** One way to divide a job over ranks. */
enum class Parallelism : uint8_t
{
    TENSOR,  //!< each matrix, and with sequence parallelism the tokens between matrices
    CONTEXT, //!< the tokens of a sequence
    EXPERT,  //!< the experts of a layer, over ranks that have different sequences
    SHARD,   //!< sequences; parameters too, if they are sharded
    REPLICA, //!< sequences; each replica holds all parameters (the outer part of HSDP)
    PIPELINE //!< layers
};

/** @return all parallelisms, in order */
const std::vector<Parallelism>& GetParallelisms();
/** @return the name of an parallelism in an order: tp, cp, ep, dp, replica, pp */
const char* ToString(Parallelism parallelism);

/** Where the parameters and the optimizer of data-parallel ranks are held. */
enum class ParameterSharding : uint8_t
{
    NONE, //!< plain data parallelism: every rank has all; gradients are summed by AllReduce
    FULL, //!< FSDP: each rank has a share; gathered before use, gradients scattered
};

/**
 * @ingroup photonic-rails
 * @brief How a job is divided over GPUs, and where its ranks are.
 *
 * tp x cp x dp x pp ranks. Expert parallelism takes its ranks from dp: ep divides dp, since other
 * sequences' tokens visit a rank's experts. HSDP is FULL sharding with replicas > 1, which divides
 * dp too: gradients of a shard are then summed over replicas. Context-parallel ranks have the same
 * parameters, so these are sharded over cp x dp / replicas ranks, and those of experts over
 * cp x dp / (ep x replicas).
 *
 * The order says which parallelism runs fastest: with "tp-cp-ep-dp-pp" ranks 0 to tp - 1 are the
 * tensor group of rank 0. Replicas run next after dp. Rank r is GPU r % scaleUp of server r /
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
    uint32_t pp{1};              //!< pipeline parallelism: stages, each a rank of the pipeline
    uint32_t ep{1};              //!< expert parallelism: divides dp
    uint32_t replicas{1};        //!< HSDP: divides dp / ep
    bool sequenceParallel{true}; //!< tensor parallelism splits tokens between matrices
    ParameterSharding sharding{ParameterSharding::FULL};
    std::string order{"tp-cp-ep-dp-pp"}; //!< fastest first; each of the five once
    uint32_t scaleUp{8};                 //!< GPUs of a server (of a scale-up domain)

    /** @return the ranks */
    uint32_t GetRanks() const
    {
        return tp * cp * dp * pp;
    }

    /** @return the number of ranks along an parallelism */
    uint32_t GetDegree(Parallelism parallelism) const;
};

/** The most ranks of a plan: with more, numbers of ranks would not fit 32 bits everywhere. */
constexpr uint64_t LARGEST_PLAN = uint64_t{1} << 24;

/** @return what is wrong with the numbers of a plan, with the remedy; empty: nothing */
std::string FindMistake(const ParallelismPlan& plan);

/**
 * @ingroup photonic-rails
 * @brief Where each rank stands along the parallelisms of a plan.
 */
class RankLayout
{
  public:
    /** @param plan a plan without mistakes */
    explicit RankLayout(const ParallelismPlan& plan);

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /** @return its place along an parallelism, from 0 */
    uint32_t GetPlace(uint32_t rank, Parallelism parallelism) const;

    /**
     * @param rank one of the group
     * @param parallelisms the group's ranks differ only along these
     * @return the ranks of its group, ascending along the parallelisms, the first parallelism
     * fastest
     */
    std::vector<uint32_t> GetGroup(uint32_t rank,
                                   const std::vector<Parallelism>& parallelisms) const;

    /** @return the rank that stands elsewhere along an parallelism */
    uint32_t GetPeer(uint32_t rank, Parallelism parallelism, uint32_t place) const;

    /** @return its server */
    uint32_t GetServer(uint32_t rank) const;
    /** @return its GPU in the server, which is its rail too */
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
