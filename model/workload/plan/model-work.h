/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODEL_WORK_H
#define PHOTONIC_RAILS_MODEL_WORK_H

#include "model-unit.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The floating-point operations of one rank on a unit, for one micro-batch.
 *
 * A multiplication and an addition are two operations. With T = microBatchSize x sequence tokens of
 * a micro-batch and s tokens of a sequence:
 *
 * - a matrix of P parameters: 2 P T forward, divided by tp and cp. Parts that all tensor-parallel
 *   ranks have (a router, the down-projections of latent attention) count for a rank's own tokens
 *   with sequence parallelism, and for all tokens without. A token visits the active and the shared
 *   experts, and all ranks of expert parallelism have the same number of tokens: a router that
 *   gives them different numbers (ExpertRouter) changes the part `experts` in proportion.
 * - the core of attention, for each sequence: 2 s^2 for each head and each element of its queries,
 *   and as much for its values; 4 s^2 x heads x headSize where both have headSize elements. The
 *   causal mask halves it. Divided by tp and cp: context-parallel ranks have early and late tokens,
 *   so that each has the same work.
 * - the head as a matrix; the embedding is a look-up without operations.
 * - backward: twice that, once for the gradient of the input, once for that of the parameters. The
 *   core of attention has no parameters, and both its parts are in the gradient of the input.
 * - recomputation: nothing, the core of attention, or the forward pass of a layer.
 *
 * This is the count of the appendix of "Efficient Large-Scale Language Model Training on GPU
 * Clusters Using Megatron-LM" (arXiv 2104.04473), which omits the mask, and that of "PaLM" (arXiv
 * 2204.02311, appendix B). Not counted, as there: norms, activation functions and softmax, which
 * are small and limited by memory; the efficiency of MakeComputeTimes() includes them.
 */
struct UnitWork
{
    double forward{0};
    double attention{0};      //!< the core of attention: a part of forward
    double backwardInput{0};  //!< without recomputation
    double backwardWeight{0}; //!< of the gradients of parameters
    double recompute{0};
    double experts{0}; //!< routed experts: a part of forward and of each gradient
};

/**
 * @return the operations of one rank, for one micro-batch
 *  @param unit a unit of the model
 */
UnitWork CountWork(const ModelShape& shape,
                   const ParallelismPlan& plan,
                   const TrainingRecipe& recipe,
                   const ModelUnit& unit);

/**
 * Counts the useful operations of an iteration on all ranks together, the basis of model FLOPs
 * utilisation (MFU): forward and backward, without recomputation.
 * @return the operations
 */
double CountIterationWork(const ModelShape& shape,
                          const ParallelismPlan& plan,
                          const TrainingRecipe& recipe);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_WORK_H */
