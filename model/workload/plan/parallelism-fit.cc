/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "parallelism-fit.h"

#include "gpu-memory.h"
#include "pipeline-schedule.h"

#include "ns3/divide-up.h"

#include <iomanip>
#include <sstream>

namespace ns3
{

namespace
{

using Reasons = std::vector<std::string>;

/**
 * Adds a reason if a value is no multiple of a divisor.
 * @param name of the value
 * @param by name of the divisor
 */
void
NeedMultiple(Reasons& reasons,
             const std::string& name,
             uint64_t value,
             const std::string& by,
             uint64_t divisor,
             const std::string& remedy)
{
    if (value % divisor != 0)
    {
        reasons.push_back(name + " is " + std::to_string(value) + ", not a multiple of " + by +
                          " = " + std::to_string(divisor) + "; " + remedy);
    }
}

/** Checks the matrices and tokens that tensor, context and expert parallelism split. */
void
CheckSplits(Reasons& reasons,
            const ModelShape& shape,
            const ParallelismPlan& plan,
            const TrainingRecipe& recipe)
{
    const std::string other = "take a tp that divides it";
    NeedMultiple(reasons, "heads", shape.heads, "tp", plan.tp, other);
    if (!shape.IsLatent() && (shape.keyHeads == 0 || plan.tp % shape.keyHeads != 0))
    {
        NeedMultiple(reasons,
                     "keyHeads",
                     shape.keyHeads,
                     "tp",
                     plan.tp,
                     "take a tp that divides it, or that it divides: then ranks have copies");
    }
    if (shape.experts == 0 || shape.denseLayers > 0)
    {
        NeedMultiple(reasons, "feedForward", shape.feedForward, "tp", plan.tp, other);
    }
    if (shape.experts > 0)
    {
        NeedMultiple(reasons, "expertFeedForward", shape.expertFeedForward, "tp", plan.tp, other);
        NeedMultiple(reasons,
                     "experts",
                     shape.experts,
                     "ep",
                     plan.ep,
                     "take an ep that divides it");
    }
    else if (plan.ep > 1)
    {
        reasons.push_back("ep is " + std::to_string(plan.ep) + ", and the model \"" + shape.name +
                          "\" has no experts; set ep to 1");
    }
    if (shape.experts == 0 || shape.experts % plan.ep == 0) // else there is a reason already
    {
        const std::string misfit = FindMisfit(recipe.router, shape, plan);
        if (!misfit.empty())
        {
            reasons.push_back(misfit);
        }
    }
    // a context-parallel rank has two parts of a sequence, one early and one late, so that causal
    // attention is equal work for each
    const uint64_t parts =
        (plan.cp > 1 ? 2 * uint64_t{plan.cp} : 1) * (plan.sequenceParallel ? plan.tp : 1);
    NeedMultiple(reasons,
                 "sequence",
                 recipe.sequence,
                 "the parts of it that ranks have, tp with sequence parallelism x 2 cp with "
                 "context parallelism",
                 parts,
                 "take a longer sequence, or a smaller tp or cp");
}

/** Checks the pipeline. @return whether it is possible */
bool
CheckPipeline(Reasons& reasons,
              const ModelShape& shape,
              const ParallelismPlan& plan,
              const TrainingRecipe& recipe)
{
    const std::size_t before = reasons.size();
    if (uint64_t{plan.pp} * recipe.chunks > shape.layers)
    {
        reasons.push_back("layers is " + std::to_string(shape.layers) + ", fewer than pp x chunks" +
                          " = " + std::to_string(plan.pp) + " x " + std::to_string(recipe.chunks) +
                          " stages; each needs one: take fewer stages");
        return false;
    }
    PipelineShape pipeline;
    pipeline.schedule = recipe.schedule;
    pipeline.ranks = plan.pp;
    pipeline.chunks = recipe.chunks;
    pipeline.microBatches = recipe.microBatches;
    const std::string mistake = FindMistake(pipeline);
    if (!mistake.empty())
    {
        reasons.push_back(mistake);
    }
    return reasons.size() == before;
}

/** @return gigabytes (10^9 bytes), as in data sheets */
std::string
ToGigabytes(uint64_t bytes)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << double(bytes) / 1e9 << " GB";
    return text.str();
}

/** Checks the rank of the pipeline with the most memory. */
void
CheckMemory(Reasons& reasons,
            const ModelShape& shape,
            const ParallelismPlan& plan,
            const TrainingRecipe& recipe,
            const GpuGeneration& gpu)
{
    GpuMemory most;
    uint32_t where = 0;
    for (uint32_t place = 0; place < plan.pp; ++place)
    {
        const GpuMemory memory = CountGpuMemory(shape, plan, recipe, place);
        if (memory.GetTotal() > most.GetTotal())
        {
            most = memory;
            where = place;
        }
    }
    if (most.GetTotal() <= gpu.memoryBytes)
    {
        return;
    }
    reasons.push_back(
        "a GPU of pipeline rank " + std::to_string(where) + " holds " +
        ToGigabytes(most.GetTotal()) + ": parameters " + ToGigabytes(most.parameters) +
        ", gradients " + ToGigabytes(most.gradients) + ", optimizer " +
        ToGigabytes(most.optimizer) + ", activations " + ToGigabytes(most.activations) +
        ", gathered " + ToGigabytes(most.gathered) + "; " + gpu.name + " has " +
        ToGigabytes(gpu.memoryBytes) +
        ": take a larger tp, pp or ep, FULL sharding, a smaller microBatchSize or more "
        "recomputation");
}

/**
 * @param ranks more than the GPUs of a server
 * @return the most GPUs of a server that can be used if all servers use as many
 */
uint64_t
FindUsedGpus(uint64_t ranks, const ParallelismPlan& plan)
{
    uint64_t used = plan.scaleUp;
    while (ranks % used != 0)
    {
        --used;
    }
    return used;
}

/** Checks servers and the ports of a rail's switch. */
void
CheckServers(Reasons& reasons, const ParallelismPlan& plan, const RailPorts& ports)
{
    const uint64_t ranks = plan.GetRanks();
    if (ranks > plan.scaleUp)
    {
        NeedMultiple(reasons,
                     "the number of ranks",
                     ranks,
                     "the GPUs of a server, scaleUp",
                     plan.scaleUp,
                     "fill all servers, so that each rail joins as many GPUs, or leave GPUs of "
                     "each server idle: scaleUp = " +
                         std::to_string(FindUsedGpus(ranks, plan)));
    }
    const uint64_t servers = DivideUp(ranks, plan.scaleUp);
    const uint64_t needed = servers * ports.portsPerGpu;
    if (ports.radix > 0 && servers > 1 && needed > ports.radix)
    {
        const uint64_t most = ports.radix / (ports.portsPerGpu > 0 ? ports.portsPerGpu : 1);
        reasons.push_back("each rail joins the GPUs of " + std::to_string(servers) +
                          " servers, which take " + std::to_string(needed) +
                          " ports of a switch that has " + std::to_string(ports.radix) +
                          "; take at most " + std::to_string(most * plan.scaleUp) +
                          " GPUs, larger servers, or a switch with more ports");
    }
}

} // namespace

std::vector<std::string>
FindMisfits(const ModelShape& shape,
            const ParallelismPlan& plan,
            const TrainingRecipe& recipe,
            const GpuGeneration& gpu,
            const RailPorts& ports)
{
    Reasons reasons;
    for (const std::string& mistake : {FindMistake(shape), FindMistake(plan), FindMistake(recipe)})
    {
        if (!mistake.empty())
        {
            reasons.push_back(mistake);
        }
    }
    if (!reasons.empty())
    {
        return reasons; // the rest would divide by zero, or use invalid numbers
    }
    CheckSplits(reasons, shape, plan, recipe);
    CheckServers(reasons, plan, ports);
    if (CheckPipeline(reasons, shape, plan, recipe))
    {
        CheckMemory(reasons, shape, plan, recipe, gpu);
    }
    return reasons;
}

} // namespace ns3
