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

/** The ports of the switch of a rail. */
struct RailPorts
{
    uint32_t radix{0};       //!< ports of the switch; 0: as many as are needed
    uint32_t portsPerGpu{2}; //!< ports of a GPU: two on a photonic rail, one on an electrical rail
};

/**
 * @ingroup photonic-rails
 * @brief Finds the reasons for which a plan cannot train a model on GPUs.
 *
 * The reasons are limits of frameworks and of hardware. A plan that is only slow fits: tensor
 * parallelism over rails, pipelines with fewer micro-batches than ranks, uneven stages (126 layers
 * over 16 ranks), a vocabulary that tp does not divide (it is padded).
 * @code
 * for (const std::string& reason : FindMisfits(shape, plan, recipe, gpu, {128, 2}))
 * {
 *     std::cerr << reason << std::endl;
 * }
 * @endcode
 * @param shape of the model
 * @param plan of the job
 * @param recipe of the training
 * @param gpu the generation of all GPUs
 * @param ports of a rail
 * @return reasons, each with the value, the limit and the remedy; empty: the plan fits
 */
std::vector<std::string> FindMisfits(const ModelShape& shape,
                                     const ParallelismPlan& plan,
                                     const TrainingRecipe& recipe,
                                     const GpuGeneration& gpu,
                                     const RailPorts& ports = {});

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_FIT_H */
