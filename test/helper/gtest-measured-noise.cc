/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The spreads of MeasuredNoise are those that its sources have.

#include "ns3/measured-noise.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/random-variable-words.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/sample-mean.h"
#include "ns3/string.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

constexpr uint32_t PER_SERVER = 8;

/** Sets the run of random numbers, and resets it. */
class RunOf
{
  public:
    explicit RunOf(uint64_t run)
        : m_before(RngSeedManager::GetRun())
    {
        RngSeedManager::SetRun(run);
    }

    ~RunOf()
    {
        RngSeedManager::SetRun(m_before);
    }

  private:
    uint64_t m_before;
};

/** @return the random variable of a text */
Ptr<RandomVariableStream>
MakeVariable(const std::string& text)
{
    EXPECT_EQ(FindRandomVariableMistake(text), "");
    PointerValue value;
    value.DeserializeFromString(text, MakePointerChecker<RandomVariableStream>());
    const Ptr<RandomVariableStream> variable = value.Get<RandomVariableStream>();
    variable->SetStream(1);
    return variable;
}

} // namespace

TEST(MeasuredNoise, GpusSpreadOverEightPercentAndServersStraggle)
{
    const RunOf run(3);
    constexpr uint32_t SERVERS = 4000;
    SampleMean mean;
    uint32_t stragglers = 0;
    double least = 2;
    double most = 0;
    for (uint32_t server = 0; server < SERVERS; ++server)
    {
        uint32_t slow = 0;
        for (uint32_t rank = server * PER_SERVER; rank < (server + 1) * PER_SERVER; ++rank)
        {
            const double factor = MeasuredNoise::DrawGpuFactor(rank, PER_SERVER);
            const bool isSlow = factor > 1.0405; // 1.04 is the most of others, 1.1 * 0.96 the least
            slow += isSlow;
            const double ofGpu = isSlow ? factor / 1.1 : factor;
            least = std::min(least, ofGpu);
            most = std::max(most, ofGpu);
            mean.Add(ofGpu);
        }
        EXPECT_TRUE(slow == 0 || slow == PER_SERVER) << "all GPUs of a server or none";
        stragglers += slow > 0;
    }
    EXPECT_NEAR(most - least, 0.08, 0.0005);
    EXPECT_NEAR(mean.GetMean(), 1, 4 * 0.08 / std::sqrt(12.0 * mean.GetCount()));
    // 0.5 %, with a standard deviation of sqrt(4000 * 0.005) = 4.5
    EXPECT_NEAR(stragglers, 0.005 * SERVERS, 18);
}

TEST(MeasuredNoise, AnotherRunDrawsAnew)
{
    std::map<uint64_t, double> factors;
    for (const uint64_t run : {1, 2, 3})
    {
        const RunOf number(run);
        factors[run] = MeasuredNoise::DrawGpuFactor(5, PER_SERVER);
        EXPECT_EQ(MeasuredNoise::DrawGpuFactor(5, PER_SERVER), factors[run]) << "of the same run";
        EXPECT_NE(MeasuredNoise::DrawGpuFactor(6, PER_SERVER), factors[run]) << "of another GPU";
    }
    EXPECT_NE(factors[1], factors[2]);
    EXPECT_NE(factors[2], factors[3]);
}

TEST(MeasuredNoise, ComputingAndSwitchesHaveTheirDeviation)
{
    UsePicoseconds();
    const RunOf run(1);
    const auto computing = MakeVariable(MeasuredNoise::MakeComputeFactor(1.02));
    const auto switching = MakeVariable(MeasuredNoise::MakeReconfigurationTime(MilliSeconds(25)));
    SampleMean factor;
    SampleMean seconds;
    const double longest = MeasuredNoise::GetLongestReconfiguration(MilliSeconds(25)).GetSeconds();
    for (int i = 0; i < 20000; ++i)
    {
        factor.Add(computing->GetValue());
        const double one = switching->GetValue();
        EXPECT_GT(one, 0);
        EXPECT_LE(one, longest);
        seconds.Add(one);
    }
    // a normal distribution that is cut at 3 deviations has 0.9866 of its deviation
    EXPECT_NEAR(factor.GetMean(), 1.02, 4 * factor.GetDeviation() / std::sqrt(20000));
    EXPECT_NEAR(factor.GetDeviation() / 1.02, 0.9866 * 0.0178489 / 10.1775, 5e-5);
    EXPECT_NEAR(seconds.GetMean(), 0.025, 4 * seconds.GetDeviation() / std::sqrt(20000));
    EXPECT_NEAR(seconds.GetDeviation() / 0.025, 0.9866 * 2.36 / 11.55, 5e-3);
    EXPECT_EQ(MakeVariable(MeasuredNoise::MakeReconfigurationTime(Time(0)))->GetValue(), 0);
}
