/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace-test-tools.h"

#include "ns3/simai-workload-reader.h"
#include "ns3/trace-reader.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

const std::string CORPUS = PHOTONIC_RAILS_SOURCE_DIR "/test/corpus/simai/";

/** Reads a workload. */
TraceResult
Read(const std::string& text, TraceConsumer& consumer, uint32_t passes = 1)
{
    std::istringstream in(text);
    return ReadSimAiWorkload(in, "given", passes, consumer);
}

/** Reads a file of the corpus. */
std::vector<TraceNode>
ReadFile(const std::string& name, TraceRecorder& recorder, uint32_t passes = 1, uint32_t ranks = 0)
{
    std::ifstream in(CORPUS + name);
    const TraceResult error = ReadSimAiWorkload(in, name, passes, recorder, ranks);
    EXPECT_FALSE(error) << error->ToString();
    return recorder.nodes[0];
}

/** A node as text, for comparisons. */
std::vector<std::string>
Describe(const std::vector<TraceNode>& nodes)
{
    std::vector<std::string> words;
    for (const TraceNode& node : nodes)
    {
        std::string text = node.name + " ";
        text += node.kind == TraceNode::Kind::COMPUTE
                    ? std::to_string(node.duration / 1000) + " ns"
                    : std::string(ToString(node.collective)) + " " + node.group + " " +
                          std::to_string(node.bytes);
        for (const uint64_t id : node.after)
        {
            text += " <" + std::to_string(id);
        }
        words.push_back(text);
    }
    return words;
}

} // namespace

TEST(SimAiWorkload, ForwardThenBackwardFromTheLastLayer)
{
    TraceRecorder recorder;
    const std::vector<TraceNode> nodes = ReadFile("dense.txt", recorder);
    // SimAI's loop: forward 0 1 2, then of 2 1 0 the gradient of inputs and that of weights; only
    // the next forward pass waits for the communication of the latter
    EXPECT_EQ(Describe(nodes),
              (std::vector<std::string>{
                  "embedding_layer forward 556000 ns",
                  "embedding_layer forward all-reduce tp 16777216 <0",
                  "embedding_layer forward update 1 ns <1",
                  "attention_layer forward 875420 ns <2",
                  "attention_layer forward all-gather tp 50331648 <3",
                  "attention_layer forward update 100 ns <4",
                  "optimizer weight gradient reduce-scatter dp 8192 <5",
                  "attention_layer input gradient 875421 ns <5",
                  "attention_layer input gradient reduce-scatter tp 50331648 <7",
                  "attention_layer input gradient update 100 ns <8",
                  "attention_layer weight gradient 875422 ns <9",
                  "attention_layer weight gradient all-reduce dp 4096 <10",
                  "attention_layer weight gradient update 100 ns <11",
                  "embedding_layer input gradient 1 ns <10",
                  "embedding_layer weight gradient 1 ns <13",
              }));
    EXPECT_EQ(nodes[2].stream, 1U) << "the GPU computes meanwhile";
}

TEST(SimAiWorkload, TheNextForwardPassWaitsForWeights)
{
    TraceRecorder recorder;
    const std::vector<std::string> lines = Describe(ReadFile("dense.txt", recorder, 2));
    ASSERT_EQ(lines.size(), 31U) << "15 of the first pass, and a join before the last layer";
    EXPECT_EQ(lines[15], "embedding_layer forward 556000 ns <14");
    EXPECT_EQ(lines[18], "attention_layer forward 875420 ns <17 <12");
    EXPECT_EQ(lines[21], "optimizer forward 0 ns <20 <6");
}

