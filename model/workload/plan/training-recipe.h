/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RECIPE_H
#define PHOTONIC_RAILS_TRAINING_RECIPE_H

#include <cstdint>
#include <string>

namespace ns3
{

/** What is computed again in backward passes, to save memory. */
enum class Recomputation : uint8_t
{
    NONE,      //!< nothing: all activations are kept
    SELECTIVE, //!< the core of attention
    FULL,      //!< each layer, from its input
};

/** How context-parallel ranks see each other's keys and values. */
enum class ContextExchange : uint8_t
{
    ALL_GATHER, //!< gathered before attention; their gradients are scattered
    RING,       //!< passed around a ring while attention goes on
};

/** When gradients of plain data parallelism are summed. */
enum class GradientReduction : uint8_t
{
    PER_LAYER, //!< in buckets, as the last backward pass makes them, beside it
    PER_MODEL, //!< all together, in one AllReduce, after the last backward pass
};

/**
 * @ingroup photonic-rails
 * @brief What a job does in an iteration, whoever does which part of it.
 *
 * An iteration takes microBatches x microBatchSize sequences through each pipeline.
 */
struct TrainingRecipe
{
    uint32_t microBatches{2};     //!< that each pipeline takes in an iteration
    uint32_t microBatchSize{1};   //!< sequences of each
    uint32_t sequence{8192};      //!< tokens of a sequence
    std::string schedule{"1f1b"}; //!< of pipelines: gpipe, 1f1b, interleaved, zb-h1
    uint32_t chunks{1};           //!< stages that each rank of a pipeline has; > 1: interleaved
    bool reshard{true};           //!< FSDP: gathered parameters are freed after a forward pass
    bool prefetch{true};          //!< FSDP: the next unit is gathered beside computing
    Recomputation recompute{Recomputation::FULL};
    ContextExchange context{ContextExchange::ALL_GATHER};
    GradientReduction reduction{GradientReduction::PER_LAYER};
    //! of gathers, scatters and sums over a rail; empty: each run's choice. One for all, so that
    //! runs differ by their circuits only: a ring keeps its circuits, others reconfigure them in
    //! between
    std::string railAlgorithm{"ring"};
    uint64_t bucketBytes{0};     //!< plain DP: least bytes of a bucket; 0: a bucket a unit
    bool overlap{true};          //!< plain DP: buckets are summed beside the backward pass
    uint32_t parameterBytes{2};  //!< of a parameter in computing, an activation: bf16
    uint32_t gradientBytes{4};   //!< of a gradient when it is summed: fp32
    uint32_t optimizerBytes{12}; //!< of a parameter's master copy and two moments: fp32 Adam
    bool pipelineNorm{false};    //!< the gradient norm is summed over stages too
    uint32_t smallReductions{3}; //!< AllReduces of a few bytes at the end: loss and the like
    uint32_t smallBytes{4};      //!< of each, and of the gradient norm's
};

/** @return what is wrong with a recipe, with the remedy; empty: nothing */
std::string FindMistake(const TrainingRecipe& recipe);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RECIPE_H */
