/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARALLELISM_TABLE_H
#define PHOTONIC_RAILS_PARALLELISM_TABLE_H

#include "parallelism-plan.h"
#include "training-recipe.h"

#include "ns3/gpu-generation.h"
#include "ns3/model-shape.h"

#include <string>
#include <vector>

namespace ns3
{

/** How the ranks of the groups along an parallelism reach each other. */
enum class GroupReach : uint8_t
{
    ALONE,    //!< each rank is its own group
    SCALE_UP, //!< each group is in one server
    RAIL,     //!< the ranks of a group have the same place in their servers: one rail joins them
    MIXED,    //!< some neighbours are in a server, or on different rails
};

/** @return how groups along an parallelism reach each other @param layout of ranks */
GroupReach FindReach(const RankLayout& layout, Parallelism parallelism);

/**
 * @ingroup photonic-rails
 * @brief A plan in words and numbers, for people.
 *
 * Three tables: the parallelisms, fastest first, with their degree, the group of rank 0, and what
 * joins its ranks; servers and rails of the first ranks; and for each rank of a pipeline its layers
 * and the gigabytes (10^9 bytes) that a GPU holds. Then what does not fit, if anything.
 * @param plan of its ranks
 * @param shape of the model
 * @param recipe what is done
 * @param gpu on which GPUs
 * @return lines, each with an end; only reasons if numbers are impossible
 */
std::string Describe(const ParallelismPlan& plan,
                     const ModelShape& shape,
                     const TrainingRecipe& recipe,
                     const GpuGeneration& gpu);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_TABLE_H */
