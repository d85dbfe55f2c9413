/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// NCCL's tuning against its formula, worked out by hand: base latency, steps, bytes.

#include "ns3/collective-algorithm.h"
#include "ns3/nccl-tuning.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>
#include <memory>

using namespace ns3;

namespace
{

using Protocol = CollectiveProtocol;

constexpr uint64_t MIB = 1 << 20;
constexpr double PS_A_US = 1e6;

/** An operation with its schedule: two channels, 50 GB/s a rank. */
struct Tuned
{
    Tuned(const std::string& algorithm,
          CollectiveKind kind,
          uint32_t ranks,
          uint32_t perServer,
          uint64_t bytes,
          uint32_t channels = 2)
    {
        CollectiveParameters parameters;
        parameters.kind = kind;
        parameters.ranks = ranks;
        parameters.perServer = perServer;
        parameters.channels = channels;
        schedule = CollectiveAlgorithm::GetSchedule(algorithm, parameters);
        operation = {algorithm, schedule.get(), bytes};
    }

    double GetMicroseconds(Protocol protocol) const
    {
        return EstimateNcclTime(operation, protocol) / PS_A_US;
    }

    std::shared_ptr<const CollectiveSchedule> schedule;
    NcclOperation operation;
};

} // namespace

TEST(NcclTuning, ARingOfServersOfOneGpuHasExposedLatencies)
{
    // all-gather of 10: 9 steps, 9/10 of the buffer at 50 GB/s
    const Tuned gather("ring", CollectiveKind::ALL_GATHER, 10, 1, 100 * MIB);
    const double sent = 0.9 * 100 * MIB;
    EXPECT_EQ(CountNcclNetworkSteps(gather.operation), 9U);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::SIMPLE), 8.4 + 9 * 14 + sent / 50e3, 0.01);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::LL128), 14 + 9 * 8.5 + sent / (0.92 * 50e3), 0.01);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::LL), 6.6 + 9 * 5.0 + sent / 20.4e3, 0.01)
        << "at most 20.4 GB/s, which is less than half";
}

TEST(NcclTuning, AnAllReduceBetweenServersHasAPlateauWithSimple)
{
    const Tuned reduce("ring", CollectiveKind::ALL_REDUCE, 10, 1, 100 * MIB);
    const double sent = 1.8 * 100 * MIB;
    EXPECT_EQ(CountNcclNetworkSteps(reduce.operation), 18U);
    EXPECT_NEAR(reduce.GetMicroseconds(Protocol::SIMPLE),
                1.4 * (8.4 + 18 * 14) + sent / 50e3,
                0.01);
    EXPECT_NEAR(reduce.GetMicroseconds(Protocol::LL128),
                14 + 18 * 8.5 + sent / (0.92 * 50e3),
                0.01);
}

TEST(NcclTuning, ARingOverServersOfEightHasStepsInsideToo)
{
    // 79 steps, of which 9 between servers; 8 NICs of 50 GB/s carry the buffer once each boundary
    const Tuned gather("rail-rings", CollectiveKind::ALL_GATHER, 80, 8, 80 * MIB, 16);
    EXPECT_EQ(CountNcclNetworkSteps(gather.operation), 9U);
    const double bus = 79.0 / 80 * 80 * MIB / 400e3;
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::SIMPLE), 8.4 + 9 * 14 + 70 * 3.4 + bus, 0.01);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::LL128),
                14 + 9 * 4.0 + 70 * 1.9 + bus / 0.92,
                0.01);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::LL),
                6.6 + 9 * 2.7 + 70 * 1.0 + 79.0 * MIB / 20.4e3,
                0.01)
        << "a step inside is no shorter than posting";
}

TEST(NcclTuning, InsideAServerThereAreNoNetworkSteps)
{
    Tuned gather("ring", CollectiveKind::ALL_GATHER, 8, 8, 8 * MIB, 1);
    EXPECT_EQ(CountNcclNetworkSteps(gather.operation), 0U);
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::SIMPLE), 8.4 + 7 * 3.4 + 7 * MIB / 450e3, 0.01);
    // a channel of LL128 carries 36.7 GB/s
    EXPECT_NEAR(gather.GetMicroseconds(Protocol::LL128), 14 + 7 * 1.9 + 7 * MIB / 36.7e3, 0.01);
}

TEST(NcclTuning, SmallOperationsTakeLlLargeOnesSimple)
{
    const auto choose = [](uint64_t bytes) {
        return ChooseNcclProtocol(
            Tuned("ring", CollectiveKind::ALL_REDUCE, 10, 1, bytes).operation);
    };
    EXPECT_EQ(choose(8), Protocol::LL);
    EXPECT_EQ(choose(4 * MIB), Protocol::LL128);
    // LL128 and SIMPLE meet where 2 * 0.9 S (1/46 - 1/50) ns = 1.4 (8.4 + 252) - (14 + 153) us
    const double meet = (1.4 * 260.4 - 167) * 1e3 / (1.8 * (1 / 46.0 - 1 / 50.0));
    EXPECT_GT(meet, 32.0 * MIB);
    EXPECT_LT(meet, 64.0 * MIB);
    EXPECT_EQ(choose(static_cast<uint64_t>(meet * 0.999)), Protocol::LL128);
    EXPECT_EQ(choose(static_cast<uint64_t>(meet * 1.001)), Protocol::SIMPLE);
}

TEST(NcclTuning, SendsTakeLlUpTo16KiBAChannel)
{
    for (const uint64_t over : {0, 1})
    {
        const Tuned send("direct", CollectiveKind::SEND_RECV, 2, 1, 2 * ((16 << 10) + over));
        EXPECT_EQ(ChooseNcclProtocol(send.operation), over ? Protocol::SIMPLE : Protocol::LL);
        const Tuned all("direct", CollectiveKind::ALL_TO_ALL, 4, 1, 4 * 2 * ((16 << 10) + over));
        EXPECT_EQ(ChooseNcclProtocol(all.operation), over ? Protocol::SIMPLE : Protocol::LL);
    }
}

TEST(NcclTuning, StepsOfOtherProtocolsAreShares)
{
    UsePicoseconds();
    const Time step = MicroSeconds(14);
    EXPECT_EQ(ScaleNcclStep(step, Protocol::SIMPLE, TransportKind::RAIL), step);
    EXPECT_EQ(ScaleNcclStep(step, Protocol::LL128, TransportKind::RAIL), NanoSeconds(8500));
    EXPECT_EQ(ScaleNcclStep(step, Protocol::LL, TransportKind::HOST), MicroSeconds(5));
    EXPECT_EQ(ScaleNcclStep(NanoSeconds(3400), Protocol::LL128, TransportKind::SCALE_UP),
              NanoSeconds(1900));
    EXPECT_EQ(ScaleNcclStep(NanoSeconds(3400), Protocol::LL, TransportKind::SCALE_UP),
              NanoSeconds(600));
    EXPECT_EQ(ScaleNcclStep(Time(0), Protocol::LL, TransportKind::RAIL), Time(0));
}
