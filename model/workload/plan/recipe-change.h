/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECIPE_CHANGE_H
#define PHOTONIC_RAILS_RECIPE_CHANGE_H

#include "training-recipe.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A change of a job's pipeline during the training, at the same iteration of all ranks.
 *
 * From that iteration on, ranks make other calls than those that shims have learned: shims that
 * predict calls are wrong once, and learn the new ones. What the division of the model depends on
 * does not change.
 * @code
 * RecipeChange change;
 * change.iteration = 4;
 * change.microBatches = 8;
 * helper.SetChange(change);
 * @endcode
 */
struct RecipeChange
{
    uint32_t iteration{0};                //!< the first one that differs, from 1; 0: none
    std::optional<uint32_t> microBatches; //!< of each pipeline; none: as before
    std::optional<std::string> schedule;  //!< of pipelines; none: as before

    /** @return the recipe of an iteration @param recipe before the change @param number from 1 */
    TrainingRecipe GetRecipe(const TrainingRecipe& recipe, uint32_t number) const;

    /** @return "2 -> 8 micro-batches, schedule 1f1b -> gpipe" @param recipe before the change */
    std::string ToText(const TrainingRecipe& recipe) const;
};

/**
 * @param change of a job
 * @param recipe before the change
 * @param iterations of the job
 * @return the mistake in the change, with the remedy; empty if there is none
 */
std::string FindMistake(const RecipeChange& change,
                        const TrainingRecipe& recipe,
                        uint32_t iterations);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECIPE_CHANGE_H */
