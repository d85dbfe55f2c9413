/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpu-memory.h"

#include "pipeline-schedule.h"

#include "ns3/abort.h"
#include "ns3/divide-up.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint64_t SCORE_BYTES = 4; // of the vocabulary: losses are computed in fp32

using Units = std::vector<ModelUnit>;

/** Elements that are kept for each token. */
struct Widths
{
    uint64_t split{0};    //!< divided by tensor parallelism
    uint64_t residual{0}; //!< divided by tensor parallelism with sequence parallelism
};

/** @return the kept elements of a layer without the core of attention */
Widths
GetLayerWidths(const ModelShape& shape, uint32_t layer)
{
    const uint64_t heads = shape.heads;
    const uint64_t inner = shape.gated ? 3 : 2;
    Widths widths;
    widths.residual = 4 * uint64_t{shape.hidden};
    if (shape.IsLatent())
    {
        // compressed, and after the norm; queries and keys, values and the output
        widths.residual += 2 * uint64_t{shape.queryRank} + 2 * uint64_t{shape.keyRank};
        widths.residual += shape.ropeSize;
        widths.split = 2 * heads * (shape.headSize + shape.ropeSize) + 2 * heads * shape.valueSize;
    }
    else
    {
        widths.split = 2 * heads * shape.headSize + 2 * uint64_t{shape.keyHeads} * shape.headSize;
    }
    if (!shape.HasExperts(layer))
    {
        widths.split += inner * shape.feedForward;
        return widths;
    }
    const uint64_t met = uint64_t{shape.activeExperts} + shape.sharedExperts;
    widths.split += met * inner * shape.expertFeedForward;
    widths.residual += uint64_t{shape.activeExperts} * shape.hidden;
    return widths;
}

/** @return the tokens of a micro-batch that a rank has */
uint64_t
CountTokens(const ParallelismPlan& plan, const TrainingRecipe& recipe)
{
    return DivideUp(uint64_t{recipe.microBatchSize} * recipe.sequence, plan.cp);
}

/** @return bytes of elements that a rank keeps for each of its tokens */
uint64_t
CountBytes(const ParallelismPlan& plan, const TrainingRecipe& recipe, const Widths& widths)
{
    const uint64_t elements = CountTokens(plan, recipe) * recipe.parameterBytes;
    return DivideUp(elements * widths.split, plan.tp) +
           DivideUp(elements * widths.residual, plan.sequenceParallel ? plan.tp : 1);
}

/** Parameters that a rank computes with, and its shares of them. */
struct RankParameters
{
    uint64_t whole{0};
    uint64_t shard{0};
};

/** @return the parameters of a unit */
RankParameters
CountParametersOf(const ModelShape& shape, const ParallelismPlan& plan, const ModelUnit& unit)
{
    const UnitParameters count = CountUnitOfRank(shape, plan, unit);
    RankParameters parameters;
    parameters.whole = count.shared + count.experts;
    parameters.shard = parameters.whole;
    if (plan.sharding == ParameterSharding::FULL)
    {
        const uint64_t ranks = uint64_t{plan.cp} * (plan.dp / plan.replicas);
        parameters.shard = DivideUp(count.shared, ranks) + DivideUp(count.experts, ranks / plan.ep);
    }
    return parameters;
}

/**
 * @return the peak of kept activations
 *  @param bytes that each of the rank's stages keeps for a micro-batch
 */
uint64_t
CountInFlight(const PipelineShape& pipeline, uint32_t place, const std::vector<uint64_t>& bytes)
{
    uint64_t now = 0;
    uint64_t most = 0;
    for (const PipelineStep& step : MakePipelineSchedule(pipeline, place))
    {
        switch (step.kind)
        {
        case PipelineStep::Kind::FORWARD:
            now += bytes[step.chunk];
            most = std::max(most, now);
            break;
        case PipelineStep::Kind::BACKWARD_INPUT:
            break; // gradients of parameters still need them
        case PipelineStep::Kind::BACKWARD:
        case PipelineStep::Kind::BACKWARD_WEIGHT:
            now -= bytes[step.chunk];
            break;
        }
    }
    return most;
}

/** @return the largest sum of neighbours */
uint64_t
FindLargestNeighbours(const std::vector<uint64_t>& sizes, std::size_t count)
{
    uint64_t largest = 0;
    for (std::size_t first = 0; first < sizes.size(); ++first)
    {
        uint64_t sum = 0;
        for (std::size_t i = first; i < std::min(sizes.size(), first + count); ++i)
        {
            sum += sizes[i];
        }
        largest = std::max(largest, sum);
    }
    return largest;
}