TEST(SimAiWorkload, CheckpointsRepeatTheForwardPass)
{
    TraceRecorder recorder;
    EXPECT_EQ(Describe(ReadFile("checkpoints.txt", recorder)),
              (std::vector<std::string>{"a forward 1 ns",
                                        "b forward 2 ns <0",
                                        "c forward 3 ns <1",
                                        "a forward 1 ns <2",
                                        "b forward 2 ns <3",
                                        "c input gradient 30 ns <4",
                                        "c weight gradient 300 ns <5",
                                        "c weight gradient all-reduce dp 64 <6",
                                        "c weight gradient update 5 ns <7",
                                        "b input gradient 20 ns <6",
                                        "b weight gradient 200 ns <9",
                                        "a input gradient 10 ns <10",
                                        "a weight gradient 100 ns <11"}));
}

TEST(SimAiWorkload, GroupsOfAllParallelisms)
{
    TraceRecorder recorder;
    ReadFile("experts.txt", recorder, 1, 16); // tp 2, dp 4 with ep 2, pp 2
    EXPECT_EQ(recorder.count, 16U);
    std::map<std::string, std::set<std::vector<uint32_t>>> groups;
    for (const auto& [name, ranks] : recorder.groups)
    {
        EXPECT_TRUE(groups[name].insert(ranks).second);
    }
    using Groups = std::set<std::vector<uint32_t>>;
    EXPECT_EQ(groups["tp"],
              (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}}));
    EXPECT_EQ(groups["dp"], (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
    EXPECT_EQ(groups["ep"],
              (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}}));
    EXPECT_EQ(groups["dp_ep"],
              (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 12}, {9, 13}, {10, 14}, {11, 15}}));
    EXPECT_EQ(recorder.nodes.size(), 1U) << "all ranks do what rank 0 does";
}

TEST(SimAiWorkload, SuffixesChooseTheGroup)
{
    TraceRecorder recorder;
    const std::vector<TraceNode> nodes = ReadFile("experts.txt", recorder);
    std::vector<std::string> groups;
    for (const TraceNode& node : nodes)
    {
        if (node.kind == TraceNode::Kind::COLLECTIVE)
        {
            groups.push_back(node.group);
        }
    }
    EXPECT_EQ(groups, (std::vector<std::string>{"ep", "tp", "dp_ep", "ep"}));
}

TEST(SimAiWorkload, MakesAJob)
{
    TraceRequest request{CORPUS + "experts.txt", 16};
    request.passes = 3;
    JobPrograms job;
    const TraceResult error = ReadTraceJob(request, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.ranks.size(), 16U);
    EXPECT_EQ(job.groups.size(), 24U) << "8 of tp, 8 of ep, 8 of dp_ep; none of dp is called";
    EXPECT_EQ(job.ranks[15].program, job.ranks[0].program);
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(SimAiWorkload, AListOfCollectivesIsDoneOneAfterAnother)
{
    TraceRecorder recorder;
    std::istringstream in("MICRO\n"
                          "2\n"
                          "micro_test\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLGATHER\t4096\t1\n"
                          "micro_test \t -1 0 ALLTOALL 64 0 NONE 0 1 BROADCAST\t8192\t1\n");
    const TraceResult error = ReadSimAiWorkload(in, "given", 1, recorder, 6);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.count, 6U);
    EXPECT_EQ(Describe(recorder.nodes[0]),
              (std::vector<std::string>{"micro_test forward 1 ns",
                                        "micro_test input gradient 1 ns <0",
                                        "micro_test weight gradient 1 ns <1",
                                        "micro_test weight gradient all-gather dp 4096 <2",
                                        "micro_test weight gradient update 1 ns <3",
                                        "micro_test forward all-to-all tp 64 <4",
                                        "micro_test forward update 1 ns <5",
                                        "micro_test weight gradient 1 ns <6",
                                        "micro_test weight gradient broadcast dp 8192 <7",
                                        "micro_test weight gradient update 1 ns <8"}));
    EXPECT_EQ(recorder.groups.back().first, "dp_ep");
}

