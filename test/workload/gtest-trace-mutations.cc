/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Readers of traces with broken files: whatever the bytes are, there is a job or an error with its
// place, and the memory that is used follows the size of the file.

#include "../support/random-programs.h"
#include "trace-test-tools.h"

#include "ns3/chakra-trace-reader.h"
#include "ns3/chakra-trace-writer.h"
#include "ns3/goal-binary-reader.h"
#include "ns3/goal-trace-reader.h"
#include "ns3/group-file.h"
#include "ns3/optional-headers.h"
#include "ns3/phase-csv-reader.h"
#include "ns3/simai-workload-reader.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace ns3;

namespace
{

namespace fs = std::filesystem;

const fs::path CORPUS = PHOTONIC_RAILS_SOURCE_DIR "/test/corpus";

/** Reads bytes into a collection. */
using Reader = std::function<TraceResult(std::istream&, TraceCollection&)>;

/** Nodes of a job that is made of a broken file: a larger job is refused. */
constexpr uint64_t MOST_NODES = 5000;

std::string
GetBytes(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/** @return bytes in which a few things are changed, or the end is missing */
std::string
Mutate(std::string bytes, std::mt19937& random)
{
    static const std::vector<std::string> pieces{"0",
                                                 "-1",
                                                 "18446744073709551615",
                                                 "{",
                                                 "}",
                                                 "\n",
                                                 ",",
                                                 " ",
                                                 "\xff",
                                                 "\x80",
                                                 "[",
                                                 "\"",
                                                 "4",
                                                 "99999",
                                                 std::string(1, '\0')};
    for (uint32_t times = 1 + random() % 3; times > 0 && !bytes.empty(); --times)
    {
        const std::size_t place = random() % bytes.size();
        switch (random() % 6)
        {
        case 0:
            bytes[place] = static_cast<char>(random());
            break;
        case 1:
            bytes[place] = static_cast<char>(bytes[place] ^ 1 << random() % 8);
            break;
        case 2:
            bytes.erase(place, 1 + random() % 8);
            break;
        case 3:
            bytes.insert(place, pieces[random() % pieces.size()]);
            break;
        case 4:
            bytes.insert(place, bytes.substr(random() % bytes.size(), random() % 64));
            break;
        default:
            bytes.resize(place);
        }
    }
    return bytes;
}

/** Fails unless bytes make a job or an error with its place. @return whether it is a job */
bool
ExpectJobOrError(const std::string& bytes, const Reader& reader)
{
    std::istringstream in(bytes);
    TraceCollection collection(MOST_NODES);
    TraceResult error = reader(in, collection);
    JobPrograms job;
    error = error ? error : MakeTracePrograms(collection, job);
    if (!error)
    {
        EXPECT_FALSE(job.ranks.empty());
        return true;
    }
    EXPECT_TRUE(job.ranks.empty()) << "half a job";
    EXPECT_FALSE(error->expected.empty());
    EXPECT_FALSE(error->found.empty());
    // a job of nothing has no place to name
    const bool isOfAll = error->found == "none" || error->expected.find("in all ranks") == 3;
    EXPECT_TRUE(isOfAll || !error->file.empty()) << error->ToString();
    EXPECT_TRUE(isOfAll || error->line > 0 || error->offset) << error->ToString();
    return false;
}

/** Breaks all files of a folder in many ways. */
void
BreakAll(const std::string& folder, const std::string& ending, uint32_t times, const Reader& reader)
{
    std::mt19937 random(1);
    uint32_t files = 0;
    uint32_t jobs = 0;
    for (const auto& entry : fs::directory_iterator(CORPUS / folder))
    {
        if (entry.path().extension() != ending)
        {
            continue;
        }
        ++files;
        const std::string bytes = GetBytes(entry.path());
        EXPECT_TRUE(ExpectJobOrError(bytes, reader)) << entry.path() << ": it is not broken";
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            ExpectJobOrError(bytes.substr(0, size), reader);
        }
        for (uint32_t time = 0; time < times; ++time)
        {
            jobs += ExpectJobOrError(Mutate(bytes, random), reader) ? 1 : 0;
        }
    }
    EXPECT_GE(files, 2U) << "what was there to break?";
    EXPECT_GT(jobs, 0U) << "some changes do no harm";
    EXPECT_LT(jobs, files * times);
}

} // namespace

TEST(TraceMutations, PhaseCsv)
{
    BreakAll("csv", ".csv", 4000, [](std::istream& in, TraceCollection& collection) {
        return ReadPhaseCsv(in, "broken", collection);
    });
}

TEST(TraceMutations, Goal)
{
    BreakAll("goal", ".goal", 4000, [](std::istream& in, TraceCollection& collection) {
        return ReadGoalTrace(in, "broken", collection);
    });
}

TEST(TraceMutations, GoalBinary)
{
    BreakAll("goal-binary", ".bin", 4000, [](std::istream& in, TraceCollection& collection) {
        return ReadGoalBinary(in, "broken", collection);
    });
}

