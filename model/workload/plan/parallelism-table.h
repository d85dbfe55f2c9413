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

/** The connection of the ranks of the groups along a parallelism. */
enum class GroupReach : uint8_t
{
    ALONE,    //!< each rank is its own group
    SCALE_UP, //!< each group is in one server
    RAIL,     //!< the ranks of a group have the same place in their servers: one rail connects them
    MIXED,    //!< some neighbours are in a server, or on different rails
};

/** @return the connection of the groups along a parallelism @param layout of ranks */
GroupReach FindReach(const RankLayout& layout, Parallelism parallelism);

/**
 * @ingroup photonic-rails
 * @brief Describes a plan as text.
 *
 * The text has three tables: the parallelisms, fastest varying first, with their degree, the group
 * of rank 0, and the connection of its ranks; servers and rails of the first ranks; and for each
 * rank of a pipeline its layers and the memory of a GPU in gigabytes (10^9 bytes). The misfits
 * follow, if there are any.
 * @param plan of the job
 * @param shape of the model
 * @param recipe of the training
 * @param gpu the generation of all GPUs
 * @return lines, each with an end; only mistakes if the numbers are impossible
 */
std::string Describe(const ParallelismPlan& plan,
                     const ModelShape& shape,
                     const TrainingRecipe& recipe,
                     const GpuGeneration& gpu);

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_TABLE_H */
