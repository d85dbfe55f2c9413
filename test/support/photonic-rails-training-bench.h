/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINING_BENCH_H
#define PHOTONIC_RAILS_TRAINING_BENCH_H

#include "ns3/compute-times.h"
#include "ns3/model-shape.h"
#include "ns3/nstime.h"
#include "ns3/operation-record.h"
#include "ns3/parallelism-plan.h"
#include "ns3/picoseconds.h"
#include "ns3/shim-statistics.h"
#include "ns3/training-recipe.h"
#include "ns3/training-run.h"

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

/**
 * @file
 * Training jobs for tests: their setup, and all of their reports.
 */

namespace ns3
{

class RdmaQueuePair;
class TrainingJobHelper;
struct RdmaMessage;

/** Times in which each unit has the time of its kind. */
class KindTimes : public ComputeTimes
{
  public:
    UnitTimes embedding;
    UnitTimes layer;
    UnitTimes head;
    Time optimizer{0};

    UnitTimes GetUnit(const ModelUnit& unit) const override;

    Time GetOptimizer(uint64_t) const override
    {
        return optimizer;
    }
};

/** @return a model of four layers of about a million parameters, of which every frame can have an
 * event */
ModelShape MakeTinyShape();

/** The model, the plan and the network. */
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
    std::function<Ptr<TrainingRun>(const TrainingJobHelper&)> install{}; //!< instead of Install()
    std::function<void(TrainingRun&)> installed{}; //!< gets the run before it begins

    /** @return Tiny on four servers of two GPUs: tp 2 inside, dp 2 and pp 2 over rails */
    static TrainingCase Small();

    /** @return Tiny of two layers with experts, one GPU a server: all four on one rail share them
     */
    static TrainingCase Experts();

    /** @return Llama3-8B on 4 servers of 4 A100, as in the papers: tp 4 inside, dp 2, pp 2 */
    static TrainingCase Llama();
};

/** A message between two GPUs, at the end that reported it. */
struct SeenMessage
{
    Picoseconds when{0};
    uint32_t node{0};
    uint32_t pair{0}; //!< the number of the queue pair
    uint64_t id{0};
    uint64_t bytes{0};
    bool arrived{false}; //!< else settled

    /** @return all of it, for comparisons */
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

/** A training job that has been run, and all of its reports. */
class TrainingBench
{
  public:
    explicit TrainingBench(const TrainingCase& one);

    ~TrainingBench();

    TrainingBench(const TrainingBench&) = delete;
    TrainingBench& operator=(const TrainingBench&) = delete;

    /** @return how long a steady iteration takes, the mean */
    Picoseconds GetSteady() const
    {
        return run->GetSteady().end.GetTimeStep();
    }

    /**
     * @return the records of the operations of a rank in an iteration
     * @param rank its number
     * @param iteration from 1
     */
    std::vector<OperationRecord> ListRecords(uint32_t rank, uint32_t iteration) const;

    /** @return whether an operation goes over rails @param record of it */
    bool IsOnRails(const OperationRecord& record) const;

    Ptr<TrainingRun> run;
    std::vector<OperationRecord> records; //!< by rank and number
    std::vector<SeenMessage> messages;    //!< sorted
    std::vector<ShimNote> answers;        //!< as they came

  private:
    void Listen(bool toMessages);

    void Ended(const OperationRecord& record);

    void Settled(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message);

    void Arrived(uint32_t node, const RdmaQueuePair& pair, const RdmaMessage& message);

    void Answered(const ShimNote& note);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINING_BENCH_H */
