/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/training-job-bench.h"

#include <gtest/gtest.h>
#include <tuple>

using namespace ns3;

namespace
{

/** Calls of a layer, in one direction: what, forward or backward, how many, of how many bytes. */
using LayerRow = std::tuple<std::string, bool, uint64_t, uint64_t>;

/** @return the calls of a role in a layer for one micro-batch, all micro-batches alike
 *  @param task @param role @param layer its number */
std::vector<LayerRow>
ListLayer(TrainingTask task, GroupRole role, uint32_t layer)
{
    task.recipe.microBatches = 3;
    const TrainingJob job(task);
    std::map<std::tuple<bool, std::string, uint64_t>, uint64_t> counts;
    for (const TrainingCall& call : ListCalls(job, 0))
    {
        if (call.role == role &&
            call.label.find("layer " + std::to_string(layer)) != std::string::npos)
        {
            ++counts[{!call.IsForward(), call.what, call.bytes}];
        }
    }
    std::vector<LayerRow> rows;
    for (const auto& [call, count] : counts)
    {
        EXPECT_EQ(count % 3, 0U);
        rows.emplace_back(std::get<1>(call), !std::get<0>(call), count / 3, std::get<2>(call));
    }
    return rows;
}

/** @return calls of a role that are of no layer: what, direction, count, bytes */
std::vector<LayerRow>
ListEnds(const TrainingTask& task, const std::string& unit)
{
    const TrainingJob job(task);
    std::map<std::tuple<bool, std::string, uint64_t>, uint64_t> counts;
    for (const TrainingCall& call : ListCalls(job, 0))
    {
        if (call.role == GroupRole::TENSOR && call.label.find(unit) != std::string::npos)
        {
            ++counts[{!call.IsForward(), call.what, call.bytes}];
        }
    }
    std::vector<LayerRow> rows;
    for (const auto& [call, count] : counts)
    {
        rows.emplace_back(std::get<1>(call), !std::get<0>(call), count, std::get<2>(call));
    }
    return rows;
}

/** @return the calls for parameters, in order: "gather layer 3" */
std::vector<std::string>
ListLabels(const TrainingJob& job, GroupRole role, const std::string& what)
{
    std::vector<std::string> labels;
    for (const TrainingCall& call : ListCalls(job, 0))
    {
        if (call.role == role && call.what == what)
        {
            labels.push_back(call.label);
        }
    }
    return labels;
}

/** @return the bytes of calls of a kind, in order */
std::vector<uint64_t>
ListBytes(const TrainingJob& job, GroupRole role, const std::string& what)
{
    std::vector<uint64_t> bytes;
    for (const TrainingCall& call : ListCalls(job, 0))
    {
        if (call.role == role && call.what == what)
        {
            bytes.push_back(call.bytes);
        }
    }
    return bytes;
}

// The small model, on one rank of `tp`: parameters of a unit, by hand.
constexpr uint64_t HIDDEN = 512;
constexpr uint64_t LAYER_MATRICES = 2 * HIDDEN * 512 + 2 * HIDDEN * 256 + 3 * HIDDEN * 1280;
constexpr uint64_t VOCABULARY = 3000 * HIDDEN;

uint64_t
CountParametersOf(const std::string& unit, uint64_t tp = 1)
{
    return unit == "embedding" ? VOCABULARY / tp
           : unit == "head"    ? VOCABULARY / tp + HIDDEN
                               : LAYER_MATRICES / tp + 2 * HIDDEN;
}

const std::vector<std::string> UNITS{"embedding",
                                     "layer 0",
                                     "layer 1",
                                     "layer 2",
                                     "layer 3",
                                     "head"};

/** @return the bytes of units, from the last to the first */
std::vector<uint64_t>
ListBackwards(uint64_t bytesEach, uint64_t tp = 1)
{
    std::vector<uint64_t> bytes;
    for (auto unit = UNITS.rbegin(); unit != UNITS.rend(); ++unit)
    {
        bytes.push_back(CountParametersOf(*unit, tp) * bytesEach);
    }
    return bytes;
}

constexpr uint64_t TOKENS = 2 * 1024; // of a micro-batch
constexpr uint64_t SMALL = 4;         // bytes of the AllReduces that end an iteration

} // namespace

