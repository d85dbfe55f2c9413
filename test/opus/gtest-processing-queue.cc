/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A server with one queue, against the closed forms of queueing theory.

#include "ns3/processing-queue.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** @return when each input ends @param arrivals of inputs, ascending @param spans of processing */
std::vector<Picoseconds>
RunQueue(ProcessingQueue& queue,
         const std::vector<Picoseconds>& arrivals,
         const std::vector<Picoseconds>& spans)
{
    std::vector<Picoseconds> ends;
    std::size_t next = 0;
    std::size_t begun = 0;
    Picoseconds end = NEVER;
    while (next < arrivals.size() || end != NEVER)
    {
        const Picoseconds arrival = next < arrivals.size() ? arrivals[next] : NEVER;
        const Picoseconds now = std::min(arrival, end);
        if (end == now)
        {
            queue.End()();
            end = NEVER;
        }
        else
        {
            queue.Add(
                now,
                [&ends, &end]() { ends.push_back(end); },
                true);
            ++next;
        }
        if (queue.IsReady())
        {
            end = now + spans[begun++];
            queue.Begin(now, end - now);
        }
    }
    return ends;
}

} // namespace

TEST(ProcessingQueue, InputsOfOneInstantWaitForThoseBeforeThem)
{
    constexpr Picoseconds SPAN = 70;
    constexpr int INPUTS = 10;
    ProcessingQueue queue;
    const std::vector<Picoseconds> ends = RunQueue(queue,
                                                   std::vector<Picoseconds>(INPUTS, 1000),
                                                   std::vector<Picoseconds>(INPUTS, SPAN));
    for (int i = 0; i < INPUTS; ++i)
    {
        EXPECT_EQ(ends[i], 1000 + (i + 1) * SPAN);
    }
    EXPECT_EQ(queue.GetLoad().inputs, INPUTS);
    EXPECT_EQ(queue.GetLoad().longest, INPUTS);
    EXPECT_EQ(queue.GetLoad().busy, INPUTS * SPAN);
    EXPECT_EQ(queue.GetLoad().waited, SPAN * INPUTS * (INPUTS - 1) / 2);
    EXPECT_EQ(queue.GetLoad().waitedMost, SPAN * (INPUTS - 1));
}

TEST(ProcessingQueue, InputsThatAreFurtherApartThanTheirProcessingDoNotWait)
{
    ProcessingQueue queue;
    const std::vector<Picoseconds> ends = RunQueue(queue, {0, 100, 200, 300}, {99, 100, 100, 1});
    EXPECT_EQ(ends, (std::vector<Picoseconds>{99, 200, 300, 301}));
    EXPECT_EQ(queue.GetLoad().waited, 0);
}

TEST(ProcessingQueue, WaitsFollowLindleysRecursion)
{
    for (int seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<Picoseconds> arrivals;
        std::vector<Picoseconds> spans;
        Picoseconds when = 0;
        for (int i = 0; i < 200; ++i)
        {
            when += random() % 100; // often 0: inputs of one instant
            arrivals.push_back(when);
            spans.push_back(random() % 90);
        }
        ProcessingQueue queue;
        const std::vector<Picoseconds> ends = RunQueue(queue, arrivals, spans);
        ASSERT_EQ(ends.size(), arrivals.size());
        Picoseconds wait = 0; // of input i: max(0, wait + span - time between arrivals)
        Picoseconds sum = 0;
        for (std::size_t i = 0; i < arrivals.size(); ++i)
        {
            EXPECT_EQ(ends[i], arrivals[i] + wait + spans[i]) << "seed " << seed;
            sum += wait;
            const Picoseconds gap = i + 1 < arrivals.size() ? arrivals[i + 1] - arrivals[i] : 0;
            wait = std::max<Picoseconds>(0, wait + spans[i] - gap);
        }
        EXPECT_EQ(queue.GetLoad().waited, sum) << "seed " << seed;
    }
}

TEST(ProcessingQueue, RandomArrivalsFollowTheFormulaOfPollaczekAndKhinchine)
{
    // M/D/1: the mean wait is r / (2 (1 - r)) processing times, at a load of r
    constexpr Picoseconds SPAN = 1'000'000;
    constexpr int INPUTS = 400'000;
    for (const double load : {0.2, 0.5, 0.8})
    {
        std::mt19937_64 random(7);
        std::exponential_distribution<double> gap(load / SPAN);
        std::vector<Picoseconds> arrivals;
        double when = 0;
        for (int i = 0; i < INPUTS; ++i)
        {
            when += gap(random);
            arrivals.push_back(std::llround(when));
        }
        ProcessingQueue queue;
        RunQueue(queue, arrivals, std::vector<Picoseconds>(INPUTS, SPAN));
        const double mean = 1.0 * queue.GetLoad().waited / INPUTS / SPAN;
        const double expected = load / (2 * (1 - load));
        EXPECT_NEAR(mean, expected, expected * 0.03) << "load " << load;
    }
}

TEST(ProcessingQueue, AGroupIsOverAfterItsLastInput)
{
    ProcessingQueue queue;
    const auto nothing = []() {};
    queue.Add(0, nothing, false);
    queue.Add(0, nothing, true);
    queue.Add(0, nothing, true);
    std::vector<bool> within;
    for (int i = 0; i < 3; ++i)
    {
        queue.Begin(i, 1);
        queue.End();
        within.push_back(queue.IsWithinGroup());
    }
    EXPECT_EQ(within, (std::vector<bool>{true, false, false}));
}

TEST(ProcessingQueue, ClearDropsInputsAndKeepsTheLoad)
{
    ProcessingQueue queue;
    const auto nothing = []() {};
    queue.Add(0, nothing, false);
    queue.Add(0, nothing, true);
    queue.Begin(0, 5);
    queue.End();
    queue.Begin(5, 5);
    queue.Clear();
    EXPECT_EQ(queue.GetLength(), 0);
    EXPECT_FALSE(queue.IsReady());
    EXPECT_FALSE(queue.IsWithinGroup());
    EXPECT_EQ(queue.GetLoad().inputs, 1);
    EXPECT_EQ(queue.GetLoad().busy, 5);
}
