/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GPU_MEMORY_H
#define PHOTONIC_RAILS_GPU_MEMORY_H

#include "model-unit.h"

#include <cstdint>

namespace ns3
{

/** The peak memory of a GPU in bytes, by contents. */
struct GpuMemory
{
    uint64_t parameters{0};  //!< permanent parameters: all of its stages, or its shard
    uint64_t gradients{0};   //!< summed over micro-batches
    uint64_t optimizer{0};   //!< master copies and moments
    uint64_t activations{0}; //!< kept for backward passes, and those of a layer under recomputation
    uint64_t gathered{0};    //!< FSDP: whole parameters, and gradients about to be scattered

    /** @return the sum */
    uint64_t GetTotal() const
    {
        return parameters + gradients + optimizer + activations + gathered;
    }
};

/**
 * Counts the activations of a unit that a rank keeps from its forward to its backward pass, for one
 * micro-batch. For each token, in elements of parameterBytes:
 *
 * - split by tp: queries, keys, values, the output of the core of attention, and the two (gated:
 *   three) tensors inside the feed-forward part, for each expert that a token visits;
 * - split by tp with sequence parallelism only: the inputs of both norms and the inputs of the
 *   first matrices after them, latents, and for each expert visited the token that was sent to it;
 * - with Recomputation::NONE also the core of attention: a row of scores for each head, split by
 *   tp. Attention that does not store scores (FlashAttention) is Recomputation::SELECTIVE;
 * - with Recomputation::FULL only the input of the layer;
 * - at the head: the inputs of the norm and of the matrix, and scores of the vocabulary in fp32.
 *
 * These are sections 4 and 5 of "Reducing Activation Recomputation in Large Transformer Models"
 * (arXiv 2205.05198), where a layer is s b h (34 + 5 a s / h) bytes, without dropout (which
 * has 2 s b h and 3 a s^2 b of it) and for other shapes than GPT's.
 * @param shape of the model
 * @param plan of the job
 * @param recipe of the training
 * @param unit of which
 * @return the bytes
 */
uint64_t CountUnitActivations(const ModelShape& shape,
                              const ParallelismPlan& plan,
                              const TrainingRecipe& recipe,
                              const ModelUnit& unit);

/**
 * @ingroup photonic-rails
 * @brief Counts the memory of a GPU of a pipeline's rank.
 *
 * - Parameters, gradients and optimizer: of all its stages; with FSDP the parameters and the
 *   optimizer of its shard. Gradients are scattered in or after the last backward pass of an
 *   iteration (GradientScatter). So they are whole until then if there are several micro-batches,
 *   and at the end of that pass if they are scattered after it.
 * - Gathered: all of its stages if gathered parameters outlive a pass (without resharding, with
 *   several micro-batches, since a backward pass that is not the last keeps them, and if gradients
 *   are scattered after the last one, which keeps them too), else the largest unit, with
 *   prefetching the two largest neighbours, and a unit's gradients.
 * - Activations: of the micro-batches that the pipeline's schedule has in flight, counted step by
 *   step. With full recomputation also one layer's, without its core of attention.
 *
 * Not modelled: fragmentation, communication buffers, the workspace of libraries, gradients of
 * activations, tokens. So a plan that fits by less than some gigabytes may not fit.
 * @code
 * const GpuMemory memory = CountGpuMemory(shape, plan, recipe, 0);
 * const bool fits = memory.GetTotal() <= FindGpuGeneration("H100")->memoryBytes;
 * @endcode
 * @param shape of the model; without mistakes, like the other arguments
 * @param plan of the job
 * @param recipe of the training
 * @param place of the rank in its pipeline, from 0
 * @return the bytes
 */
GpuMemory CountGpuMemory(const ModelShape& shape,
                         const ParallelismPlan& plan,
                         const TrainingRecipe& recipe,
                         uint32_t place);

} // namespace ns3

#endif /* PHOTONIC_RAILS_GPU_MEMORY_H */