// Tensor parallelism. Shoeybi et al., Megatron-LM, 2019, section 3: in each layer two AllReduces
// forward and two backward.
TEST(TrainingJob, TensorParallelRanksSumPartialResults)
{
    TrainingTask task = MakeSmallTask();
    task.plan.tp = 4;
    task.plan.sequenceParallel = false;
    const uint64_t bytes = TOKENS * HIDDEN * 2;
    std::vector<LayerRow> rows{{"all-reduce", true, 2, bytes}, {"all-reduce", false, 2, bytes}};
    for (const Recomputation kept : {Recomputation::NONE, Recomputation::SELECTIVE})
    {
        task.recipe.recompute = kept;
        EXPECT_EQ(ListLayer(task, GroupRole::TENSOR, 2), rows);
    }
    task.recipe.recompute = Recomputation::FULL; // and the forward pass's once more
    rows = {{"all-reduce", true, 2, bytes}, {"all-reduce", false, 4, bytes}};
    EXPECT_EQ(ListLayer(task, GroupRole::TENSOR, 2), rows);
    // the embedding's rows are split: sums of what each has; the head's columns are, so that the
    // gradient of its input is a sum
    EXPECT_EQ(ListEnds(task, "embedding"), (std::vector<LayerRow>{{"all-reduce", true, 1, bytes}}));
    const uint64_t logits = TOKENS * 4; // maximum, sum and target of each token, in fp32
    EXPECT_EQ(
        ListEnds(task, "head"),
        (std::vector<LayerRow>{{"all-reduce", true, 3, logits}, {"all-reduce", false, 1, bytes}}));
}

// With sequence parallelism. Korthikanti et al., Reducing Activation Recomputation in Large
// Transformer Models, 2022, section 4.2.2: each AllReduce becomes an AllGather and a ReduceScatter,
// and as only a share of the inputs is kept, they are gathered once more for gradients of
// parameters.
TEST(TrainingJob, SequenceParallelRanksGatherAndScatterTokens)
{
    TrainingTask task = MakeSmallTask();
    task.plan.tp = 4;
    const uint64_t bytes = TOKENS * HIDDEN * 2;
    std::vector<LayerRow> rows{{"all-gather", true, 2, bytes},
                               {"reduce-scatter", true, 2, bytes},
                               {"all-gather", false, 2 + 2, bytes},
                               {"reduce-scatter", false, 2, bytes}};
    for (const Recomputation kept : {Recomputation::NONE, Recomputation::SELECTIVE})
    {
        task.recipe.recompute = kept;
        EXPECT_EQ(ListLayer(task, GroupRole::TENSOR, 2), rows);
    }
    task.recipe.recompute = Recomputation::FULL;
    rows[2] = {"all-gather", false, 2 + 2 + 2, bytes};
    rows[3] = {"reduce-scatter", false, 2 + 2, bytes};
    EXPECT_EQ(ListLayer(task, GroupRole::TENSOR, 2), rows);
    EXPECT_EQ(ListEnds(task, "embedding"),
              (std::vector<LayerRow>{{"reduce-scatter", true, 1, bytes},
                                     {"all-gather", false, 1, bytes}}));
    EXPECT_EQ(ListEnds(task, "head"),
              (std::vector<LayerRow>{{"all-gather", true, 1, bytes},
                                     {"all-reduce", true, 3, TOKENS * 4},
                                     {"all-gather", false, 1, bytes},
                                     {"reduce-scatter", false, 1, bytes}}));
}

// Where computing is between them: attention takes 4 of 12 forward, its gradients twice that of 14;
// gradients of parameters take 10.
TEST(TrainingJob, TokensAreGatheredBeforeAndScatteredAfterComputing)
{
    TrainingTask task = MakeSmallTask();
    task.plan.tp = 2;
    const TrainingJob job(task);
    std::vector<std::string> layer;
    for (const RankOperation& operation : job.GetProgram(0)->GetOperations())
    {
        if (operation.label.find("layer 1") != std::string::npos)
        {
            layer.push_back(operation.kind == RankOperation::Kind::COMPUTE
                                ? std::to_string(operation.duration.GetTimeStep())
                                : ToString(operation.collective));
        }
    }
    const std::vector<std::string> forward{"all-gather",
                                           "4",
                                           "reduce-scatter",
                                           "all-gather",
                                           "8",
                                           "reduce-scatter"};
    std::vector<std::string> due = forward;
    due.insert(due.end(), {"all-gather", "6", "reduce-scatter", "all-gather", "8"});
    due.insert(due.end(), {"reduce-scatter", "all-gather", "all-gather", "10"});
    EXPECT_EQ(layer, due);
}

