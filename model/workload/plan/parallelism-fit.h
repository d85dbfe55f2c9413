/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARALLELISM_FIT_H
#define PHOTONIC_RAILS_PARALLELISM_FIT_H

#include "parallelism-plan.h"
#include "training-recipe.h"

#include "ns3/gpu-generation.h"
#include "ns3/model-shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** The ports of the switch that a rail is. */
struct RailPorts
{
    uint32_t radix{0};       //!< ports of the switch; 0: as many as are needed
    uint32_t portsPerGpu{2}; //!< that a GPU takes: of a photonic rail two, of an electrical one
};

/**
 * @ingroup photonic-rails
 * @brief Why a model cannot be trained by a plan on GPUs.
 *
 * What frameworks refuse, and what no hardware has. What is only slow is no misfit: tensor
 * parallelism over rails, pipelines with fewer micro-batches than ranks, uneven stages (126 layers
 * over 16 ranks), a vocabulary that tp does not divide (it is padded).
 * @code
 * for (const std::string& reason : FindMisfits(shape, plan, recipe, gpu, {128, 2}))
 * {
 *     std::cerr << reason << std::endl;
 * }
 * @endcode
 * @param shape of the model
 * @param plan of its ranks
 * @param recipe what is done
 * @param gpu on which GPUs
 * @param ports that a rail has
 * @return reasons, each with the value, the limit and the remedy; none: it fits
 */
std::vector<std::string> FindMisfits(const ModelShape& shape,
                                     const ParallelismPlan& plan,
                                     const TrainingRecipe& recipe,
                                     const GpuGeneration& gpu,
                                     const RailPorts& ports = {});

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_FIT_H */