TEST(TraceMutations, SimAi)
{
    BreakAll("simai", ".txt", 4000, [](std::istream& in, TraceCollection& collection) {
        return ReadSimAiWorkload(in, "broken", 2, collection);
    });
}

TEST(TraceMutations, SimAiWithoutRanks)
{
    BreakAll("simai-without-ranks",
             ".txt",
             4000,
             [](std::istream& in, TraceCollection& collection) {
                 return ReadSimAiWorkload(in, "broken", 2, collection, 8);
             });
}

#ifdef PHOTONIC_RAILS_HAS_NLOHMANN_JSON

TEST(TraceMutations, Groups)
{
    BreakAll("groups", ".json", 4000, [](std::istream& in, TraceCollection& collection) {
        const TraceResult error = ReadGroupFile(in, "broken", collection);
        const std::string complaint = error ? "" : collection.Ranks(4);
        if (complaint.empty())
        {
            return error;
        }
        return TraceResult(TraceError{"broken", 0, 0, "groups of 4 ranks", complaint});
    });
}

#endif

#ifdef PHOTONIC_RAILS_HAS_PROTOZERO

TEST(TraceMutations, Chakra)
{
    // the file of one rank is broken, that of the other is not
    const std::string whole[]{GetBytes(CORPUS / "chakra/step.0.et"),
                              GetBytes(CORPUS / "chakra/step.1.et")};
    const Reader reader = [&whole](std::istream& in, TraceCollection& collection) {
        const std::string bytes{std::istreambuf_iterator<char>(in),
                                std::istreambuf_iterator<char>()};
        EXPECT_EQ(collection.Ranks(2), "");
        EXPECT_EQ(collection.Group("1", {1, 0}), "");
        const bool isFirst = bytes != whole[1];
        TraceResult error;
        for (uint32_t rank = 0; rank < 2 && !error; ++rank)
        {
            std::istringstream its(rank == (isFirst ? 0 : 1) ? bytes : whole[rank]);
            error = ReadChakraTrace(its, "broken", rank, collection);
            if (!error)
            {
                EXPECT_EQ(collection.MergeControlOf(rank), "");
            }
        }
        return error;
    };
    BreakAll("chakra", ".et", 8000, reader);
}

TEST(TraceMutations, ChakraOfAllRanks)
{
    const Reader reader = [](std::istream& in, TraceCollection& collection) {
        EXPECT_EQ(collection.Ranks(4), "");
        EXPECT_EQ(collection.Alike(0, 0, 4), "");
        const TraceResult error = ReadChakraTrace(in, "broken", 0, collection);
        if (!error)
        {
            EXPECT_EQ(collection.MergeControlOf(0), "");
        }
        return error;
    };
    BreakAll("chakra-of-all-ranks", ".et", 8000, reader);
}

TEST(TraceMutations, ChakraOfAnExportedJob)
{
    const JobPrograms job = RandomPrograms(7).Draw(3);
    std::vector<std::string> files(3);
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        ChakraTraceWriter(job).Write(rank, [&](const std::string& piece) { files[rank] += piece; });
    }
    const Reader reader = [&files](std::istream& in, TraceCollection& collection) {
        EXPECT_EQ(collection.Ranks(3), "");
        TraceResult error = ReadChakraTrace(in, "broken", 0, collection);
        for (uint32_t rank = 1; rank < 3 && !error; ++rank)
        {
            std::istringstream other(files[rank]);
            error = ReadChakraTrace(other, "whole", rank, collection);
        }
        return error;
    };
    EXPECT_TRUE(ExpectJobOrError(files[0], reader));
    std::mt19937 random(1);
    uint32_t jobs = 0;
    constexpr uint32_t TIMES = 8000;
    for (uint32_t time = 0; time < TIMES; ++time)
    {
        jobs += ExpectJobOrError(Mutate(files[0], random), reader) ? 1 : 0;
    }
    EXPECT_LT(jobs, TIMES);
}

#endif

TEST(TraceMutations, MemoryStaysBounded)
{
    // small files that describe large jobs
    const uint64_t before = GetPeakMemory();
    const std::string simai = "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 all_gpus: 4 ";
    std::string layers;
    for (uint32_t layer = 0; layer < 1000; ++layer)
    {
        layers += "a 0 1 ALLREDUCE 1 1 NONE 0 1 NONE 0 1\n";
    }
    std::string initiates;
    for (uint32_t layer = 0; layer < 1000; ++layer)
    {
        initiates += " " + std::to_string(layer);
    }
    EXPECT_FALSE(ExpectJobOrError(simai + "checkpoints: 1 0 checkpoint_initiates: 1000" +
                                      initiates + "\n1000\n" + layers,
                                  [](std::istream& in, TraceCollection& collection) {
                                      return ReadSimAiWorkload(in, "broken", 1000, collection);
                                  }))
        << "half a million layers";
    EXPECT_FALSE(ExpectJobOrError("num_ranks 2\nrank 0 {\ncalc 18446744073709551615\n",
                                  [](std::istream& in, TraceCollection& collection) {
                                      return ReadGoalTrace(in, "broken", collection);
                                  }));
    EXPECT_LT(GetPeakMemory() - before, uint64_t{16} << 20);
}
