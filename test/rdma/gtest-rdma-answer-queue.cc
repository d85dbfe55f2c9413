/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/answer-queue.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

RoceFrame
Answer(uint8_t syndrome, uint32_t psn, uint32_t kept = 0)
{
    RoceFrame frame;
    frame.syndrome = syndrome;
    frame.psn = psn;
    frame.msn = kept;
    return frame;
}

} // namespace

TEST(AnswerQueue, AnAnswerWaitsForItsInstant)
{
    AnswerQueue answers;
    EXPECT_FALSE(answers.IsReady(NEVER));
    answers.Push(Answer(RoceSyndrome::ACK, 3), 1000);
    EXPECT_FALSE(answers.IsReady(999));
    EXPECT_TRUE(answers.IsReady(1000));
}

TEST(AnswerQueue, TheNewestAcknowledgementCoversThoseBeforeIt)
{
    AnswerQueue answers;
    answers.Push(Answer(RoceSyndrome::ACK, 3), 1000);
    answers.Push(Answer(RoceSyndrome::ACK, 7), 2000);
    answers.Push(Answer(RoceSyndrome::ACK, 9), 3000);
    EXPECT_EQ(answers.Take(2500).psn, 7U);
    EXPECT_FALSE(answers.IsReady(2999)) << "the one of 3000 stays";
    EXPECT_EQ(answers.Take(3000).psn, 9U);
    EXPECT_TRUE(answers.IsEmpty());
}

TEST(AnswerQueue, ANakCountsWhileTheFrameThatItNamesIsTheNextMissingOne)
{
    AnswerQueue answers;
    answers.Push(Answer(RoceSyndrome::NAK_SEQUENCE, 8), 1000);
    answers.Push(Answer(RoceSyndrome::ACK, 7), 2000); // settles all before 8
    EXPECT_EQ(answers.Take(2000).syndrome, RoceSyndrome::NAK_SEQUENCE);
    EXPECT_TRUE(answers.IsEmpty());

    answers.Push(Answer(RoceSyndrome::NAK_SEQUENCE, 8), 1000);
    answers.Push(Answer(RoceSyndrome::ACK, 8), 2000); // the frame has come meanwhile
    EXPECT_EQ(answers.Take(2000).syndrome, RoceSyndrome::ACK);
    EXPECT_TRUE(answers.IsEmpty());
}

TEST(AnswerQueue, WithSelectiveRepeatEachNakOfAKeptFrameIsSent)
{
    AnswerQueue answers;
    answers.Push(Answer(RoceSyndrome::NAK_SEQUENCE, 8, 9), 1000);
    answers.Push(Answer(RoceSyndrome::NAK_SEQUENCE, 8, 10), 2000);
    EXPECT_EQ(answers.TakeReport(2000).msn, 9U);
    EXPECT_EQ(answers.TakeReport(2000).msn, 10U);
    EXPECT_TRUE(answers.IsEmpty());

    answers.Push(Answer(RoceSyndrome::NAK_SEQUENCE, 8, 9), 1000);
    answers.Push(Answer(RoceSyndrome::ACK, 9), 2000); // settles the kept frame
    EXPECT_EQ(answers.TakeReport(2000).syndrome, RoceSyndrome::ACK);
    EXPECT_TRUE(answers.IsEmpty());
}