// Context parallelism by AllGather: The Llama 3 Herd of Models, 2024, section 3.3.2. Gradients of
// keys and values go the other way.
TEST(TrainingJob, ContextParallelRanksGatherKeysAndValues)
{
    TrainingTask task = MakeSmallTask();
    task.plan.cp = 4;
    task.plan.tp = 2;
    // keys and values of all tokens: 4 heads of 64 each, over 2 tensor-parallel ranks, 2 bytes
    const uint64_t bytes = TOKENS * 2 * 4 * 64 / 2 * 2;
    std::vector<LayerRow> rows{{"all-gather", true, 1, bytes},
                               {"all-gather", false, 1, bytes},
                               {"reduce-scatter", false, 1, bytes}};
    EXPECT_EQ(ListLayer(task, GroupRole::CONTEXT, 1), rows);
    task.recipe.recompute = Recomputation::FULL;
    rows[1] = {"all-gather", false, 2, bytes};
    EXPECT_EQ(ListLayer(task, GroupRole::CONTEXT, 1), rows);
}

// Around a ring: Liu et al., Ring Attention with Blockwise Transformers, 2023, section 3. Each
// rank's keys and values visit the n - 1 others; their gradients visit these too, and come home.
TEST(TrainingJob, ContextParallelRanksPassKeysAndValuesAround)
{
    TrainingTask task = MakeSmallTask();
    task.plan.cp = 4;
    task.recipe.context = ContextExchange::RING;
    const uint64_t bytes = TOKENS / 4 * 2 * 4 * 64 * 2;
    std::vector<LayerRow> rows{{"receive", true, 3, bytes},
                               {"send", true, 3, bytes},
                               {"receive", false, 3 + 4, bytes},
                               {"send", false, 3 + 4, bytes}};
    EXPECT_EQ(ListLayer(task, GroupRole::CONTEXT, 1), rows);
    task.recipe.recompute = Recomputation::FULL;
    rows[2] = {"receive", false, 3 + 3 + 4, bytes};
    rows[3] = {"send", false, 3 + 3 + 4, bytes};
    EXPECT_EQ(ListLayer(task, GroupRole::CONTEXT, 1), rows);
    EXPECT_EQ(TrainingJob(task).CountPrograms(), 4U); // each sends to another place
}

// Latent attention keeps keyRank numbers of a token and the rotated part, for all heads together
// (DeepSeek-V2, 2024, section 2.1).
TEST(TrainingJob, LatentKeysAndValuesAreNotSplit)
{
    TrainingTask task = MakeSmallTask();
    task.shape.keyRank = 96;
    task.shape.ropeSize = 32;
    task.shape.valueSize = 64;
    task.plan.cp = 2;
    task.plan.tp = 2;
    const uint64_t bytes = TOKENS * (96 + 32) * 2;
    EXPECT_EQ(ListLayer(task, GroupRole::CONTEXT, 1),
              (std::vector<LayerRow>{{"all-gather", true, 1, bytes},
                                     {"all-gather", false, 1, bytes},
                                     {"reduce-scatter", false, 1, bytes}}));
}

// Expert parallelism. Lepikhin et al., GShard, 2020, section 3.2: two AllToAll in each layer with
// experts, dispatch and combine; their gradients are two more.
TEST(TrainingJob, ExpertParallelRanksDispatchAndCombine)
{
    TrainingTask task = MakeSmallTask(MakeSmallExperts());
    task.plan.dp = 4;
    task.plan.ep = 4;
    const uint64_t bytes = TOKENS * HIDDEN * 2 * 3; // each token visits three experts
    std::vector<LayerRow> rows{{"all-to-all", true, 2, bytes}, {"all-to-all", false, 2, bytes}};
    EXPECT_EQ(ListLayer(task, GroupRole::EXPERT, 1), rows);
    EXPECT_TRUE(ListLayer(task, GroupRole::EXPERT, 0).empty()) << "the first layer has no experts";
    task.plan.tp = 2; // each sequence-parallel rank has half of the tokens
    rows = {{"all-to-all", true, 2, bytes / 2}, {"all-to-all", false, 2, bytes / 2}};
    EXPECT_EQ(ListLayer(task, GroupRole::EXPERT, 1), rows);
    task.recipe.recompute = Recomputation::FULL;
    rows[1] = {"all-to-all", false, 4, bytes / 2};
    EXPECT_EQ(ListLayer(task, GroupRole::EXPERT, 1), rows);
}

