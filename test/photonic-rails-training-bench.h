/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_BENCH_H
#define PHOTONIC_RAILS_TRAINING_BENCH_H

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
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * Training jobs for tests: what is set up, and all that is heard of them.
 */

namespace ns3
{

/** Times in which each unit takes what its kind takes. */
class KindTimes : public ComputeTimes
{
  public:
    UnitTimes embedding;
    UnitTimes layer;
    UnitTimes head;
    Picoseconds optimizer{0};

    UnitTimes GetUnit(const ModelUnit& unit) const override
    {
        return unit.kind == ModelUnit::Kind::LAYER  ? layer
               : unit.kind == ModelUnit::Kind::HEAD ? head
                                                    : embedding;
    }

    Picoseconds GetOptimizer(uint64_t) const override
    {
        return optimizer;
    }
};

/** @return a model of four layers of about a million parameters, of which every frame can have an
 * event */
inline ModelShape
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

/** What is trained, and on what. */
struct TrainingCase
{
    ModelShape shape{MakeTinyShape()};
    ParallelismPlan plan;
    TrainingRecipe recipe;
    std::string policy{"on-demand"};
    std::string fidelity{"PacketTrains"};
    Time reconfiguration{MicroSeconds(100)}; //!< of circuits
    uint32_t iterations{2};
    double efficiency{0.28};
    uint64_t draw{1};                                 //!< of random numbers: the run number
    bool messages{false};                             //!< whether messages are remembered
    std::function<void(TrainingJobHelper&)> adjust{}; //!< anything else
    std::function<void(TrainingRun&)> installed{};    //!< is told of the run before it begins

    /** @return Tiny on four servers of two GPUs: tp 2 inside, dp 2 and pp 2 over rails */
    static TrainingCase Small()
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

    /** @return Llama3-8B on 4 servers of 4 A100, as in the papers: tp 4 inside, dp 2, pp 2 */
    static TrainingCase Llama()
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
};

/** A message between two GPUs, at the end that heard of it. */
struct SeenMessage
{
    Picoseconds when{0};
    uint32_t node{0};
    uint32_t pair{0}; //!< the number of the queue pair
    uint64_t id{0};
    uint64_t bytes{0};
    bool arrived{false}; //!< else settled

    /** @return all of it, for comparing */
    auto All() const
    {
        return std::make_tuple(when, node, pair, id, bytes, arrived);
    }

    bool operator<(const SeenMessage& other) const
    {
        return All() < other.All();
    }

    bool operator==(const SeenMessage& other) const
    {
        return All() == other.All();
    }
};

/** A training job that has been run, and all that was heard. */
class TrainingBench
{
  public:
    explicit TrainingBench(const TrainingCase& one)
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
        run = helper.Install();
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

    ~TrainingBench()
    {
        run = nullptr;
        Simulator::Destroy();
        Config::Reset();
    }

    TrainingBench(const TrainingBench&) = delete;
    TrainingBench& operator=(const TrainingBench&) = delete;

    /** @return how long a steady iteration takes, the mean */
    Picoseconds GetSteady() const
    {
        return run->GetSteady().end;
    }

    /** @return what a rank's operations of an iteration are over @param rank @param iteration
     * from 1 */
    std::vector<OperationRecord> ListRecords(uint32_t rank, uint32_t iteration) const
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

    /** @return whether an operation goes over rails @param record of it */
    bool IsOnRails(const OperationRecord& record) const
    {
        const JobGroups& groups = run->GetJob().GetGroups();
        return record.call.IsExchange() &&
               !groups.GetGroups()[groups.GetGroupsOf(record.rank.Get())[record.call.group]]
                    .inScaleUp;
    }

    Ptr<TrainingRun> run;
    std::vector<OperationRecord> records; //!< by rank and number
    std::vector<SeenMessage> messages;    //!< sorted
    std::vector<ShimNote> answers;        //!< as they came

  private:
    void Listen(bool toMessages)
    {
        for (uint32_t a = 0; a < run->applications.GetN(); ++a)
        {
            const Ptr<Application> application = run->applications.Get(a);
            DynamicCast<CollectiveApplication>(application)->AssignComputeStream(100 + a);
            application->TraceConnectWithoutContext("OperationEnded",
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
            shim->TraceConnectWithoutContext("Answered",
                                             MakeCallback(&TrainingBench::Answered, this));
        }
    }

    void Ended(const OperationRecord& record)
    {
        records.push_back(record);
    }

    void Settled(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message)
    {
        messages.push_back(
            {NowPicoseconds(), node, pair.GetNumber(), message.id, message.bytes, false});
    }

    void Arrived(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message)
    {
        messages.push_back(
            {NowPicoseconds(), node, pair.GetNumber(), message.id, message.bytes, true});
    }

    void Answered(const ShimNote& note)
    {
        answers.push_back(note);
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_BENCH_H */