/**
 * Adds parameters, gradients and optimizer.
 *  @param stages of the rank
 */
void
AddParameters(GpuMemory& memory,
              const ModelShape& shape,
              const ParallelismPlan& plan,
              const TrainingRecipe& recipe,
              const std::vector<Units>& stages)
{
    RankParameters sum;
    std::vector<uint64_t> ofUnits;
    for (const Units& stage : stages)
    {
        for (const ModelUnit& unit : stage)
        {
            const RankParameters one = CountParametersOf(shape, plan, unit);
            sum.whole += one.whole;
            sum.shard += one.shard;
            ofUnits.push_back(one.whole);
        }
    }
    const bool sharded = sum.shard < sum.whole;
    // whether backward passes keep whole parameters and gradients
    const bool keeps =
        recipe.microBatches > 1 || ScattersAfterBackward(recipe, plan.pp * recipe.chunks);
    memory.parameters = sum.shard * recipe.parameterBytes;
    memory.optimizer = sum.shard * recipe.optimizerBytes;
    memory.gradients = (keeps ? sum.whole : sum.shard) * recipe.gradientBytes;
    if (!sharded)
    {
        return;
    }
    if (keeps || !recipe.reshard)
    {
        memory.gathered = sum.whole * recipe.parameterBytes;
    }
    else
    {
        memory.gathered =
            FindLargestNeighbours(ofUnits, recipe.prefetch ? 2 : 1) * recipe.parameterBytes;
    }
    if (!keeps)
    {
        memory.gathered += FindLargestNeighbours(ofUnits, 1) * recipe.gradientBytes;
    }
}

} // namespace

uint64_t
CountUnitActivations(const ModelShape& shape,
                     const ParallelismPlan& plan,
                     const TrainingRecipe& recipe,
                     const ModelUnit& unit)
{
    if (unit.kind == ModelUnit::Kind::EMBEDDING)
    {
        return 0;
    }
    if (unit.kind == ModelUnit::Kind::HEAD)
    {
        const uint64_t scores = CountTokens(plan, recipe) * shape.vocabulary * SCORE_BYTES;
        return CountBytes(plan, recipe, {0, 2 * uint64_t{shape.hidden}}) +
               DivideUp(scores, plan.tp);
    }
    if (recipe.recompute == Recomputation::FULL)
    {
        return CountBytes(plan, recipe, {0, shape.hidden});
    }
    Widths widths = GetLayerWidths(shape, unit.layer);
    if (recipe.recompute == Recomputation::NONE)
    {
        widths.split += uint64_t{shape.heads} * recipe.sequence;
    }
    return CountBytes(plan, recipe, widths);
}

GpuMemory
CountGpuMemory(const ModelShape& shape,
               const ParallelismPlan& plan,
               const TrainingRecipe& recipe,
               uint32_t place)
{
    NS_ABORT_MSG_UNLESS(place < plan.pp,
                        "there is no rank " << place << " in a pipeline of " << plan.pp);
    const std::vector<Units> divided = DivideModel(shape, plan.pp * recipe.chunks);
    std::vector<Units> stages;
    std::vector<uint64_t> kept;
    uint64_t again = 0;
    for (uint32_t chunk = 0; chunk < recipe.chunks; ++chunk)
    {
        stages.push_back(divided[chunk * plan.pp + place]);
        kept.push_back(0);
        for (const ModelUnit& unit : stages.back())
        {
            kept.back() += CountUnitActivations(shape, plan, recipe, unit);
            if (unit.kind == ModelUnit::Kind::LAYER && recipe.recompute == Recomputation::FULL)
            {
                const Widths widths = GetLayerWidths(shape, unit.layer);
                again = std::max(again, CountBytes(plan, recipe, widths));
            }
        }
    }
    GpuMemory memory;
    AddParameters(memory, shape, plan, recipe, stages);
    PipelineShape pipeline;
    pipeline.schedule = recipe.schedule;
    pipeline.ranks = plan.pp;
    pipeline.chunks = recipe.chunks;
    pipeline.microBatches = recipe.microBatches;
    memory.activations = CountInFlight(pipeline, place, kept) + again;
    return memory;
}

} // namespace ns3
