/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model-work.h"

namespace ns3
{

namespace
{

/** The parameters of matrices that a token uses. Norms and biases are in no matrix. */
struct Matrices
{
    double split{0}; //!< divided over tensor-parallel ranks
    double whole{0}; //!< on each tensor-parallel rank
};

/** @return the matrices of attention */
Matrices
GetAttentionMatrices(const ModelShape& shape)
{
    const double hidden = shape.hidden;
    const double heads = shape.heads;
    if (!shape.IsLatent())
    {
        // queries and output; keys and values
        return {2 * hidden * heads * shape.headSize + 2 * hidden * shape.keyHeads * shape.headSize,
                0};
    }
    const double queries = heads * (shape.headSize + shape.ropeSize);
    const double values = heads * shape.valueSize;
    Matrices matrices;
    matrices.whole = hidden * (shape.queryRank + shape.keyRank + shape.ropeSize);
    matrices.split = (shape.queryRank > 0 ? shape.queryRank : hidden) * queries;
    matrices.split += shape.keyRank * (heads * shape.headSize + values) + values * hidden;
    return matrices;
}

/** @return the matrices of the feed-forward part */
Matrices
GetFeedForwardMatrices(const ModelShape& shape, uint32_t layer)
{
    const double ofOne = (shape.gated ? 3.0 : 2.0) * shape.hidden;
    if (!shape.HasExperts(layer))
    {
        return {ofOne * shape.feedForward, 0};
    }
    const double met = double(shape.activeExperts) + shape.sharedExperts;
    return {met * ofOne * shape.expertFeedForward, double(shape.hidden) * shape.experts};
}

/** @return the matrices of the routed experts that a token visits */
double
CountRoutedMatrices(const ModelShape& shape, uint32_t layer)
{
    const double ofOne = (shape.gated ? 3.0 : 2.0) * shape.hidden;
    return shape.HasExperts(layer) ? shape.activeExperts * ofOne * shape.expertFeedForward : 0;
}

/**
 * @return the operations of the core of attention for a micro-batch, on all ranks of tensor and
 *         context parallelism
 */
double
CountAttentionCore(const ModelShape& shape, const TrainingRecipe& recipe)
{
    const double queries = shape.headSize + (shape.IsLatent() ? shape.ropeSize : 0);
    const double values = shape.IsLatent() ? shape.valueSize : shape.headSize;
    const double sequence = recipe.sequence;
    const double whole = 2 * sequence * sequence * shape.heads * (queries + values);
    return recipe.microBatchSize * whole / 2; // the causal mask
}

/** @return the operations of a layer */
UnitWork
CountLayerWork(const ModelShape& shape,
               const ParallelismPlan& plan,
               const TrainingRecipe& recipe,
               uint32_t layer)
{
    const Matrices attention = GetAttentionMatrices(shape);
    const Matrices feedForward = GetFeedForwardMatrices(shape, layer);
    const double tokens = double(recipe.microBatchSize) * recipe.sequence / plan.cp;
    const double matrices =
        2 * tokens * (attention.split + feedForward.split) / plan.tp +
        2 * tokens * (attention.whole + feedForward.whole) / (plan.sequenceParallel ? plan.tp : 1);
    UnitWork work;
    work.experts = 2 * tokens * CountRoutedMatrices(shape, layer) / plan.tp;
    work.attention = CountAttentionCore(shape, recipe) / plan.tp / plan.cp;
    work.forward = matrices + work.attention;
    work.backwardInput = matrices + 2 * work.attention;
    work.backwardWeight = matrices;
    switch (recipe.recompute)
    {
    case Recomputation::NONE:
        break;
    case Recomputation::SELECTIVE:
        work.recompute = work.attention;
        break;
    case Recomputation::FULL:
        work.recompute = work.forward;
        break;
    }
    return work;
}

} // namespace

UnitWork
CountWork(const ModelShape& shape,
          const ParallelismPlan& plan,
          const TrainingRecipe& recipe,
          const ModelUnit& unit)
{
    if (unit.kind == ModelUnit::Kind::LAYER)
    {
        return CountLayerWork(WithKeyCopies(shape, plan.tp), plan, recipe, unit.layer);
    }
    UnitWork work;
    if (unit.kind == ModelUnit::Kind::HEAD)
    {
        const double tokens = double(recipe.microBatchSize) * recipe.sequence / plan.cp;
        work.forward = 2 * tokens * shape.hidden * shape.vocabulary / plan.tp;
        work.backwardInput = work.forward;
        work.backwardWeight = work.forward;
    }
    return work;
}

double
CountIterationWork(const ModelShape& shape,
                   const ParallelismPlan& plan,
                   const TrainingRecipe& recipe)
{
    ParallelismPlan alone;
    double sum = 0;
    const auto model = DivideModel(shape, 1);
    for (const ModelUnit& unit : model.front())
    {
        const UnitWork work = CountWork(shape, alone, recipe, unit);
        sum += work.forward + work.backwardInput + work.backwardWeight;
    }
    return sum * recipe.microBatches * plan.dp;
}

} // namespace ns3
