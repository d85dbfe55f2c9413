/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "photonic-rails-training-bench.h"

#include "ns3/collective-application.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/opus-shim-app.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-engine.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-job-helper.h"

#include <algorithm>
#include <utility>

namespace ns3
{

UnitTimes
KindTimes::GetUnit(const ModelUnit& unit) const
{
    return unit.kind == ModelUnit::Kind::LAYER  ? layer
           : unit.kind == ModelUnit::Kind::HEAD ? head
                                                : embedding;
}

ModelShape
MakeTinyShape()
{
    ModelShape shape;
    shape.name = "Tiny";
    shape.layers = 4;
    shape.hidden = 256;
    shape.heads = 4;
    shape.keyHeads = 2;
    shape.headSize = 64;
    shape.feedForward = 640;
    shape.vocabulary = 1000;
    return shape;
}

TrainingCase
TrainingCase::Small()
{
    TrainingCase one;
    one.plan.tp = 2;
    one.plan.dp = 2;
    one.plan.pp = 2;
    one.plan.scaleUp = 2;
    one.recipe.microBatches = 4;
    one.recipe.sequence = 512;
    return one;
}

TrainingCase
TrainingCase::Experts()
{
    TrainingCase one;
    one.shape.layers = 2;
    one.shape.experts = 8;
    one.shape.activeExperts = 2;
    one.shape.expertFeedForward = 64;
    one.plan.dp = 4;
    one.plan.ep = 4;
    one.plan.scaleUp = 1;
    one.recipe.microBatches = 2;
    one.recipe.sequence = 512;
    one.iterations = 3;
    return one;
}

TrainingCase
TrainingCase::Llama()
{
    TrainingCase one;
    one.shape = *FindModelShape("Llama3-8B");
    one.plan.tp = 4;
    one.plan.dp = 2;
    one.plan.pp = 2;
    one.plan.scaleUp = 4;
    one.recipe.microBatchSize = 4;
    return one;
}

TrainingBench::TrainingBench(const TrainingCase& one)
{
    UsePicoseconds();
    GlobalValue::Bind("PhotonicRailsFidelity", StringValue(one.fidelity));
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(one.draw);
    TrainingJobHelper helper;
    helper.SetModel(one.shape);
    helper.SetParallelismPlan(one.plan);
    helper.SetRecipe(one.recipe);
    helper.SetGpu("A100", one.efficiency);
    helper.SetPolicy(one.policy);
    helper.SetReconfigurationTime(one.reconfiguration);
    helper.SetIterations(one.iterations);
    if (one.adjust)
    {
        one.adjust(helper);
    }
    run = one.install ? one.install(helper) : helper.Install();
    run->plane.AssignStreams(1);
    Listen(one.messages);
    if (one.installed)
    {
        one.installed(*run);
    }
    Simulator::Run();
    run->Require();
    std::sort(messages.begin(), messages.end());
    const auto before = [](const OperationRecord& a, const OperationRecord& b) {
        return std::make_pair(a.rank.Get(), a.operation) <
               std::make_pair(b.rank.Get(), b.operation);
    };
    std::sort(records.begin(), records.end(), before);
}

TrainingBench::~TrainingBench()
{
    run = nullptr;
    Simulator::Destroy();
    Config::Reset();
}

std::vector<OperationRecord>
TrainingBench::ListRecords(uint32_t rank, uint32_t iteration) const
{
    const auto& operations = run->GetJob().GetProgram(rank)->GetOperations();
    std::vector<OperationRecord> list;
    for (const OperationRecord& record : records)
    {
        const auto begins = [](const RankOperation& operation) {
            return operation.kind == RankOperation::Kind::ITERATION;
        };
        if (record.rank.Get() == rank &&
            std::count_if(operations.begin(), operations.begin() + record.operation, begins) ==
                iteration)
        {
            list.push_back(record);
        }
    }
    return list;
}

bool
TrainingBench::IsOnRails(const OperationRecord& record) const
{
    const JobGroups& groups = run->GetJob().GetGroups();
    return record.call.IsExchange() &&
           !groups.GetGroups()[groups.GetGroupsOf(record.rank.Get())[record.call.group]].inScaleUp;
}

void
TrainingBench::Listen(bool toMessages)
{
    for (uint32_t a = 0; a < run->applications.GetN(); ++a)
    {
        const Ptr<Application> application = run->applications.Get(a);
        DynamicCast<CollectiveApplication>(application)->AssignComputeStream(100 + a);
        application->TraceConnectWithoutContext("OperationOver",
                                                MakeCallback(&TrainingBench::Ended, this));
        if (!toMessages)
        {
            continue;
        }
        const Ptr<RdmaEngine> engine = application->GetNode()->GetObject<RdmaEngine>();
        engine->TraceConnectWithoutContext("MessageSettled",
                                           MakeCallback(&TrainingBench::Settled, this).Bind(a));
        engine->TraceConnectWithoutContext("MessageArrived",
                                           MakeCallback(&TrainingBench::Arrived, this).Bind(a));
    }
    for (const Ptr<OpusShimApp>& shim : run->plane.shims)
    {
        shim->TraceConnectWithoutContext("Answered", MakeCallback(&TrainingBench::Answered, this));
    }
}

void
TrainingBench::Ended(const OperationRecord& record)
{
    records.push_back(record);
}

void
TrainingBench::Settled(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message)
{
    messages.push_back(
        {NowPicoseconds(), node, pair.GetNumber(), message.id, message.bytes, false});
}

void
TrainingBench::Arrived(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message)
{
    messages.push_back({NowPicoseconds(), node, pair.GetNumber(), message.id, message.bytes, true});
}

void
TrainingBench::Answered(const ShimNote& note)
{
    answers.push_back(note);
}

} // namespace ns3
