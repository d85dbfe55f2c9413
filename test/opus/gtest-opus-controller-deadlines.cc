/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Requests in advance with deadlines: the earliest gets the ports first.

#include "opus-controller-bench.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** Server 0 is busy with server 1, and servers 2 and 3 announce phases with it. */
class OpusControllerDeadlines : public testing::Test
{
  protected:
    OpusControllerDeadlines()
    {
        m_bench.AnswerAll(m_bench.RequestBoth(0, 1, m_busy));
    }

    /** Both servers of a phase announce it. @param due time to its call, in picoseconds */
    void Announce(const OpusPhase& phase, uint32_t other, Picoseconds due)
    {
        for (const uint32_t server : {0U, other})
        {
            auto message = m_bench.Of<OpusRequest>(server, phase, m_bench.Between(0, other));
            message.isAhead = true;
            message.due = due;
            EXPECT_TRUE(m_bench.Core().Take(message, m_bench.now).empty()) << "ports are busy";
        }
    }

    /** Ends the busy phase. @return the phase whose circuits are set up then */
    OpusPhase Free()
    {
        m_bench.Release(0, m_busy, m_bench.Between(0, 1));
        const Bench::Outbox outbox = m_bench.Release(1, m_busy, m_bench.Between(0, 1));
        EXPECT_EQ(Bench::Count(outbox, PROGRAM), 1);
        return outbox.empty() ? OpusPhase() : outbox[0].message.Get<OpusProgram>().phase;
    }

    Bench m_bench{5, 1, 1};
    OpusPhase m_busy = Bench::Send(0, 1);
    OpusPhase m_early = Bench::Send(0, 2);
    OpusPhase m_late = Bench::Send(0, 3);
};

TEST_F(OpusControllerDeadlines, TheEarliestGetsThePortsFirst)
{
    Announce(m_late, 3, 5000);
    m_bench.now = 1000;
    Announce(m_early, 2, 3000); // at 4000, before 5000
    EXPECT_TRUE(Free() == m_early);
}

TEST_F(OpusControllerDeadlines, TheTimeCountsFromTheMessage)
{
    Announce(m_late, 3, 5000);
    m_bench.now = 3000;
    Announce(m_early, 2, 3000); // at 6000, after 5000
    EXPECT_TRUE(Free() == m_late);
}

TEST_F(OpusControllerDeadlines, WithoutDeadlinesTheFirstGoesFirst)
{
    Announce(m_late, 3, 0);
    m_bench.now = 1000;
    Announce(m_early, 2, 0);
    EXPECT_TRUE(Free() == m_late);
}

TEST_F(OpusControllerDeadlines, WhatIsCalledGoesFirst)
{
    Announce(m_early, 2, 1);
    m_bench.now = 1000;
    EXPECT_TRUE(m_bench.RequestBoth(0, 3, m_late).empty());
    EXPECT_TRUE(Free() == m_late);
}

} // namespace