TEST(SimAiWorkload, RanksAreGivenWhereTheFileDoesNotNameThem)
{
    const std::string text = "HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 8 "
                             "checkpoints: 0 checkpoint_initiates: 0\n"
                             "3\n"
                             "norm\t-1\t0\tBROADCAST\t16384\t1\tNONE\t0\t1\tALLREDUCE\t64\t100\n";
    TraceCollection collection;
    std::istringstream in(text);
    const TraceResult error = ReadSimAiWorkload(in, "given", 1, collection, 16);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(collection.GetRanks(), 16U);
    EXPECT_EQ(collection.GetMembers(*collection.FindGroup("tp", 9)).front(), 8U);
    EXPECT_EQ(collection.GetMembers(*collection.FindGroup("dp", 9)), (std::vector<uint32_t>{1, 9}));
    const std::map<std::string, uint64_t> skipped{
        {"layers that line 2 counts are not in the file", 2}};
    EXPECT_EQ(collection.GetSkipped(), skipped);
    TraceCollection strict;
    strict.SetStrict(true);
    std::istringstream again(text);
    EXPECT_TRUE(ReadSimAiWorkload(again, "given", 1, strict, 16));
}

TEST(SimAiWorkload, SomeStagesOfThePipelineStandForAll)
{
    JobPrograms all;
    JobPrograms one;
    ASSERT_FALSE(ReadTraceJob({CORPUS + "experts.txt", 16}, all)); // pp 2
    ASSERT_FALSE(ReadTraceJob({CORPUS + "experts.txt", 8}, one));
    ASSERT_EQ(one.ranks.size(), 8U);
    EXPECT_EQ(one.groups.size() * 2, all.groups.size());
    for (std::size_t group = 0; group < one.groups.size(); ++group)
    {
        const auto same = [&](const JobPrograms::Group& other) {
            return other.ranks == one.groups[group].ranks;
        };
        EXPECT_TRUE(std::any_of(all.groups.begin(), all.groups.end(), same));
    }
    const TraceResult error = ReadTraceJob({CORPUS + "experts.txt", 6}, one);
    ASSERT_TRUE(error);
    EXPECT_NE(error->ToString().find("a multiple of 8"), std::string::npos) << error->ToString();
}

TEST(SimAiWorkload, WithoutRanksOneStageIsReplayed)
{
    const std::string file = CORPUS + "experts.txt";
    TraceCollection collection;
    ASSERT_FALSE(ReadTrace({file}, collection));
    EXPECT_EQ(collection.GetRanks(), 8U);
    ASSERT_EQ(collection.GetSkipped().size(), 1U);
    EXPECT_NE(collection.GetSkipped().begin()->first.find("other stages"), std::string::npos);
    EXPECT_EQ(collection.GetSkipped().begin()->second, 8U);
    TraceCollection all;
    TraceRequest strict{file, 16};
    strict.strict = true;
    EXPECT_FALSE(ReadTrace(strict, all)) << "nothing is left out";
    strict.ranks = 0;
    EXPECT_TRUE(ReadTrace(strict, all)) << "half of the ranks would be";
}

