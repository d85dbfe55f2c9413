/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/bus-bandwidth.h"
#include "ns3/collective-measurement.h"
#include "ns3/picosecond-resolution.h"

#include <gtest/gtest.h>

// The figures that nccl-tests prints of an operation.

using namespace ns3;

namespace
{

/** @return the record of a rank's operation @param start ps @param end ps */
OperationRecord
MakeRecord(Picoseconds start,
           Picoseconds end,
           RankOperation::Kind kind = RankOperation::Kind::COLLECTIVE)
{
    OperationRecord record;
    record.call.kind = kind;
    record.start = ToTime(start);
    record.end = ToTime(end);
    return record;
}

} // namespace

TEST(CollectiveMeasurement, TheTimeIsThatFromTheLastCallToTheLastEnd)
{
    CollectiveMeasurement measurement(4'000'000);
    measurement.TakeStart(MakeRecord(0, 0));
    measurement.TakeStart(MakeRecord(3'000'000, 0)); // 3 us
    measurement.TakeEnd(MakeRecord(3'000'000, 7'000'000));
    measurement.TakeEnd(MakeRecord(0, 5'000'000));
    EXPECT_EQ(measurement.GetTime(), ToTime(4'000'000));
    EXPECT_DOUBLE_EQ(measurement.GetSeconds(), 4e-6);
    EXPECT_DOUBLE_EQ(measurement.GetSecondsSinceBegin(), 7e-6);
    EXPECT_DOUBLE_EQ(measurement.GetAlgorithmBandwidth(), 1000); // 4 MB in 4 us
}

TEST(CollectiveMeasurement, ComputingDoesNotCount)
{
    CollectiveMeasurement measurement(1);
    measurement.TakeStart(MakeRecord(5, 0, RankOperation::Kind::COMPUTE));
    measurement.TakeEnd(MakeRecord(5, 9, RankOperation::Kind::COMPUTE));
    EXPECT_EQ(measurement.GetTime(), ToTime(0));
    EXPECT_EQ(measurement.GetAlgorithmBandwidth(), 0);
}

TEST(CollectiveMeasurement, MessagesAndBytesAreThoseOfTheBusiestRank)
{
    CollectiveMeasurement measurement(1);
    OperationRecord record = MakeRecord(0, 1);
    record.messagesSent = 3;
    record.bytesSent = 10;
    measurement.TakeEnd(record);
    record.messagesSent = 2;
    record.bytesSent = 20;
    measurement.TakeEnd(record);
    EXPECT_EQ(measurement.GetMessages(), 3U);
    EXPECT_EQ(measurement.GetBytes(), 20U);
}

TEST(BusFactor, IsTheShareOfTheBufferThatARankSends)
{
    // a rank of four sends its shard to three others once; in an all-reduce each shard goes twice
    EXPECT_DOUBLE_EQ(GetBusFactor(CollectiveKind::ALL_GATHER, 4), 0.75);
    EXPECT_DOUBLE_EQ(GetBusFactor(CollectiveKind::REDUCE_SCATTER, 4), 0.75);
    EXPECT_DOUBLE_EQ(GetBusFactor(CollectiveKind::ALL_TO_ALL, 4), 0.75);
    EXPECT_DOUBLE_EQ(GetBusFactor(CollectiveKind::ALL_REDUCE, 4), 1.5);
    EXPECT_DOUBLE_EQ(GetBusFactor(CollectiveKind::BROADCAST, 4), 1);
}