// Fully sharded data parallelism. Zhao et al., PyTorch FSDP, 2023, section 3: units are gathered
// before their forward pass and before their backward pass, after which gradients are scattered.
TEST(TrainingJob, FullyShardedRanksGatherAndScatterUnits)
{
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 2;
    task.plan.tp = 2;
    const TrainingJob job(task);
    std::vector<std::string> gathers;
    std::vector<std::string> scatters;
    std::vector<uint64_t> bytes;
    for (const std::string& unit : UNITS)
    {
        gathers.push_back("gather " + unit);
        bytes.push_back(CountParametersOf(unit, 2) * 2);
    }
    for (auto unit = UNITS.rbegin(); unit != UNITS.rend(); ++unit)
    {
        gathers.push_back("gather " + *unit);
        scatters.push_back("scatter " + *unit);
        bytes.push_back(CountParametersOf(*unit, 2) * 2);
    }
    EXPECT_EQ(ListLabels(job, GroupRole::DATA, "all-gather"), gathers);
    EXPECT_EQ(ListBytes(job, GroupRole::DATA, "all-gather"), bytes);
    EXPECT_EQ(ListLabels(job, GroupRole::DATA, "reduce-scatter"), scatters);
    EXPECT_EQ(ListBytes(job, GroupRole::DATA, "reduce-scatter"), ListBackwards(4, 2));
}

// Hybrid sharding: section 3.2.2 there. Gradients are scattered among the ranks that share a copy,
// and each share is summed over copies.
TEST(TrainingJob, ReplicasSumTheirShares)
{
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 8;
    task.plan.replicas = 2;
    const TrainingJob job(task);
    EXPECT_EQ(job.GetGroups().GetSize(GroupRole::DATA), 4U);
    EXPECT_EQ(job.GetGroups().GetSize(GroupRole::REPLICA), 2U);
    EXPECT_EQ(ListBytes(job, GroupRole::DATA, "reduce-scatter"), ListBackwards(4));
    EXPECT_EQ(ListBytes(job, GroupRole::REPLICA, "all-reduce"), ListBackwards(1));
}

// Experts are shared by fewer ranks than all else.
TEST(TrainingJob, ExpertsAreGatheredAmongRanksThatHaveThem)
{
    TrainingTask task = MakeSmallTask(MakeSmallExperts());
    task.plan.dp = 8;
    task.plan.ep = 2;
    const TrainingJob job(task);
    EXPECT_EQ(job.GetGroups().GetSize(GroupRole::DATA), 8U);
    EXPECT_EQ(job.GetGroups().GetSize(GroupRole::EXPERT_DATA), 4U);
    const uint64_t experts = 16 / 2 * 3 * HIDDEN * 192; // half of the experts of a layer
    EXPECT_EQ(ListBytes(job, GroupRole::EXPERT_DATA, "all-gather"),
              std::vector<uint64_t>(2 * 3, experts * 2));
    EXPECT_EQ(ListBytes(job, GroupRole::EXPERT_DATA, "reduce-scatter"),
              std::vector<uint64_t>(3, experts * 4));
}

// Plain data parallelism. Li et al., PyTorch Distributed, 2020, section 3.2: gradients are summed
// in buckets, each when the backward pass has filled it.
TEST(TrainingJob, PlainRanksSumGradientsInBuckets)
{
    TrainingTask task = MakeSmallTask();
    task.plan.dp = 4;
    task.plan.sharding = ParameterSharding::NONE;
    task.recipe.microBatches = 3;
    task.recipe.smallReductions = 2;
    const std::vector<uint64_t> ends(1 + 2, SMALL);
    std::vector<uint64_t> bytes = ListBackwards(4);
    const std::vector<uint64_t> units = bytes;
    bytes.insert(bytes.end(), ends.begin(), ends.end());
    for (const bool overlap : {true, false})
    {
        task.recipe.overlap = overlap;
        EXPECT_EQ(ListBytes(TrainingJob(task), GroupRole::DATA, "all-reduce"), bytes);
    }
    // full with the head and a layer, or with two layers; not quite with a layer and the embedding
    task.recipe.bucketBytes = units[0] + units[1];
    bytes = {units[0] + units[1], 2 * units[1], units[1] + units[5]};
    bytes.insert(bytes.end(), ends.begin(), ends.end());
    EXPECT_EQ(ListBytes(TrainingJob(task), GroupRole::DATA, "all-reduce"), bytes);
    task.recipe.reduction = GradientReduction::PER_MODEL;
    bytes = {units[0] + 4 * units[1] + units[5]};
    bytes.insert(bytes.end(), ends.begin(), ends.end());
    EXPECT_EQ(ListBytes(TrainingJob(task), GroupRole::DATA, "all-reduce"), bytes);
}
