/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PARALLELISM_PRESETS_H
#define PHOTONIC_RAILS_PARALLELISM_PRESETS_H

#include "parallelism-plan.h"
#include "training-recipe.h"

#include "ns3/gpu-generation.h"
#include "ns3/model-shape.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The initial degrees of a search for a plan: a rule of thumb, not a measurement.
 *
 * From the table "Decision by Model Size" of NVIDIA's Megatron Bridge documentation (performance
 * techniques, parallelism strategies), the upper end of each range. The rows with experts summarise
 * the table of such models beside it, where single models differ:
 *
 * | model, parameters           | tp | pp | ep                  |
 * |-----------------------------|----|----|---------------------|
 * | to 1 billion                | 1  | 1  |                     |
 * | to 10 billion               | 4  | 1  |                     |
 * | to 75 billion               | 8  | 4  |                     |
 * | to 180 billion              | 8  | 8  |                     |
 * | more                        | 8  | 16 |                     |
 * | with experts, to 75 billion | 2  | 1  | experts, at most 64 |
 * | with experts, to 180        | 2  | 4  | experts, at most 64 |
 * | with experts, more          | 2  | 16 | experts, at most 64 |
 *
 * The limits 75 and 180 stand for the table's 70 and 175, so that models named 70B and 175B are on
 * the intended side. Context parallelism is as Llama 3's (arXiv 2407.21783, table 4): a rank has
 * 8,192 tokens of a sequence or less. All other ranks are data-parallel, with FSDP.
 * @param shape of the model
 * @param sequence tokens of a sequence
 * @return a plan with these degrees, and the least data parallelism that its experts need
 */
ParallelismPlan GetRuleOfThumb(const ModelShape& shape, uint32_t sequence);

/**
 * The usual combinations of parallelisms for a number of GPUs, from table 1 of "Photonic Rails in
 * ML Datacenters" (arXiv 2507.08119):
 *
 * | model, parameters    | GPUs        | parallelisms           |
 * |----------------------|-------------|------------------------|
 * | less than 10 billion | up to 8     | TP; DP                 |
 * | more                 | 9 to 512    | TP & PP; TP & DP; DP   |
 * | more                 | 513 to 1024 | DP & PP; DP & TP       |
 * | more                 | beyond      | TP, DP & PP            |
 *
 * The table has no row for a small model on more GPUs, or a large one on fewer: the row of the
 * number of GPUs holds for both. Context and expert parallelism are not in the table and may be
 * added to any row.
 * @param gpus number of GPUs
 * @return the combinations of TENSOR, SHARD (data parallelism) and PIPELINE with a degree above 1
 */
std::vector<std::set<Parallelism>> GetUsualParallelisms(uint32_t gpus);

/**
 * @ingroup photonic-rails
 * @brief A plan for a number of GPUs: of those with usual parallelisms, the one nearest to the rule
 * of thumb that fits.
 *
 * Usual parallelisms are those of GetUsualParallelisms(). If none of these plans fits, the nearest
 * of all others that fits is used: with experts there may be no plan of tensor parallelism alone.
 * Degrees of tp, cp and ep are powers of two, tp stays inside a server, and every factor of two
 * away from the rule counts the same; of equally near plans the one with fewer stages and smaller
 * tp is used. With few GPUs the degrees are below the rule.
 * @code
 * const ParallelismPlan plan = SuggestPlan(*FindModelShape("Llama3-70B"), 64);
 * @endcode
 * @param shape of the model
 * @param gpus number of GPUs
 * @param scaleUp number of GPUs of a server
 * @param gpu the generation of all GPUs
 * @param recipe of the training
 * @return the plan; if none fits, the nearest one with this number of ranks: FindMisfits() returns
 *         the reasons
 */
ParallelismPlan SuggestPlan(const ModelShape& shape,
                            uint32_t gpus,
                            uint32_t scaleUp = 8,
                            const GpuGeneration& gpu = *FindGpuGeneration("H100"),
                            const TrainingRecipe& recipe = {});

} // namespace ns3

#endif /* PHOTONIC_RAILS_PARALLELISM_PRESETS_H */
