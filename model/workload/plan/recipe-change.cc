/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recipe-change.h"

namespace ns3
{

TrainingRecipe
RecipeChange::GetRecipe(const TrainingRecipe& recipe, uint32_t number) const
{
    TrainingRecipe changed = recipe;
    if (iteration > 0 && number >= iteration)
    {
        changed.microBatches = microBatches.value_or(recipe.microBatches);
        changed.schedule = schedule.value_or(recipe.schedule);
    }
    return changed;
}

std::string
RecipeChange::ToText(const TrainingRecipe& recipe) const
{
    const TrainingRecipe changed = GetRecipe(recipe, iteration);
    std::string text;
    if (changed.microBatches != recipe.microBatches)
    {
        text = std::to_string(recipe.microBatches) + " -> " + std::to_string(changed.microBatches) +
               " micro-batches";
    }
    if (changed.schedule != recipe.schedule)
    {
        text += (text.empty() ? "" : ", ") + std::string("schedule ") + recipe.schedule + " -> " +
                changed.schedule;
    }
    return text;
}

std::string
FindMistake(const RecipeChange& change, const TrainingRecipe& recipe, uint32_t iterations)
{
    if (change.iteration == 0)
    {
        return "";
    }
    const std::string where = "a change at iteration " + std::to_string(change.iteration) + ": ";
    if (change.iteration == 1)
    {
        return where + "nothing is learned before the first iteration; give 2 or more";
    }
    if (change.iteration > iterations)
    {
        return where + "there are " + std::to_string(iterations) +
               " iterations; give an earlier one, or more iterations";
    }
    if (change.ToText(recipe).empty())
    {
        return where + "it changes nothing; give another number of micro-batches than " +
               std::to_string(recipe.microBatches) + ", or another schedule than " +
               recipe.schedule;
    }
    const std::string mistake = FindMistake(change.GetRecipe(recipe, change.iteration));
    return mistake.empty() ? "" : where + mistake;
}

} // namespace ns3
