/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-job-bench.h"

#include "ns3/picosecond-resolution.h"

#include <memory>

namespace ns3
{

UnitTimes
MakeUnitTimes(Picoseconds forward,
              Picoseconds attention,
              Picoseconds backwardInput,
              Picoseconds backwardWeight,
              Picoseconds recompute)
{
    return {ToTime(forward),
            ToTime(attention),
            ToTime(backwardInput),
            ToTime(backwardWeight),
            ToTime(recompute)};
}

EvenTimes::EvenTimes(const UnitTimes& layer, Time optimizer)
    : m_layer(layer),
      m_optimizer(optimizer)
{
}

UnitTimes
EvenTimes::GetUnit(const ModelUnit& unit) const
{
    return unit.kind == ModelUnit::Kind::LAYER ? m_layer : UnitTimes();
}

Time
EvenTimes::GetOptimizer(uint64_t) const
{
    return m_optimizer;
}

ModelShape
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

ModelShape
MakeSmallExperts()
{
    ModelShape shape = MakeSmallShape();
    shape.experts = 16;
    shape.activeExperts = 3;
    shape.expertFeedForward = 192;
    shape.denseLayers = 1;
    return shape;
}

TrainingTask
MakeSmallTask(const ModelShape& shape)
{
    TrainingTask task;
    task.shape = shape;
    task.plan.scaleUp = 1;
    task.recipe.microBatches = 1;
    task.recipe.microBatchSize = 2;
    task.recipe.sequence = 1024;
    task.recipe.recompute = Recomputation::NONE;
    task.times = std::make_shared<EvenTimes>(MakeUnitTimes(12, 4, 14, 10, 0), ToTime(5));
    task.iterations = 1;
    return task;
}

std::vector<TrainingCall>
ListCalls(const TrainingJob& job, uint32_t rank, uint32_t iteration)
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

void
CallSum::Add(uint64_t calls, uint64_t each)
{
    count += calls;
    bytes += calls * each;
}

} // namespace ns3
