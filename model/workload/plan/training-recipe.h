/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_RECIPE_H
#define PHOTONIC_RAILS_TRAINING_RECIPE_H

#include "expert-router.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** The activations that backward passes compute again, to save memory. */
enum class Recomputation : uint8_t
{
    NONE,      //!< none: all activations are kept
    SELECTIVE, //!< the core of attention
    FULL,      //!< each layer, from its input
};

/** The exchange of keys and values between context-parallel ranks. */
enum class ContextExchange : uint8_t
{
    ALL_GATHER, //!< gathered before attention; their gradients are scattered
    RING,       //!< passed around a ring during attention
};

/** The instant at which gradients of plain data parallelism are summed. */
enum class GradientReduction : uint8_t
{
    PER_LAYER, //!< in buckets, during the last backward pass
    PER_MODEL, //!< all together, in one AllReduce, after the last backward pass
};

/**
 * The instant at which FSDP scatters the gradients that a stage has summed in an iteration.
 *
 * PyTorch (torch/distributed/pipelining/stage.py, backward_maybe_with_nosync() and
 * perform_reduce_grad()) switches the synchronisation of gradients and the freeing of parameters
 * off for all backward passes of a pipeline's stage. After the last one it runs the post-backward
 * step of all FSDP units of the stage. Without a pipeline a unit's post-backward step follows its
 * own backward pass (torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py, post_backward()).
 */
enum class GradientScatter : uint8_t
{
    BY_STAGES,      //!< AFTER_BACKWARD in a pipeline of several stages, else PER_LAYER
    AFTER_BACKWARD, //!< of all units of a stage, one after another, after its last backward pass
    PER_LAYER,      //!< of each unit, when its last backward pass is over
};

/**
 * @ingroup photonic-rails
 * @brief The contents of an iteration of a job, independent of the division over ranks.
 *
 * In an iteration each pipeline processes microBatches x microBatchSize sequences.
 */
struct TrainingRecipe
{
    uint32_t microBatches{2};     //!< of each pipeline in an iteration
    uint32_t microBatchSize{1};   //!< sequences of a micro-batch
    uint32_t sequence{8192};      //!< tokens of a sequence
    std::string schedule{"1f1b"}; //!< of pipelines: gpipe, 1f1b, interleaved, zb-h1
    uint32_t chunks{1};           //!< stages of each rank of a pipeline; > 1: interleaved
    bool reshard{true};           //!< FSDP: gathered parameters are freed after a forward pass
    bool prefetch{true};          //!< FSDP: the next unit is gathered during computing
    GradientScatter reduceScatter{GradientScatter::BY_STAGES}; //!< FSDP
    Recomputation recompute{Recomputation::FULL};
    ContextExchange context{ContextExchange::ALL_GATHER};
    GradientReduction reduction{GradientReduction::PER_LAYER};
    //! algorithm of gathers, scatters and sums over a rail; empty: chosen for each run. A fixed
    //! algorithm makes runs differ only by their circuits: a ring keeps its circuits, others
    //! reconfigure them. Operations that it does not exist for have a ring
    std::string railAlgorithm{"ring"};
    uint64_t bucketBytes{0};     //!< plain DP: least bytes of a bucket; 0: a bucket a unit
    bool overlap{true};          //!< plain DP: buckets are summed during the backward pass
    uint32_t parameterBytes{2};  //!< of a parameter in computing, an activation: bf16
    uint32_t gradientBytes{4};   //!< of a gradient when it is summed: fp32
    uint32_t optimizerBytes{12}; //!< of a parameter's master copy and two moments: fp32 Adam
    bool pipelineNorm{false};    //!< the gradient norm is summed over stages too
    uint32_t smallReductions{3}; //!< small AllReduces at the end, such as that of the loss
    uint32_t smallBytes{4};      //!< bytes of each, and of that of the gradient norm
    ExpertRouter router;         //!< of models with experts: which expert gets how many tokens
};

/**
 * @param recipe of a job with FSDP
 * @param stages of its pipeline, on all ranks together
 * @return whether a stage scatters gradients after its last backward pass, not during it
 */
bool ScattersAfterBackward(const TrainingRecipe& recipe, uint32_t stages);

/** @return the mistake in a recipe, with the remedy; empty if there is none */
std::string FindMistake(const TrainingRecipe& recipe);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_RECIPE_H */