TEST(SimAiWorkload, SomeRanksOfAStageStandForAll)
{
    // tp 2 and ep 2 of a stage of 8 ranks: 4 ranks have the same work in groups dp of 2
    const std::string file = CORPUS + "experts.txt";
    TraceCollection collection;
    ASSERT_FALSE(ReadTrace({file, 4}, collection));
    EXPECT_EQ(collection.GetRanks(), 4U);
    EXPECT_EQ(collection.GetMembers(*collection.FindGroup("dp", 1)), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(collection.GetMembers(*collection.FindGroup("ep", 1)), (std::vector<uint32_t>{1, 3}));
    EXPECT_EQ(collection.GetMembers(*collection.FindGroup("dp_ep", 1)), (std::vector<uint32_t>{1}));
    const std::map<std::string, uint64_t> skipped{
        {"ranks of a stage beyond --ranks, in groups dp and dp_ep", 4}};
    EXPECT_EQ(collection.GetSkipped(), skipped);
    TraceRequest strict{file, 4};
    strict.strict = true;
    EXPECT_TRUE(ReadTrace(strict, collection));
    EXPECT_TRUE(ReadTrace({file, 2}, collection)) << "less than tp ep";
}

TEST(SimAiWorkload, KeysAndWordsOfAicb)
{
    TraceRecorder recorder;
    std::istringstream in("HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 2 "
                          "                        expert_parallel_npu_group: 2 pp: 2 mode: 1 "
                          "ga: 1 all_gpus: 16 pp_comm: 25165824.0\n"
                          "1\n"
                          "a\t-1\t1\tNone\t0\t1\tNONE\t0\t1\tALLTOALL_EP\t64\t1\n");
    const TraceResult error = ReadSimAiWorkload(in, "given", 1, recorder, 16);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.count, 16U);
    EXPECT_EQ(recorder.nodes[0][3].group, "ep");
    const auto isEp = [](const auto& group) { return group.first == "ep"; };
    EXPECT_EQ(std::find_if(recorder.groups.begin(), recorder.groups.end(), isEp)->second,
              (std::vector<uint32_t>{0, 2}));
}

TEST(SimAiWorkload, MistakesAreNamedWithTheirLine)
{
    const std::string policy = "HYBRID_TRANSFORMER_FWD_IN_BCKWD ";
    const std::string head = policy + "model_parallel_NPU_group: 2 all_gpus: 4 ";
    const std::string layer = "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    const std::vector<std::tuple<std::string, uint64_t, std::string>> texts{
        {"", 1, "more lines"},
        {"MACRO\n1\n" + layer, 1, "HYBRID_TRANSFORMER"},
        {"MICRO\n1\n" + layer, 1, "the number of ranks from you"},
        {policy + "all_gpus: 4\n1\n" + layer, 1, "model_parallel_NPU_group: a divisor of 4"},
        {policy + "model_parallel_NPU_group: 3 all_gpus: 4\n", 1, "found 3"},
        {policy + "model_parallel_NPU_group: 1\n", 1, "expected all_gpus:"},
        {policy + "model_parallel_NPU_group: 1 all_gpus: 99999999\n", 1, "found 99999999"},
        {head + "ep: 4\n", 1, "ep: a divisor of 2"},
        {head + "pp: 0\n", 1, "pp: a divisor of 2"},
        {head + "pp_comm: 25165824.05\n", 1, "expected pp_comm, a whole number"},
        {head + "speed: 4\n", 1, "a key such as"},
        {head + "ep 1\n", 1, "a key such as"},
        {head + "ep:\n", 1, "the value of ep, found the end of the line"},
        {head + "checkpoints: 2 0\n", 1, "a layer, found the end of the line"},
        {head, 1, "more lines"},
        {head + "\nx\n", 2, "layers, a whole number"},
        {head + "\n1\n" + layer + layer, 4, "the end of the file after 1 layers"},
        {head + "\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0\n", 3, "more lines"},
        {head + "\n1\na -1 1.5 NONE 0 1 NONE 0 1 NONE 0 1\n", 3, "nanoseconds"},
        {head + "\n1\na -1 1 GATHER 0 1 NONE 0 1 NONE 0 1\n", 3, "ALLREDUCE"},
        {head + "\n1\na -1 1 ALLREDUCE_TP 0 1 NONE 0 1 NONE 0 1\n", 3, "ALLREDUCE_TP"},
        {head + "\n1\na -1 1 NONE -1 1 NONE 0 1 NONE 0 1\n", 3, "in bytes"},
        {head + "checkpoint_initiates: 1 0\n1\n" + layer, 3, "checkpoint_initiates"},
    };
    for (const auto& [text, line, words] : texts)
    {
        TraceCollection collection;
        const TraceResult error = Read(text, collection);
        ASSERT_TRUE(error) << text;
        // behind the last line stands the number of the last one
        EXPECT_EQ(error->line, line) << text << error->ToString();
        EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
    }
}
