/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/arrival-record.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/queue-history.h"

#include <gtest/gtest.h>
#include <sstream>
#include <stdexcept>
#include <string>

// The figures of many senders to one receiver: its queue, and the arrivals.

using namespace ns3;

TEST(QueueHistory, TheMeanIsTheAreaOverTheTime)
{
    QueueHistory queue(false);
    queue.Add(ToTime(100), 40); // empty for 100 ps
    queue.Add(ToTime(150), 10); // 40 bytes for 50 ps
    queue.Add(ToTime(400), 0);  // 10 bytes for 250 ps
    EXPECT_EQ(queue.GetPeak(), 40U);
    EXPECT_EQ(queue.GetMean(ToTime(500)), (40U * 50 + 10 * 250) / 500);
    EXPECT_EQ(queue.GetMean(ToTime(0)), 0U);
    EXPECT_TRUE(queue.GetDepths().empty());
}

TEST(QueueHistory, AreasBeyond64BitsAreExact)
{
    const uint64_t bytes = uint64_t{1} << 40;
    const Time end = ToTime(1'000'000'000'000'000); // 1000 s
    QueueHistory queue(false);
    queue.Add(ToTime(0), bytes);
    queue.Add(end, 0);
    EXPECT_EQ(queue.GetMean(end), bytes);
}

TEST(QueueHistory, ChangesAreKeptOnRequest)
{
    QueueHistory queue(true);
    queue.Add(ToTime(3), 5);
    queue.Add(ToTime(9), 0);
    ASSERT_EQ(queue.GetDepths().size(), 2U);
    EXPECT_EQ(queue.GetDepths()[0].since, ToTime(3));
    EXPECT_EQ(queue.GetDepths()[0].bytes, 5U);
}

TEST(ArrivalRecord, GoodputCountsPayloadFromTheBeginning)
{
    ArrivalRecord arrivals(2, 1000);
    arrivals.Arrive(1, ToTime(4'000'000)); // 8000 bits in 4 us
    EXPECT_EQ(arrivals.GetGoodput(0), 0U);
    EXPECT_EQ(arrivals.GetGoodput(1), 2'000'000'000U);
    EXPECT_EQ(arrivals.GetDelivered(), 1U);
    EXPECT_EQ(arrivals.GetLast(), ToTime(4'000'000));
    EXPECT_NO_THROW(arrivals.Require());
}

TEST(ArrivalRecord, TheFirstOfTheFailuresIsReported)
{
    ArrivalRecord arrivals(4, 1000);
    arrivals.Fail(3, "late");
    arrivals.Fail(1, "retry limit");
    std::string message;
    try
    {
        arrivals.Require();
    }
    catch (const std::runtime_error& error)
    {
        message = error.what();
    }
    EXPECT_EQ(message, "the message of sender 2 failed: retry limit (and those of 1 others)");
    std::ostringstream table;
    arrivals.Print(table);
    EXPECT_NE(table.str().find("     4  failed: late\n"), std::string::npos) << table.str();
}
