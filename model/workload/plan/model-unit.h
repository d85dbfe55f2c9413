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
 * The embedding, each layer, and the last norm with the head.
 */
struct ModelUnit
{
    /** What it is. */
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
 * @return the shape as tensor-parallel ranks have it: where there are fewer key heads than ranks,
 *         several have a copy of one. The sum of the copies' gradients is not modelled.
 * @param shape of the model
 * @param tp ranks of tensor parallelism
 */
ModelShape WithKeyCopies(const ModelShape& shape, uint32_t tp);

/** The parameters of a unit that a rank computes with: what FSDP gathers for it. */
struct UnitParameters
{
    uint64_t shared{0};  //!< data-parallel ranks all have these
    uint64_t experts{0}; //!< only data-parallel ranks with the same experts have these
};

/** @return of a tensor- and expert-parallel rank */
UnitParameters CountUnitOfRank(const ModelShape& shape,
                               const ParallelismPlan& plan,
                               const ModelUnit& unit);

/**
 * Divides a model over stages: layers evenly, earlier stages taking one more where it does not come
 * out even; the embedding goes with the first, the head with the last.
 * @param shape of the model
 * @param stages how many: pp x chunks
 * @return the units of each stage
 */
std::vector<std::vector<ModelUnit>> DivideModel(const ModelShape& shape, uint32_t stages);

} // namespace ns3

#endif /* PHOTONIC_RAILS_MODEL_UNIT_H */
