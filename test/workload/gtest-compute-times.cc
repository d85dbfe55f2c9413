/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "../support/temporary-path.h"
#include "model-units.h"

#include "ns3/compute-times.h"
#include "ns3/picosecond-resolution.h"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

const std::string HEADER =
    "unit,forward_us,attention_us,backward_input_us,backward_weight_us,recompute_us\n";
const std::string GOOD = HEADER + "embedding,1,0,0,2.5,0\n"
                                  "layer,1000.000001,250,2000,1500,0\r\n"
                                  "\n"
                                  "layer 5,7,3,9,8,6\n"
                                  "head,40,0,50,60,0\n"
                                  "optimizer,123456789012.654321,0,0,0,0\n";

/** @return the compute times that are read from a file with that content @param content */
MeasuredTimes
ReadTimes(const std::string& content)
{
    const std::string name = GetTemporaryPath("compute-times.csv");
    std::ofstream(name, std::ios::binary) << content;
    const MeasuredTimes read = ReadComputeTimes(name);
    std::remove(name.c_str());
    EXPECT_EQ(read.times == nullptr, !read.error.empty()) << "times or an error, never both";
    return read;
}

} // namespace

TEST(ComputeTimes, WorkDividedByWhatTheGpuReaches)
{
    UsePicoseconds();
    const ModelShape shape = *FindModelShape("Llama3-8B");
    ParallelismPlan plan;
    plan.tp = 4;
    TrainingRecipe recipe;
    recipe.recompute = Recomputation::FULL;
    GpuGeneration gpu;
    gpu.flopsPerSecond = 4e12;
    gpu.memoryBytesPerSecond = 1e12;
    const auto times = MakeComputeTimes(shape, plan, recipe, gpu, 0.25);
    // at 10^12 operations a second each takes a picosecond
    const Picoseconds tokens = 8192;
    const Picoseconds matrices =
        2 * tokens * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336);
    const Picoseconds core = 4 * tokens * tokens * 32 * 128 / 2;
    const UnitTimes layer = times->GetUnit(LAYER);
    EXPECT_EQ(layer.forward, ToTime((matrices + core) / 4));
    EXPECT_EQ(layer.attention, ToTime(core / 4));
    EXPECT_EQ(layer.backwardInput, ToTime((matrices + 2 * core) / 4));
    EXPECT_EQ(layer.backwardWeight, ToTime(matrices / 4));
    EXPECT_EQ(layer.recompute, layer.forward);
    EXPECT_EQ(times->GetUnit(HEAD).forward, ToTime(2 * tokens * 4096 * 128256 / 4));
    EXPECT_EQ(times->GetUnit(EMBEDDING).forward, Time(0));
    // a parameter's 12 bytes of state are read and written, its 4 of gradient read, 2 written
    EXPECT_EQ(times->GetOptimizer(1000), ToTime(1000 * (12 + 12 + 4 + 2)));
    EXPECT_EQ(times->GetOptimizer(0), Time(0));
}

TEST(ComputeTimes, NoGpuReachesMoreThanItsPeak)
{
    UsePicoseconds();
    const ModelShape shape = *FindModelShape("Llama3-8B");
    const GpuGeneration gpu = *FindGpuGeneration("h100");
    for (const double efficiency : {0.0, -0.5, 1.01, std::nan("")})
    {
        EXPECT_DEATH(MakeComputeTimes(shape, {}, {}, gpu, efficiency), "above 0 and at most 1");
    }
    EXPECT_DEATH(MakeComputeTimes(shape, {}, {}, GpuGeneration{}, 0.5), "have to be above 0");
}

