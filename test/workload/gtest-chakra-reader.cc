/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"
#include "trace-test-tools.h"

#include "ns3/chakra-trace-reader.h"
#include "ns3/optional-headers.h"
#include "ns3/trace-reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

const std::string CORPUS = PHOTONIC_RAILS_SOURCE_DIR "/test/corpus/";

/** Reads the bytes of a file. */
TraceResult
Read(const std::string& bytes, TraceConsumer& consumer, uint32_t rank = 0)
{
    std::istringstream in(bytes);
    return ReadChakraTrace(in, "given", rank, consumer);
}

} // namespace

#ifndef PHOTONIC_RAILS_HAS_PROTOZERO

TEST(ChakraTrace, WithoutItsLibraryItNamesThePackageToInstall)
{
    TraceRecorder recorder;
    const TraceResult error = Read("", recorder);
    ASSERT_TRUE(error);
    EXPECT_NE(error->ToString().find("libprotozero-dev"), std::string::npos);
}

#else

namespace
{

/** The first message of a file. */
const std::string METADATA = ProtoBytes().Text(1, "0.0.4").Delimited();

/** @return a node of a type @param type NodeType of et_def.proto */
ProtoBytes
MakeNode(uint64_t id, uint64_t type)
{
    return ProtoBytes().Number(1, id).Text(2, "node " + std::to_string(id)).Number(3, type);
}

/** @return a whole file of one node */
std::string
MakeFile(const ProtoBytes& node)
{
    return METADATA + node.Delimited();
}

/** Fails unless a file is refused with an offset and words. */
void
ExpectRefused(const std::string& bytes, uint64_t offset, const std::string& words)
{
    TraceRecorder recorder;
    const TraceResult error = Read(bytes, recorder);
    ASSERT_TRUE(error) << words;
    EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
    ASSERT_TRUE(error->offset);
    EXPECT_EQ(*error->offset, offset) << error->ToString();
}

/** @return where traces of ASTRA-sim are, or nothing */
std::string
FindRealTraces()
{
    const char* const variable = std::getenv("PHOTONIC_RAILS_CHAKRA_TRACES");
    const std::string folder =
        variable != nullptr ? variable : PHOTONIC_RAILS_SOURCE_DIR "/../shared/data/chakra";
    return std::filesystem::is_directory(folder) ? folder + "/" : "";
}

} // namespace

TEST(ChakraTrace, NodesOfEveryType)
{
    TraceRecorder recorder;
    const std::string bytes =
        METADATA + MakeNode(0, 1).Number(7, 9).Delimited() + // metadata takes no time
        MakeNode(1, 4).Number(5, 0).Number(7, 12).Attribute("is_cpu_op", 1, 27).Delimited() +
        MakeNode(2, 2).Number(4, 1).Number(7, 3).Delimited() +
        MakeNode(3, 3).Number(7, 4).Attribute("is_cpu_op", 0, 27).Delimited() +
        MakeNode(4, 5).Attribute("comm_size", 77).Attribute("comm_dst", 3, 7).Delimited() +
        MakeNode(5, 6)
            .Attribute("comm_size", 78)
            .Attribute("comm_src", 2, 7)
            .Attribute("comm_dst", 0, 7)
            .Attribute("comm_tag", 9, 7)
            .Delimited() +
        MakeNode(6, 7)
            .Attribute("comm_type", 6)
            .Attribute("comm_size", 79)
            .Text(10, ProtoBytes().Text(1, "pg_name").Text(29, "12").bytes)
            .Delimited();
    const TraceResult error = Read(bytes, recorder);
    ASSERT_FALSE(error) << error->ToString();
    const std::vector<TraceNode>& nodes = recorder.nodes[0];
    ASSERT_EQ(nodes.size(), 7U);
    EXPECT_EQ(nodes[0].duration, 0);
    EXPECT_EQ(nodes[0].place, METADATA.size() + 1);
    EXPECT_EQ(nodes[1].duration, 12'000'000) << "microseconds";
    EXPECT_EQ(nodes[1].stream, 1U);
    EXPECT_EQ(nodes[1].after, std::vector<uint64_t>{0});
    EXPECT_EQ(nodes[1].name, "node 1");
    EXPECT_EQ(nodes[2].kind, TraceNode::Kind::COMPUTE);
    EXPECT_EQ(nodes[2].control, std::vector<uint64_t>{1});
    EXPECT_EQ(nodes[3].duration, 4'000'000);
    EXPECT_EQ(nodes[3].stream, 0U);
    EXPECT_EQ(nodes[4].kind, TraceNode::Kind::SEND);
    EXPECT_EQ(nodes[4].peer, 3U);
    EXPECT_EQ(nodes[4].bytes, 77U);
    EXPECT_EQ(nodes[5].kind, TraceNode::Kind::RECEIVE);
    EXPECT_EQ(nodes[5].peer, 2U);
    EXPECT_EQ(nodes[5].tag, 9U);
    EXPECT_EQ(nodes[6].collective, CollectiveKind::ALL_TO_ALL);
    EXPECT_EQ(nodes[6].bytes, 79U);
    EXPECT_EQ(nodes[6].group, "12");
}

