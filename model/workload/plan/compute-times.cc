/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compute-times.h"

#include "model-work.h"

#include "ns3/abort.h"
#include "ns3/picosecond-resolution.h"

#include <cmath>

namespace ns3
{

namespace
{

constexpr double PICOSECONDS_A_SECOND = 1e12;
constexpr double LONGEST = 9e18; // in picoseconds: 104 days, and within 64 bits

/** @return a time, rounded to a picosecond */
Time
RoundSeconds(double seconds)
{
    const double picoseconds = seconds * PICOSECONDS_A_SECOND;
    NS_ABORT_MSG_UNLESS(picoseconds <= LONGEST,
                        "computing on one unit for one micro-batch takes "
                            << seconds << " s; at most 9,000,000 s can be simulated: take a faster "
                            << "GPU, a higher efficiency or a smaller model");
    return PicoSeconds(std::llround(picoseconds));
}

/** Compute times from the number of operations. */
class CountedTimes : public ComputeTimes
{
  public:
    CountedTimes(const ModelShape& shape,
                 const ParallelismPlan& plan,
                 const TrainingRecipe& recipe,
                 const GpuGeneration& gpu,
                 double efficiency)
        : m_shape(shape),
          m_plan(plan),
          m_recipe(recipe),
          m_flopsPerSecond(gpu.flopsPerSecond * efficiency),
          m_memoryBytesPerSecond(gpu.memoryBytesPerSecond)
    {
    }

    UnitTimes GetUnit(const ModelUnit& unit) const override
    {
        const UnitWork work = CountWork(m_shape, m_plan, m_recipe, unit);
        UnitTimes times;
        times.forward = RoundSeconds(work.forward / m_flopsPerSecond);
        times.attention = RoundSeconds(work.attention / m_flopsPerSecond);
        times.backwardInput = RoundSeconds(work.backwardInput / m_flopsPerSecond);
        times.backwardWeight = RoundSeconds(work.backwardWeight / m_flopsPerSecond);
        times.recompute = RoundSeconds(work.recompute / m_flopsPerSecond);
        times.experts = RoundSeconds(work.experts / m_flopsPerSecond);
        return times;
    }

    Time GetOptimizer(uint64_t parameters) const override
    {
        // the state is read and written, the gradient read, the parameter for computing written
        const double ofOne =
            2.0 * m_recipe.optimizerBytes + m_recipe.gradientBytes + m_recipe.parameterBytes;
        return RoundSeconds(double(parameters) * ofOne / m_memoryBytesPerSecond);
    }

  private:
    ModelShape m_shape;
    ParallelismPlan m_plan;
    TrainingRecipe m_recipe;
    double m_flopsPerSecond;
    double m_memoryBytesPerSecond;
};

} // namespace

std::shared_ptr<const ComputeTimes>
MakeComputeTimes(const ModelShape& shape,
                 const ParallelismPlan& plan,
                 const TrainingRecipe& recipe,
                 const GpuGeneration& gpu,
                 double efficiency)
{
    RequirePicoseconds("MakeComputeTimes");
    NS_ABORT_MSG_UNLESS(efficiency > 0 && efficiency <= 1,
                        "the share of a GPU's peak that is reached is "
                            << efficiency << "; it has to be above 0 and at most 1, such as 0.4");
    NS_ABORT_MSG_UNLESS(gpu.flopsPerSecond > 0 && gpu.memoryBytesPerSecond > 0,
                        "GPU \"" << gpu.name << "\" does " << gpu.flopsPerSecond
                                 << " operations and moves " << gpu.memoryBytesPerSecond
                                 << " bytes a second; both have to be above 0: set them, or take a "
                                    "kind that FindGpuGeneration() knows");
    for (const std::string& mistake : {FindMistake(shape), FindMistake(plan), FindMistake(recipe)})
    {
        NS_ABORT_MSG_UNLESS(mistake.empty(), mistake);
    }
    return std::make_shared<CountedTimes>(shape, plan, recipe, gpu, efficiency);
}

} // namespace ns3