TEST(GpuGeneration, EachHasItsFiguresAndItsSource)
{
    for (const GpuGeneration& gpu : GetGpuGenerations())
    {
        ASSERT_TRUE(FindGpuGeneration(gpu.name).has_value());
        EXPECT_EQ(FindGpuGeneration(gpu.name)->source, gpu.source);
        // each can do much more in a second than it can fetch, and fetch more than it can send
        EXPECT_GT(gpu.flopsPerSecond, 100 * gpu.memoryBytesPerSecond);
        EXPECT_GT(gpu.memoryBytesPerSecond, double(gpu.scaleUpBytesPerSecond));
        EXPECT_GT(gpu.scaleUpBytesPerSecond, gpu.nicBitsPerSecond / 8);
        EXPECT_GE(gpu.memoryBytes, 80'000'000'000U);
    }
    EXPECT_FALSE(FindGpuGeneration("H10").has_value());
    EXPECT_FALSE(FindGpuGeneration("H1000").has_value());
    // the published simulation of 128 H200 has 450 GB/s in a server and 50 GB/s beyond, 989
    // TFLOP/s and 4800 GB/s of memory (arXiv 2602.12521)
    const GpuGeneration h200 = *FindGpuGeneration("H200");
    EXPECT_EQ(h200.scaleUpBytesPerSecond, 450'000'000'000U);
    EXPECT_EQ(h200.nicBitsPerSecond / 8, 50'000'000'000U);
    EXPECT_NEAR(h200.flopsPerSecond, 989e12, 1e12);
    EXPECT_EQ(h200.memoryBytesPerSecond, 4800e9);
}

TEST(MeasuredTimes, AreReadToThePicosecond)
{
    UsePicoseconds();
    const MeasuredTimes read = ReadTimes(GOOD);
    ASSERT_EQ(read.error, "");
    const UnitTimes layer = read.times->GetUnit({ModelUnit::Kind::LAYER, 4});
    EXPECT_EQ(layer.forward, PicoSeconds(1'000'000'001));
    EXPECT_EQ(layer.attention, MicroSeconds(250));
    EXPECT_EQ(layer.backwardInput, MilliSeconds(2));
    EXPECT_EQ(layer.backwardWeight, MicroSeconds(1500));
    EXPECT_EQ(layer.recompute, Time(0));
    EXPECT_EQ(read.times->GetUnit(LAYER).forward, MicroSeconds(7))
        << "layer 5 has a row of its own";
    EXPECT_EQ(read.times->GetUnit(LAYER).recompute, MicroSeconds(6));
    EXPECT_EQ(read.times->GetUnit(EMBEDDING).backwardWeight, NanoSeconds(2500));
    EXPECT_EQ(read.times->GetUnit(HEAD).backwardInput, MicroSeconds(50));
    EXPECT_EQ(read.times->GetOptimizer(1), PicoSeconds(123'456'789'012'654'321));
    EXPECT_EQ(read.times->GetOptimizer(0), Time(0));
}

TEST(MeasuredTimes, MistakesAreNamedWithTheirLine)
{
    UsePicoseconds();
    const auto expectError = [](const std::string& content, const std::string& words) {
        const std::string error = ReadTimes(content).error;
        EXPECT_NE(error.find(words), std::string::npos) << error << " has not " << words;
    };
    expectError("", ":1: expected the header");
    expectError("embedding,1,0,0,2.5,0\n", ":1: expected the header");
    expectError(HEADER + "embedding,1,0,1,2.5,0\n", ":2: an embedding has no gradients");
    expectError(HEADER, ":2: there is no row for embedding");
    expectError(HEADER + "tail,1,0,0,0,0\n", ":2: \"tail\" is no unit");
    expectError(HEADER + "layer x,1,0,0,0,0\n", ":2: \"layer x\" is no unit");
    expectError(HEADER + "layer ,1,0,0,0,0\n", ":2: \"layer \" is no unit");
    expectError(HEADER + "layer 12345678901,1,0,0,0,0\n", "is no unit");
    expectError(HEADER + "head,1,0,0,0\n", ":2: there are 5 columns");
    expectError(HEADER + "head,1,0,0,0,0,0\n", ":2: there are 7 columns");
    expectError(HEADER + "head,1,0,0,0,0\nhead,1,0,0,0,0\n", ":3: there is another row for head");
    expectError(HEADER + "layer 7,1,0,0,0,0\nlayer 07,1,0,0,0,0\n", ":3: there is another row");
    expectError(HEADER + "head,1,2,0,0,0\n", "attention_us is more than forward_us");
    for (const char* time :
         {"", "-1", "1e3", "1.", ".5", "1.2.3", " 1", "0x1", "nan", "1.1234567", "1234567890123"})
    {
        expectError(HEADER + "head,1,0,0," + time + ",0\n",
                    std::string(":2: \"") + time + "\" in column 5");
    }
    expectError(HEADER + std::string(2000, 'a') + "\n", ":2: expected at most");
    EXPECT_NE(ReadComputeTimes("/no/such/file.csv").error.find("/no/such/file.csv: cannot"),
              std::string::npos);
}

TEST(MeasuredTimes, NoPartOfAFileAndNoOtherByteCrashesIt)
{
    UsePicoseconds();
    for (std::size_t length = 0; length < GOOD.size(); ++length)
    {
        const MeasuredTimes read = ReadTimes(GOOD.substr(0, length));
        if (length < GOOD.find("optimizer"))
        {
            EXPECT_NE(read.error, "") << length;
        }
    }
    for (std::size_t at = 0; at < GOOD.size(); ++at)
    {
        for (const char byte : {'\0', '\n', ',', '9', '\xff'})
        {
            std::string content = GOOD;
            content[at] = byte;
            ReadTimes(content);
        }
    }
}
