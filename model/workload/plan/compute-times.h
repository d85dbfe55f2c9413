/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMPUTE_TIMES_H
#define PHOTONIC_RAILS_COMPUTE_TIMES_H

#include "model-unit.h"

#include "ns3/gpu-generation.h"
#include "ns3/nstime.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ns3
{

/** The compute times of a rank for a unit and one micro-batch. */
struct UnitTimes
{
    Time forward{0};
    Time attention{0};      //!< the part of forward that context parallelism divides into steps
    Time backwardInput{0};  //!< gradients of the input; without recomputation
    Time backwardWeight{0}; //!< gradients of parameters
    Time recompute{0};      //!< before the backward pass, by the recipe
    //! routed experts, if all have equal shares: a part of forward and of each gradient; 0: not
    //! known, or none
    Time experts{0};
};

/**
 * @ingroup photonic-rails
 * @brief The times of computing, without communication.
 */
class ComputeTimes
{
  public:
    virtual ~ComputeTimes() = default;

    /** @return the times of a unit, on one rank, for one micro-batch */
    virtual UnitTimes GetUnit(const ModelUnit& unit) const = 0;

    /** @return the time of the optimizer's step of a rank @param parameters that it updates */
    virtual Time GetOptimizer(uint64_t parameters) const = 0;
};

/**
 * Computes the times from the number of operations (CountWork()): time = FLOPs of the rank / (peak
 * x efficiency). The optimizer's step is limited by memory: for each parameter it reads and writes
 * its state, reads the gradient and writes the parameter for computing, once each.
 * @param shape of the model
 * @param plan of the job
 * @param recipe of the training
 * @param gpu the generation of all GPUs
 * @param efficiency the achieved share of the peak, above 0 and up to 1
 * @return the times
 */
std::shared_ptr<const ComputeTimes> MakeComputeTimes(const ModelShape& shape,
                                                     const ParallelismPlan& plan,
                                                     const TrainingRecipe& recipe,
                                                     const GpuGeneration& gpu,
                                                     double efficiency);

/** The result of reading measured times: the times, or an error. */
struct MeasuredTimes
{
    std::shared_ptr<const ComputeTimes> times; //!< null: there are none
    std::string error{};                       //!< with file and line
};

/**
 * Reads the times from a measured trace: a CSV file with the header
 * `unit,forward_us,attention_us,backward_input_us,backward_weight_us,recompute_us` and a row for
 * `embedding`, `layer` (all layers), `layer 5` (that layer), `head`, and `optimizer` (whose time is
 * in forward_us, for a whole rank). Times are decimal microseconds, to the picosecond, of one rank
 * and one micro-batch, so they hold for the plan and the recipe that were measured. The four rows
 * without a number are mandatory. The part of experts is not known, so times are the same whatever
 * number of tokens a rank's experts have.
 * @return the times, or an error
 */
MeasuredTimes ReadComputeTimes(const std::string& file);

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMPUTE_TIMES_H */
