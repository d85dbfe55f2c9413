/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_JOB_BENCH_H
#define PHOTONIC_RAILS_TRAINING_JOB_BENCH_H

#include "ns3/training-job.h"

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** Times in which every layer takes as long, and nothing else takes any. */
class EvenTimes : public ComputeTimes
{
  public:
    /** @param layer the times of a layer @param optimizer of the optimizer's step */
    explicit EvenTimes(const UnitTimes& layer, Picoseconds optimizer = 0)
        : m_layer(layer),
          m_optimizer(optimizer)
    {
    }

    UnitTimes GetUnit(const ModelUnit& unit) const override
    {
        return unit.kind == ModelUnit::Kind::LAYER ? m_layer : UnitTimes();
    }

    Picoseconds GetOptimizer(uint64_t) const override
    {
        return m_optimizer;
    }

  private:
    UnitTimes m_layer;
    Picoseconds m_optimizer;
};

/** @return a model of four layers, whose numbers all differ */
inline ModelShape
MakeSmallShape()
{
    ModelShape shape;
    shape.name = "Small";
    shape.layers = 4;
    shape.hidden = 512;
    shape.heads = 8;
    shape.keyHeads = 4;
    shape.headSize = 64;
    shape.feedForward = 1280;
    shape.vocabulary = 3000;
    return shape;
}

/** @return the same with experts in all layers but the first */
inline ModelShape
MakeSmallExperts()
{
    ModelShape shape = MakeSmallShape();
    shape.experts = 16;
    shape.activeExperts = 3;
    shape.expertFeedForward = 192;
    shape.denseLayers = 1;
    return shape;
}

/** @return one micro-batch of two sequences, nothing computed again, on one rank */
inline TrainingTask
MakeSmallTask(const ModelShape& shape = MakeSmallShape())
{
    TrainingTask task;
    task.shape = shape;
    task.plan.scaleUp = 1;
    task.recipe.microBatches = 1;
    task.recipe.microBatchSize = 2;
    task.recipe.sequence = 1024;
    task.recipe.recompute = Recomputation::NONE;
    task.times = std::make_shared<EvenTimes>(UnitTimes{12, 4, 14, 10, 0}, 5);
    task.iterations = 1;
    return task;
}

/** A call of a rank, as others see it. */
struct TrainingCall
{
    GroupRole role{GroupRole::DATA};
    std::string what{}; //!< all-gather, ..., send, receive
    uint64_t bytes{0};
    std::string label{};

    /** @return whether it is made in a forward pass; of tp, cp and ep */
    bool IsForward() const
    {
        return label.rfind("forward", 0) == 0;
    }
};

/** @return a rank's calls in an iteration, in the order of its program
 *  @param job @param rank @param iteration */
inline std::vector<TrainingCall>
ListCalls(const TrainingJob& job, uint32_t rank, uint32_t iteration = 0)
{
    const std::vector<uint32_t> groups = job.GetGroups().GetGroupsOf(rank);
    std::vector<TrainingCall> calls;
    uint32_t begun = 0;
    for (const RankOperation& operation : job.GetProgram(rank)->GetOperations())
    {
        begun += operation.kind == RankOperation::Kind::ITERATION ? 1 : 0;
        if (!operation.IsExchange() || begun != iteration + 1)
        {
            continue;
        }
        TrainingCall call;
        call.role = job.GetGroups().GetGroups().at(groups.at(operation.group)).role;
        call.what = operation.kind == RankOperation::Kind::COLLECTIVE
                        ? ToString(operation.collective)
                    : operation.kind == RankOperation::Kind::SEND ? "send"
                                                                  : "receive";
        call.bytes = operation.bytes;
        call.label = operation.label;
        calls.push_back(call);
    }
    return calls;
}

/** How many calls, and their bytes together. */
struct CallSum
{
    uint64_t count{0};
    uint64_t bytes{0};

    /** Adds calls. @param calls how many @param each of so many bytes */
    void Add(uint64_t calls, uint64_t each)
    {
        count += calls;
        bytes += calls * each;
    }

    bool operator==(const CallSum& other) const
    {
        return count == other.count && bytes == other.bytes;
    }

    friend std::ostream& operator<<(std::ostream& os, const CallSum& sum)
    {
        return os << sum.count << " calls, " << sum.bytes << " bytes";
    }
};

/** What is called, by whom it is about and what it is. */
using CallTable = std::map<std::pair<GroupRole, std::string>, CallSum>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_JOB_BENCH_H */