TEST(ChakraTrace, NumbersOfEveryIntegerType)
{
    const uint64_t size = 123'456;
    for (const uint32_t field : {7U, 9U, 11U, 13U, 15U, 17U, 19U, 21U, 23U, 25U})
    {
        ProtoBytes attribute;
        attribute.Text(1, "comm_size").Text(2, "in bytes");
        if (field <= 13)
        {
            attribute.Number(field, size);
        }
        else if (field <= 17)
        {
            attribute.Number(field, size << 1); // zigzag
        }
        else
        {
            attribute.Fixed(field, size, field == 19 || field == 23 ? 4 : 8);
        }
        TraceRecorder recorder;
        const TraceResult error =
            Read(MakeFile(MakeNode(1, 7).Attribute("comm_type", 0).Text(10, attribute.bytes)),
                 recorder);
        ASSERT_FALSE(error) << field << error->ToString();
        EXPECT_EQ(recorder.nodes[0][0].bytes, size) << "field " << field;
    }
}

TEST(ChakraTrace, OtherValuesAreNoNumbers)
{
    const auto read = [](const ProtoBytes& value, const std::string& words) {
        const ProtoBytes node =
            MakeNode(1, 7)
                .Attribute("comm_type", 0)
                .Text(10, ProtoBytes().Text(1, "comm_size").bytes + value.bytes);
        ExpectRefused(MakeFile(node), METADATA.size() + 1 + node.bytes.size(), words);
    };
    read(ProtoBytes().Fixed(3, 0, 8), "floating point");
    read(ProtoBytes().Fixed(5, 0, 4), "floating point");
    read(ProtoBytes().Text(10, ProtoBytes().Text(1, "\x05").bytes), "a list");
    read(ProtoBytes().Text(29, "5k"), "found \"5k\"");
    read(ProtoBytes().Text(29, "12345678901234567890"), "found \"123"); // of 20 digits
    read(ProtoBytes().Number(9, uint64_t(-5)), "found -5");
    read(ProtoBytes().Number(15, 9), "found -5"); // zigzag
    read(ProtoBytes(), "no value");
}

TEST(ChakraTrace, DependenciesPackedOrNot)
{
    TraceRecorder recorder;
    ProtoBytes packed = MakeNode(9, 4);
    packed.Text(4, ProtoBytes().Varint(1).Varint(300).bytes);
    packed.Text(5, ProtoBytes().Varint(uint64_t{1} << 63).bytes).Number(5, 4).Number(4, 2);
    ASSERT_FALSE(Read(MakeFile(packed), recorder));
    EXPECT_EQ(recorder.nodes[0][0].after, (std::vector<uint64_t>{uint64_t{1} << 63, 4}));
    EXPECT_EQ(recorder.nodes[0][0].control, (std::vector<uint64_t>{1, 300, 2}));
}

TEST(ChakraTrace, UnknownFieldsArePassedOver)
{
    TraceRecorder recorder;
    ProtoBytes node = MakeNode(1, 4);
    node.Number(6, 55).Number(7, 2).Text(8, "io").Text(9, "io").Number(12, 5).Text(400, "new");
    node.Fixed(13, 5, 4).Fixed(14, 5, 8).Attribute("involved_dim", 1, 40).Attribute("new", 1);
    const TraceResult error = Read(MakeFile(node), recorder);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(recorder.nodes[0][0].duration, 2'000'000);
}

