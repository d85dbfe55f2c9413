/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The counts of a job at the end of an iteration, which other processes have later than this one.

#include "ns3/job-journal.h"
#include "ns3/job-tally.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ns3
{

TEST(JobJournal, AnIterationEndsOnTheLastProcess)
{
    JobJournal here;
    here.End(0, 100);
    here.End(1, 250);
    JobJournal there;
    there.End(0, 130);
    there.End(1, 240);
    here.Add(there);
    EXPECT_EQ(here.GetEnd(0), 130);
    EXPECT_EQ(here.GetEnd(1), 250);
}

TEST(JobJournal, WhatEndsBeforeThatCountsThoughItIsOfALaterIteration)
{
    JobJournal here;
    here.End(0, 100);
    here.End(1, 200);
    here.Add(JobJournal::Computed{90, 1000, 0});
    here.Add(JobJournal::Computed{120, 200, 1}); // before the end on the other process
    here.Add(JobJournal::Computed{130, 40, 1});  // at that instant, of the next iteration
    here.Add(JobJournal::Computed{180, 5, 1});
    JobJournal there;
    there.End(0, 130);
    there.End(1, 170);
    there.Add(JobJournal::Computed{130, 3000, 0}); // at that instant, of the iteration

    ByteWriter writer;
    there.Put(writer);
    ByteReader reader(writer.GetBytes());
    here.Add(JobJournal::Take(reader));
    EXPECT_TRUE(reader.IsAtEnd());

    JobTally first;
    here.Count(0, first);
    EXPECT_EQ(first.computed.GetTimeStep(), 1000 + 200 + 3000);
    JobTally second;
    here.Count(1, second);
    EXPECT_EQ(second.computed.GetTimeStep(), 1000 + 200 + 40 + 5 + 3000);
}

TEST(JobJournal, TheControlPlaneHasTheCountsThatItHadThen)
{
    JobJournal journal;
    journal.End(0, 100);
    journal.Set(JobJournal::Control{40, 7, 0, 0, 0, 1, 0});
    journal.Set(JobJournal::Control{90, 9, 0, 0, 0, 2, 0});
    journal.Set(JobJournal::Control{110, 30, 0, 0, 0, 5, 1});
    journal.Add(JobJournal::Sent{30, 1});
    journal.Add(JobJournal::Sent{30, 2});
    journal.Add(JobJournal::Sent{100, 4}); // at the end: it is sent when the instant is over
    JobTally tally;
    journal.Count(0, tally);
    EXPECT_EQ(tally.exposed.GetTimeStep(), 9);
    EXPECT_EQ(tally.reconfigurations, 2U);
    EXPECT_EQ(tally.wrongPredictions, 0U);
    EXPECT_EQ(tally.controlMessages, 3U);
}

} // namespace ns3
