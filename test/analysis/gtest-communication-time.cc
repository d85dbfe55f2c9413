/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The time in which GPUs communicate and do not compute.

#include "ns3/communication-time.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

TEST(CommunicationTime, WhatIsBesideComputingDoesNotCount)
{
    CommunicationTime time(1);
    time.AddComputing(0, Time(10), Time(20));
    time.AddExchange(0, Time(15), Time(40)); // 20 to 40
    EXPECT_EQ(time.GetMean(Time(0), Time(100)), Time(20));
}

TEST(CommunicationTime, OverlappingExchangesCountOnce)
{
    CommunicationTime time(1);
    time.AddExchange(0, Time(30), Time(60));
    time.AddExchange(0, Time(0), Time(50)); // in any order
    time.AddExchange(0, Time(10), Time(20));
    EXPECT_EQ(time.GetMean(Time(0), Time(100)), Time(60));
}

TEST(CommunicationTime, AComputationCutsAnExchange)
{
    CommunicationTime time(1);
    time.AddExchange(0, Time(0), Time(100));
    time.AddComputing(0, Time(20), Time(30));
    time.AddComputing(0, Time(50), Time(60));
    EXPECT_EQ(time.GetMean(Time(0), Time(100)), Time(80));
}

TEST(CommunicationTime, OnlyWhatIsBetweenTheInstantsCounts)
{
    CommunicationTime time(1);
    time.AddExchange(0, Time(0), Time(30));
    time.AddComputing(0, Time(35), Time(45));
    time.AddExchange(0, Time(40), Time(90));
    EXPECT_EQ(time.GetMean(Time(20), Time(50)), Time(10 + 5)); // 20 to 30, 45 to 50
}

TEST(CommunicationTime, ItIsTheMeanOverAllRanks)
{
    CommunicationTime time(4);
    time.AddExchange(1, Time(0), Time(40));
    time.AddExchange(2, Time(0), Time(80));
    time.AddComputing(3, Time(0), Time(80));
    EXPECT_EQ(time.GetMean(Time(0), Time(100)), Time((40 + 80) / 4));
}

} // namespace
