/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least bytes for which it pays to reconfigure circuits rather than to use the hosts' network,
// to the byte.

#include "wide-times.h"

#include "ns3/path-choice.h"
#include "ns3/picosecond-resolution.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/** @return the question of a transfer from one rank to another, without hops */
PathQuestion
MakeTransfer(Picoseconds reconfiguration, uint64_t rate, uint64_t hostRate, uint64_t bytes)
{
    PathQuestion question;
    question.kind = CollectiveKind::SEND_RECV;
    question.bytes = bytes;
    question.hopLatency = Time(0);
    question.bytesPerSecond = rate;
    question.costs.reconfiguration = ToTime(reconfiguration);
    question.costs.hostBytesPerSecond = hostRate;
    return question;
}

/** @return least bytes S with reconfiguration + S / rate <= S / hostRate, multiplied out */
Wide
GetLeast(Wide reconfiguration, uint64_t rate, uint64_t hostRate)
{
    const Wide gain = SECOND * (rate - hostRate);
    return (reconfiguration * rate * hostRate + gain - 1) / gain;
}

const std::vector<Picoseconds> RECONFIGURATIONS{1,
                                                999,
                                                70'000,
                                                10'000'000,
                                                1'000'000'001,
                                                25'000'000'000};
const std::vector<std::pair<uint64_t, uint64_t>> RATES{{50'000'000'000, 1'250'000'000},
                                                       {50'000'000'000, 49'999'999'999},
                                                       {49'999'999'967, 1'562'499'991},
                                                       {1'600'000'000'003, 400'000'000'001},
                                                       {12'500'000'000, 7},
                                                       {3, 2}};

} // namespace

TEST(PathCrossover, ATransferChangesFromHostsToCircuitsAtTheByte)
{
    UsePicoseconds();
    uint32_t never = 0;
    for (const Picoseconds reconfiguration : RECONFIGURATIONS)
    {
        for (const auto& [rate, hostRate] : RATES)
        {
            const Wide exact = GetLeast(reconfiguration, rate, hostRate);
            if (exact > std::numeric_limits<uint64_t>::max())
            {
                EXPECT_FALSE(GetCrossover(ToTime(reconfiguration), rate, hostRate))
                    << reconfiguration << " " << rate;
                ++never;
                continue;
            }
            const auto least = static_cast<uint64_t>(exact);
            EXPECT_EQ(GetCrossover(ToTime(reconfiguration), rate, hostRate), least)
                << reconfiguration << " " << rate << " " << hostRate;
            const auto choose = [&, r = rate, h = hostRate](uint64_t bytes) {
                return ChoosePath(MakeTransfer(reconfiguration, r, h, bytes)).operationPath;
            };
            ASSERT_GT(least, 0U);
            EXPECT_EQ(choose(least), OperationPath::RECONFIGURE);
            EXPECT_EQ(choose(least - 1), OperationPath::HOST_NETWORK);
            // and nowhere else: bisect for the last byte that goes over the hosts' network
            uint64_t hosts = 0;
            uint64_t circuits = std::numeric_limits<uint64_t>::max();
            while (circuits - hosts > 1)
            {
                const uint64_t middle = hosts + (circuits - hosts) / 2;
                (choose(middle) == OperationPath::HOST_NETWORK ? hosts : circuits) = middle;
            }
            EXPECT_EQ(circuits, least);
        }
    }
    EXPECT_EQ(never, 1U) << "25 ms against a byte a second less";
}

TEST(PathCrossover, TheCrossoverCountsWhatShowsOfEachReconfigurationOverAllOperations)
{
    UsePicoseconds();
    const uint64_t rate = 50'000'000'000;
    const uint64_t hostRate = 1'250'000'000;
    for (const Picoseconds reconfiguration : RECONFIGURATIONS)
    {
        for (const Picoseconds window : {Picoseconds{0}, reconfiguration / 3, reconfiguration - 1})
        {
            for (const uint32_t back : {0, 1, 3})
            {
                for (const Picoseconds after :
                     {Picoseconds{0}, reconfiguration / 2, 2 * reconfiguration})
                {
                    for (const uint32_t operations : {1, 2, 7})
                    {
                        const Wide shows = reconfiguration - window +
                                           back * std::max<Picoseconds>(0, reconfiguration - after);
                        // k operations share the reconfigurations, so each has to gain 1 / k of
                        // them
                        const Wide gain = SECOND * (rate - hostRate) * operations;
                        const auto least =
                            static_cast<uint64_t>((shows * rate * hostRate + gain - 1) / gain);
                        PathQuestion question =
                            MakeTransfer(reconfiguration, rate, hostRate, least);
                        question.costs.window = ToTime(window);
                        question.costs.reconfigurationsBack = back;
                        question.costs.windowAfter = ToTime(after);
                        question.costs.operations = operations;
                        EXPECT_EQ(ChoosePath(question).operationPath, OperationPath::RECONFIGURE);
                        ASSERT_GT(least, 0U);
                        --question.bytes;
                        EXPECT_EQ(ChoosePath(question).operationPath, OperationPath::HOST_NETWORK);
                    }
                }
            }
        }
    }
}

TEST(PathCrossover, ThereIsNoCrossoverWhereTheHostsAreTheQuicker)
{
    UsePicoseconds();
    EXPECT_FALSE(GetCrossover(PicoSeconds(1), 1000, 1000));
    EXPECT_FALSE(GetCrossover(Time(0), 1000, 1001));
    EXPECT_EQ(GetCrossover(Time(0), 1000, 1000), 0U);
    EXPECT_EQ(GetCrossover(Time(0), 1000, 999), 0U);
    EXPECT_EQ(GetCrossover(MilliSeconds(1), 1000, 0), 0U) << "there is no network of the hosts";
}

TEST(PathCrossover, AWindowAsLongAsAReconfigurationMakesItFree)
{
    UsePicoseconds();
    const uint64_t rate = 50'000'000'000;
    const uint64_t bytes = 1'000'000;
    const Picoseconds wire = 20'000'000; // 20 ps a byte
    for (const Picoseconds reconfiguration : RECONFIGURATIONS)
    {
        PathQuestion question = MakeTransfer(reconfiguration, rate, rate / 2, bytes);
        EXPECT_EQ(ChoosePath(question).GetTime(OperationPath::RECONFIGURE),
                  ToTime(reconfiguration + wire));
        for (const Picoseconds more :
             {Picoseconds{0}, Picoseconds{1}, reconfiguration, NEVER - reconfiguration})
        {
            question.costs.window = ToTime(reconfiguration + more);
            const PathChoice choice = ChoosePath(question);
            EXPECT_EQ(choice.GetTime(OperationPath::RECONFIGURE), ToTime(wire));
            EXPECT_EQ(choice.operationPath, OperationPath::RECONFIGURE);
        }
        question.costs.window = ToTime(reconfiguration - 1);
        EXPECT_EQ(ChoosePath(question).GetTime(OperationPath::RECONFIGURE), ToTime(wire + 1));
    }
}