TEST(ChakraTrace, AnAllGatherGivesShares)
{
    // ASTRA-sim's Ring.cc: an ALL_GATHER ends with data_size * nodes_in_ring, the others do not
    const std::vector<std::pair<uint64_t, uint64_t>> buffers{{0, 1000},
                                                             {1, 1000},
                                                             {2, 4000},
                                                             {5, 1000},
                                                             {6, 1000},
                                                             {7, 1000},
                                                             {8, 1000},
                                                             {9, 0}};
    for (const auto& [type, bytes] : buffers)
    {
        TraceCollection collection;
        ASSERT_EQ(collection.Ranks(4), "");
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            ASSERT_FALSE(Read(
                MakeFile(MakeNode(1, 7).Attribute("comm_type", type).Attribute("comm_size", 1000)),
                collection,
                rank));
        }
        JobPrograms job;
        ASSERT_FALSE(MakeTracePrograms(collection, job));
        EXPECT_EQ(job.ranks[2].program->GetOperations()[0].bytes, bytes) << "comm_type " << type;
    }
}

TEST(ChakraTrace, WhatCannotBeSimulatedTakesNoTimeAndIsCounted)
{
    TraceRecorder recorder;
    const std::string bytes =
        METADATA + MakeNode(0, 8).Number(7, 5).Delimited() +
        MakeNode(1, 7).Attribute("comm_size", 5).Number(5, 0).Delimited() +
        MakeNode(2, 7).Attribute("comm_type", 3).Attribute("comm_size", 5).Delimited() +
        MakeNode(3, 7).Attribute("comm_type", 3).Attribute("comm_size", 5).Delimited() +
        MakeNode(4, 5).Attribute("comm_size", 5).Delimited();
    const TraceResult error = Read(bytes, recorder);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(recorder.nodes[0].size(), 5U);
    for (const TraceNode& node : recorder.nodes[0])
    {
        EXPECT_EQ(node.kind, TraceNode::Kind::COMPUTE);
        EXPECT_EQ(node.duration, 0);
    }
    EXPECT_EQ(recorder.nodes[0][1].after, std::vector<uint64_t>{0}) << "others may come after it";
    std::vector<uint64_t> numbers;
    for (const auto& [reason, number] : recorder.skipped)
    {
        numbers.push_back(number);
    }
    EXPECT_EQ(numbers, (std::vector<uint64_t>{2, 1, 1, 1})); // collectives, two exchanges, nodes
}

TEST(ChakraTrace, WhatCannotBeSimulatedIsAnErrorIfItMayNotBeLeftOut)
{
    const std::vector<std::pair<ProtoBytes, std::string>> nodes{
        {MakeNode(1, 8), "nodes of type 8; 0 to 7 are known"},
        {MakeNode(1, 7).Attribute("comm_size", 5), "attribute comm_type in node 1 \"node 1\""},
        {MakeNode(1, 7).Attribute("comm_type", 3).Attribute("comm_size", 5), "comm_type 3"},
        {MakeNode(1, 7).Attribute("comm_type", 10).Attribute("comm_size", 5), "comm_type 10"},
        {MakeNode(1, 5).Attribute("comm_size", 1), "attribute comm_dst"},
        {MakeNode(1, 6).Attribute("comm_size", 1), "attribute comm_src"},
        {MakeNode(1, 7).Attribute("comm_type", 0), "attribute comm_size"},
    };
    for (const auto& [node, words] : nodes)
    {
        TraceCollection strict;
        strict.Ranks(1);
        strict.SetStrict(true);
        const TraceResult error = Read(MakeFile(node), strict);
        ASSERT_TRUE(error) << words;
        EXPECT_NE(error->ToString().find(words), std::string::npos) << error->ToString();
        ASSERT_TRUE(error->offset);
        EXPECT_EQ(*error->offset, METADATA.size() + 1 + node.bytes.size());
    }
}

TEST(ChakraTrace, ExchangesWithoutASizeTakeNoTimeAndAreCounted)
{
    TraceRecorder recorder;
    const std::string bytes = METADATA + MakeNode(1, 7).Attribute("comm_type", 0).Delimited() +
                              MakeNode(2, 5).Attribute("comm_dst", 1).Delimited() +
                              MakeNode(3, 7).Attribute("comm_type", 9).Delimited();
    ASSERT_FALSE(Read(bytes, recorder));
    const std::map<std::string, uint64_t> skipped{{"exchanges without the attribute comm_size", 2}};
    EXPECT_EQ(recorder.skipped, skipped);
    EXPECT_EQ(recorder.nodes[0][1].kind, TraceNode::Kind::COMPUTE);
    EXPECT_EQ(recorder.nodes[0][2].collective, CollectiveKind::BARRIER) << "it needs none";
}

