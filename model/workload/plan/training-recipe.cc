/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-recipe.h"

#include "pipeline-schedule.h"

#include "ns3/known-names.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

// Larger numbers are mistakes; below these no computed product overflows.
constexpr uint64_t MANY = uint64_t{1} << 20;
constexpr uint64_t LONG = uint64_t{1} << 26;
constexpr uint64_t MANY_TOKENS = uint64_t{1} << 28;

/** A number and its limits. */
struct Range
{
    const char* name;
    uint64_t value;
    uint64_t least;
    uint64_t most;
};

/** @return the first mistake of a pipeline's schedule, or an empty string */
std::string
FindScheduleMistake(const TrainingRecipe& recipe)
{
    const std::vector<std::string>& schedules = GetPipelineSchedules();
    if (std::find(schedules.begin(), schedules.end(), recipe.schedule) == schedules.end())
    {
        return "training recipe: schedule " + recipe.schedule + ": " +
               FindKnownName(recipe.schedule, schedules, "schedule").why;
    }
    if (recipe.chunks > 1 && recipe.schedule != "interleaved")
    {
        return "training recipe: chunks is " + std::to_string(recipe.chunks) + ", and schedule " +
               recipe.schedule +
               " has one stage a rank; set chunks to 1, or schedule to interleaved";
    }
    if (uint64_t{recipe.chunks} * recipe.microBatches > MANY)
    {
        return "training recipe: chunks x microBatches is " + std::to_string(recipe.chunks) +
               " x " + std::to_string(recipe.microBatches) + "; at most " + std::to_string(MANY);
    }
    return "";
}

} // namespace

bool
ScattersAfterBackward(const TrainingRecipe& recipe, uint32_t stages)
{
    return recipe.reduceScatter == GradientScatter::AFTER_BACKWARD ||
           (recipe.reduceScatter == GradientScatter::BY_STAGES && stages > 1);
}

std::string
FindMistake(const TrainingRecipe& recipe)
{
    const std::vector<Range> ranges{
        {"microBatches", recipe.microBatches, 1, MANY},
        {"microBatchSize", recipe.microBatchSize, 1, MANY},
        {"sequence", recipe.sequence, 1, LONG},
        {"chunks", recipe.chunks, 1, MANY},
        {"parameterBytes", recipe.parameterBytes, 1, 8},
        {"gradientBytes", recipe.gradientBytes, 1, 8},
        {"optimizerBytes", recipe.optimizerBytes, 0, 64},
        {"smallReductions", recipe.smallReductions, 0, MANY},
        {"smallBytes", recipe.smallBytes, 1, MANY},
    };
    for (const Range& range : ranges)
    {
        if (range.value < range.least || range.value > range.most)
        {
            return std::string("training recipe: ") + range.name + " is " +
                   std::to_string(range.value) + "; it has to be from " +
                   std::to_string(range.least) + " to " + std::to_string(range.most);
        }
    }
    const uint64_t tokens = uint64_t{recipe.microBatchSize} * recipe.sequence;
    if (tokens > MANY_TOKENS)
    {
        return "training recipe: a micro-batch has microBatchSize x sequence = " +
               std::to_string(tokens) + " tokens; at most " + std::to_string(MANY_TOKENS);
    }
    const std::string mistake = FindScheduleMistake(recipe);
    return mistake.empty() ? FindMistake(recipe.router) : mistake;
}

} // namespace ns3
