/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MODEL_UNIT_H
#define PHOTONIC_RAILS_MODEL_UNIT_H

#include "parallelism-plan.h"
#include "training-recipe.h"

#include "ns3/model-shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A part of a model that is computed, gathered and scattered as one: an FSDP unit.
 *
 * The units are the embedding, each layer, and the last norm with the head.
 */
struct ModelUnit
{
    /** The kind of the unit. */
    enum class Kind : uint8_t
    {
        EMBEDDING,
        LAYER,
        HEAD
    };

    Kind kind{Kind::LAYER};
    uint32_t layer{0}; //!< of a LAYER: its number in the model

    /** @return "embedding", "layer 5", "head" */
    std::string GetName() const;
};

/** @return the parameters of a unit, on all ranks together */
ParameterCount CountUnit(const ModelShape& shape, const ModelUnit& unit);

/**
 * @return the shape for tensor-parallel ranks: if there are fewer key heads than ranks, several
 *         ranks have a copy of one. The sum of the copies' gradients is not modelled.
 * @param shape of the model
 * @param tp number of ranks of tensor parallelism
 */
ModelShape WithKeyCopies(const ModelShape& shape, uint32_t tp);

/** The parameters of a unit that a rank computes with, and that FSDP gathers for it. */
struct UnitParameters
{
    uint64_t shared{0};  //!< equal on all data-parallel ranks
    uint64_t experts{0}; //!< equal on data-parallel ranks with the same experts
};

/** @return the parameters of a tensor- and expert-parallel rank */
UnitParameters CountUnitOfRank(const ModelShape& shape,
                               const ParallelismPlan& plan,
                               const ModelUnit& unit);

/**
 * Divides a model into stages: layers evenly, with the remainder on earlier stages; the embedding
 * belongs to the first stage, the head to the last.
 * @param shape of the model
 * @param stages number of stages: pp x chunks
 * @return the units of each stage
 */
std::vector<std::vector<ModelUnit>> DivideModel(const ModelShape& shape, uint32_t stages);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_UNIT_H */