TEST(ChakraTrace, NumbersMayBeTexts)
{
    TraceRecorder recorder;
    const auto text = [](const std::string& name, const std::string& value) {
        return ProtoBytes().Text(1, name).Text(29, value).bytes;
    };
    const std::string bytes = MakeFile(MakeNode(1, 5)
                                           .Text(10, text("comm_size", "4096"))
                                           .Text(10, text("comm_dst", "3"))
                                           .Text(10, text("comm_tag", "12")));
    ASSERT_FALSE(Read(bytes, recorder));
    EXPECT_EQ(recorder.nodes[0][0].bytes, 4096U);
    EXPECT_EQ(recorder.nodes[0][0].peer, 3U);
    EXPECT_EQ(recorder.nodes[0][0].tag, 12U);
    const ProtoBytes other =
        MakeNode(1, 5).Attribute("comm_dst", 3).Text(10, text("comm_size", "4k"));
    ExpectRefused(MakeFile(other),
                  METADATA.size() + 1 + other.bytes.size(),
                  "comm_size to be a whole number");
}

TEST(ChakraTrace, DurationsInAnyUnit)
{
    TraceRecorder recorder;
    const std::string bytes =
        METADATA + MakeNode(1, 4).Number(7, 3).Delimited() +
        MakeNode(2, 4).Number(7, 3).Attribute("duration_ns", 2500).Delimited() +
        MakeNode(3, 4).Number(7, 3).Attribute("duration_ps", 2'500'001, 13).Delimited() +
        MakeNode(4, 4).Attribute("runtime_ns", 7).Delimited();
    ASSERT_FALSE(Read(bytes, recorder));
    const std::vector<Picoseconds> expected{3'000'000, 2'500'000, 2'500'001, 7'000};
    for (std::size_t node = 0; node < expected.size(); ++node)
    {
        EXPECT_EQ(recorder.nodes[0][node].duration, expected[node]) << node;
    }
    const ProtoBytes longest = MakeNode(1, 4).Attribute("duration_ns", UINT64_MAX, 13);
    ExpectRefused(MakeFile(longest),
                  METADATA.size() + 1 + longest.bytes.size(),
                  "duration_ns up to");
}

TEST(ChakraTrace, KernelsOfDifferentStreamsRunSideBySide)
{
    TraceRecorder recorder;
    const auto kernel = [](uint64_t id, uint64_t stream) {
        return MakeNode(id, 4).Attribute("is_cpu_op", 0, 27).Attribute("stream", stream);
    };
    const std::string bytes =
        METADATA + kernel(1, 7).Delimited() + kernel(2, 20).Delimited() + kernel(3, 7).Delimited() +
        kernel(4, 0).Delimited() +
        MakeNode(5, 4).Attribute("is_cpu_op", 1, 27).Attribute("stream", 0).Delimited();
    ASSERT_FALSE(Read(bytes, recorder));
    const std::vector<TraceNode>& nodes = recorder.nodes[0];
    EXPECT_EQ(nodes[0].stream, nodes[2].stream);
    std::set<uint32_t> streams;
    for (const std::size_t node : {0, 1, 3, 4})
    {
        streams.insert(nodes[node].stream);
    }
    EXPECT_EQ(streams.size(), 4U) << "the host, the default stream, and two others";
}

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

TEST(ChakraTrace, ProcessGroupsOfPyTorch)
{
    const std::string json = R"([{"pg_name": "0", "pg_desc": "default_pg", "ranks": []}, )"
                             R"({"pg_name": "7", "backend_config": "cuda:nccl", "ranks": [1, 3]}])";
    for (const std::string& values : {"['" + json + "']", "[[" + json.substr(1) + "]", json})
    {
        TraceRecorder recorder;
        const std::string inputs = ProtoBytes().Text(1, values).bytes;
        ProtoBytes node = ProtoBytes().Number(1, 2).Text(2, "## process_group:init ##");
        ASSERT_FALSE(Read(MakeFile(node.Number(3, 1).Text(8, inputs)), recorder));
        using Groups = std::vector<std::pair<std::string, std::vector<uint32_t>>>;
        EXPECT_EQ(recorder.groups, (Groups{{"0", {}}, {"7", {1, 3}}})) << values;
        EXPECT_EQ(recorder.nodes[0].size(), 1U) << "others may depend on it";
        EXPECT_TRUE(recorder.skipped.empty());
    }
    // a node like that without groups is no mistake
    for (const std::string values : {"[]", "['[]']", "[{", "['[{\"pg_name\": 5, \"ranks\": 3}]']"})
    {
        TraceRecorder recorder;
        const std::string inputs = ProtoBytes().Text(1, values).bytes;
        ProtoBytes node = ProtoBytes().Number(1, 2).Text(2, "## process_group:init ##");
        EXPECT_FALSE(Read(MakeFile(node.Number(3, 1).Text(8, inputs)), recorder));
        EXPECT_TRUE(recorder.groups.empty());
    }
}

#endif

TEST(ChakraTrace, CollectivesOfUnknownGroupsAreLeftOut)
{
    const std::string path = GetTemporaryPath("unknown-group.et");
    const auto call = [](uint64_t id, const std::string& group) {
        return MakeNode(id, 7)
            .Attribute("comm_type", 0)
            .Attribute("comm_size", 64)
            .Text(10, ProtoBytes().Text(1, "pg_name").Text(29, group).bytes)
            .Delimited();
    };
    std::ofstream(path, std::ios::binary) << METADATA + call(1, "") + call(2, "53") + call(3, "0");
    JobPrograms job;
    const TraceResult error = ReadTraceJob({path, 2}, job);
    ASSERT_FALSE(error) << error->ToString();
    const std::map<std::string, uint64_t> skipped{
        {"collectives of groups that no file defines (--groups takes one)", 1}};
    EXPECT_EQ(job.skipped, skipped);
    TraceRequest strict{path, 2};
    strict.strict = true;
    EXPECT_TRUE(ReadTraceJob(strict, job));
    std::filesystem::remove(path);
}

TEST(ChakraTrace, DataDependenciesMustBeThere)
{
    const std::string bytes = METADATA + MakeNode(1, 4).Number(4, 9).Number(5, 8).Delimited() +
                              MakeNode(2, 4).Number(4, 1).Delimited();
    TraceCollection collection;
    collection.Ranks(1);
    ASSERT_FALSE(Read(bytes, collection));
    EXPECT_EQ(collection.MergeControlOf(0), "");
    EXPECT_EQ(collection.GetSkipped().size(), 1U) << "node 9, and no other";
    JobPrograms job;
    const TraceResult error = MakeTracePrograms(collection, job);
    ASSERT_TRUE(error);
    EXPECT_NE(error->ToString().find("node 8, which rank 0 does not have"), std::string::npos);
}

TEST(ChakraTrace, ACallOfTheHostIsComputing)
{
    // PyTorch's c10d::allreduce_ on the host, and the kernel that communicates
    TraceRecorder recorder;
    const std::string bytes =
        METADATA + MakeNode(0, 7).Number(7, 151).Attribute("is_cpu_op", 1, 27).Delimited() +
        MakeNode(1, 7)
            .Number(5, 0)
            .Number(7, 5572)
            .Attribute("is_cpu_op", 0, 27)
            .Attribute("comm_type", 0)
            .Attribute("comm_size", 8196000)
            .Delimited();
    ASSERT_FALSE(Read(bytes, recorder));
    EXPECT_EQ(recorder.nodes[0][0].kind, TraceNode::Kind::COMPUTE);
    EXPECT_EQ(recorder.nodes[0][0].duration, 151'000'000);
    EXPECT_EQ(recorder.nodes[0][0].stream, 1U);
    EXPECT_EQ(recorder.nodes[0][1].kind, TraceNode::Kind::COLLECTIVE);
    EXPECT_EQ(recorder.nodes[0][1].bytes, 8196000U);
    EXPECT_TRUE(recorder.skipped.empty());
}

TEST(ChakraTrace, TheSchemasBefore)
{
    // attributes in field 11, with u 6, i 7 and s 8, or without u; other numbers of collectives
    const auto number = [](const std::string& name, uint64_t value, uint32_t field) {
        return ProtoBytes().Text(1, name).Number(2, 3).Number(field, value).bytes;
    };
    for (const uint32_t field : {6U, 7U})
    {
        TraceRecorder recorder;
        const std::string bytes =
            MakeNode(0, 4) // no metadata
                .Text(5, "[1, 2]")
                .Text(11, number("runtime", 12, field))
                .Delimited() +
            MakeNode(1, 7)
                .Number(4, 0)
                .Text(11, number("comm_type", 1, field))
                .Text(11, number("comm_size", 64, field))
                .Text(11, ProtoBytes().Text(1, "pg_name").Text(field + 1, "12").bytes)
                .Text(11, ProtoBytes().Text(1, "involved_dim").Number(9, 1).bytes)
                .Delimited();
        const TraceResult error = Read(bytes, recorder);
        ASSERT_FALSE(error) << error->ToString();
        ASSERT_EQ(recorder.nodes[0].size(), 2U);
        EXPECT_EQ(recorder.nodes[0][0].duration, 12'000'000);
        EXPECT_TRUE(recorder.nodes[0][0].after.empty()) << "field 5 has the inputs";
        EXPECT_EQ(recorder.nodes[0][1].collective, CollectiveKind::ALL_TO_ALL);
        EXPECT_EQ(recorder.nodes[0][1].bytes, 64U);
        EXPECT_EQ(recorder.nodes[0][1].group, "12");
        EXPECT_EQ(recorder.nodes[0][1].control, std::vector<uint64_t>{0});
    }
}

TEST(ChakraTrace, OneFileMayBeThatOfAllRanks)
{
    JobPrograms job;
    const TraceResult error = ReadTraceJob({CORPUS + "chakra-of-all-ranks/pytorch.et", 4}, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.ranks.size(), 4U);
    EXPECT_EQ(job.ranks[3].program, job.ranks[0].program);
    EXPECT_TRUE(JobPlayer(job).Play());
    const std::map<std::string, uint64_t> skipped{
        {"control dependencies that are circular", 2},
        {"control dependencies on nodes that are not in the file", 1}};
    EXPECT_EQ(job.skipped, skipped);
    TraceRequest strict{CORPUS + "chakra-of-all-ranks/pytorch.et", 4};
    strict.strict = true;
    EXPECT_TRUE(ReadTraceJob(strict, job));
}

TEST(ChakraTrace, MistakesAreNamedWithTheirOffset)
{
    const uint64_t node = METADATA.size() + 1;
    const auto at = [node](const ProtoBytes& bytes) { return node + bytes.bytes.size(); };
    const auto fail = [&at](const ProtoBytes& bytes, const std::string& words) {
        ExpectRefused(MakeFile(bytes), at(bytes), words);
    };
    ExpectRefused("", 0, "an empty file");
    ExpectRefused("\x1f\x8b\x08", 3, "the end of the file");
    ExpectRefused(std::string("\x1f\x8b") + std::string(40, 'x'), 0, "gunzip");
    ExpectRefused(ProtoBytes().Number(1, 0).Delimited(), 1, "GlobalMetadata");
    ExpectRefused(METADATA + "\x05\x08", METADATA.size() + 2, "the end of the file after 1");
    ExpectRefused(METADATA + "\xff", METADATA.size(), "the end of the file");
    ExpectRefused(METADATA + std::string(11, '\xff'), METADATA.size(), "in up to 10 bytes");
    ExpectRefused(METADATA + std::string(9, '\x80') + "\x02",
                  METADATA.size(),
                  "in up to 10 bytes"); // 2^64
    ExpectRefused(METADATA + ProtoBytes().Varint((uint64_t{64} << 20) + 1).bytes,
                  METADATA.size(),
                  "one of 67108865");
    fail(MakeNode(1, 4).Number(7, UINT64_MAX / 2), "duration_micros");
    fail(MakeNode(1, 5).Attribute("comm_size", 1).Attribute("comm_dst", 2).Attribute("comm_src", 1),
         "comm_src to be 0");
    ExpectRefused(MakeFile(ProtoBytes().Text(1, "id")), node, "field 1 to have the type");
    ExpectRefused(MakeFile(ProtoBytes().Number(1, 1).Text(11, "").Number(11, 1)),
                  node + 4,
                  "field 11");
    // the length of a field is larger than its message
    ExpectRefused(METADATA + "\x03\x12\x09x", node, "fields of protobuf");
    ExpectRefused(METADATA + "\x01\x0b", node, "fields of protobuf"); // a group of proto2
}

TEST(ChakraTrace, MemoryFollowsTheSizeOfTheFile)
{
    // a message of 64 MiB that is not there
    const uint64_t before = GetPeakMemory();
    ExpectRefused(METADATA + ProtoBytes().Varint(uint64_t{64} << 20).bytes + "abc",
                  METADATA.size() + 4 + 3,
                  "the end of the file after 3");
    EXPECT_LT(GetPeakMemory() - before, uint64_t{8} << 20);

    // 32 MB in nodes of a kilobyte
    const uint64_t nodes = 32'768;
    const std::string piece =
        MakeNode(1, 4).Number(7, 1).Text(8, std::string(1000, 'x')).Delimited();
    RepeatedText bytes(METADATA, piece, nodes);
    std::istream in(&bytes);
    TraceCounter counter;
    const TraceResult error = ReadChakraTrace(in, "long", 0, counter);
    ASSERT_FALSE(error) << error->ToString();
    EXPECT_EQ(counter.nodes, nodes);
    EXPECT_EQ(counter.computing, int64_t(nodes) * 1'000'000);
    EXPECT_LT(GetPeakMemory() - before, uint64_t{8} << 20);
}

TEST(ChakraTrace, FilesOfARunMakeAJob)
{
    JobPrograms job;
    const TraceResult error =
        ReadTraceJob({CORPUS + "chakra/step.%d.et", 0, CORPUS + "chakra/groups.json"}, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.ranks.size(), 2U);
    EXPECT_TRUE(JobPlayer(job).Play());
}

TEST(ChakraTrace, CollectivesOfAstraSim)
{
    const std::string folder = FindRealTraces();
    if (folder.empty())
    {
        GTEST_SKIP() << "no traces: PHOTONIC_RAILS_CHAKRA_TRACES names the folder of "
                        "all_gather_8npus_1MB and the others";
    }
    const uint64_t mebibyte = 1'048'576;
    const std::vector<std::tuple<std::string, CollectiveKind, uint64_t>> traces{
        {"all_reduce", CollectiveKind::ALL_REDUCE, mebibyte},
        {"all_gather", CollectiveKind::ALL_GATHER, 8 * mebibyte},
        {"reduce_scatter", CollectiveKind::REDUCE_SCATTER, mebibyte},
        {"all_to_all", CollectiveKind::ALL_TO_ALL, mebibyte}};
    for (const auto& [name, kind, bytes] : traces)
    {
        JobPrograms job;
        const TraceResult error =
            ReadTraceJob({folder + name + "_8npus_1MB/" + name + ".%d.et"}, job);
        ASSERT_FALSE(error) << error->ToString();
        ASSERT_EQ(job.ranks.size(), 8U);
        ASSERT_EQ(job.groups.size(), 1U);
        EXPECT_EQ(job.groups[0].ranks.size(), 8U);
        for (const JobPrograms::Rank& rank : job.ranks)
        {
            ASSERT_EQ(rank.program->GetOperations().size(), 1U);
            EXPECT_EQ(rank.program->GetOperations()[0].collective, kind);
            EXPECT_EQ(rank.program->GetOperations()[0].bytes, bytes);
        }
    }
}

TEST(ChakraTrace, ARingAllReduceOfMessages)
{
    const std::string folder = FindRealTraces();
    if (folder.empty())
    {
        GTEST_SKIP() << "no traces: PHOTONIC_RAILS_CHAKRA_TRACES names the folder of "
                        "custom_ring_allreduce_8npus_1MB and the others";
    }
    JobPrograms job;
    const TraceResult error =
        ReadTraceJob({folder + "custom_ring_allreduce_8npus_1MB/custom_allreduce.%d.et"}, job);
    ASSERT_FALSE(error) << error->ToString();
    ASSERT_EQ(job.ranks.size(), 8U);
    EXPECT_TRUE(JobPlayer(job).Play());
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        uint64_t sent = 0;
        for (const RankOperation& one : job.ranks[rank].program->GetOperations())
        {
            if (one.kind != RankOperation::Kind::SEND)
            {
                continue;
            }
            sent += one.bytes;
            const auto& pair = job.groups[job.ranks[rank].groups[one.group]].ranks;
            EXPECT_EQ(pair[one.place], (rank + 1) % 8) << "a ring";
        }
        // each rank of a ring of n sends 2 (n - 1) of n shares
        EXPECT_EQ(sent, 2 * 7 * uint64_t{1'048'576} / 8);
    }
}

#endif
