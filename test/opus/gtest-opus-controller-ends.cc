/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The end of all jobs: circuits are taken down when no rank needs them any more.

#include "opus-controller-bench.h"

#include "ns3/controller-note.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using Bench = OpusControllerBench;

/** A phase of two servers, on circuits that come up. */
class OpusControllerEnds : public testing::Test
{
  protected:
    /** @return the messages that follow when all ranks have left */
    Bench::Outbox Leave()
    {
        m_bench.Core().AllLeft();
        return m_bench.Core().TimePassed(m_bench.now);
    }

    /** @return whether a note of a kind was made since the last call */
    bool HasNoted(ControllerNote::Kind kind)
    {
        const std::vector<ControllerNote> notes = m_bench.Core().TakeNotes();
        return std::any_of(notes.begin(), notes.end(), [kind](const ControllerNote& note) {
            return note.kind == kind;
        });
    }

    /** Sets up the circuits of the phase. */
    void GrantPhase()
    {
        m_bench.AnswerAll(m_bench.RequestBoth(0, 1, m_phase));
    }

    Bench m_bench{3, 1, 2};
    OpusPhase m_phase = Bench::Send(0, 1);
};

} // namespace

TEST_F(OpusControllerEnds, CircuitsAreTakenDownWhenAllHaveReleasedThem)
{
    GrantPhase();
    EXPECT_TRUE(Leave().empty()) << "the phase is granted";
    EXPECT_TRUE(m_bench.Release(0, m_phase, m_bench.Between(0, 1)).empty());
    const Bench::Outbox last = m_bench.Release(1, m_phase, m_bench.Between(0, 1));
    ASSERT_EQ(Bench::Count(last, PROGRAM), 1);
    const OpusProgram& program = last[0].message.Get<OpusProgram>();
    EXPECT_EQ(program.down.size(), 2) << "a circuit of each port";
    EXPECT_TRUE(program.up.empty());
    EXPECT_FALSE(HasNoted(ControllerNote::Kind::RETURNED)) << "not before the agent's answer";
    EXPECT_TRUE(m_bench.Answer(last[0].message).empty());
    EXPECT_TRUE(HasNoted(ControllerNote::Kind::RETURNED));
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
    EXPECT_TRUE(m_bench.Core().GetLedger().GetCircuits()[0].GetCircuits().empty());
}

TEST_F(OpusControllerEnds, WithoutCircuitsPortsAreReturnedAtOnce)
{
    EXPECT_TRUE(Leave().empty());
    EXPECT_TRUE(HasNoted(ControllerNote::Kind::RETURNED));
}

TEST_F(OpusControllerEnds, AnAgentThatCannotTakeThemDownReturnsNoPorts)
{
    GrantPhase();
    m_bench.Release(0, m_phase, m_bench.Between(0, 1));
    m_bench.Release(1, m_phase, m_bench.Between(0, 1));
    const Bench::Outbox end = Leave();
    ASSERT_EQ(Bench::Count(end, PROGRAM), 1);
    m_bench.Answer(end[0].message, "the switch is on fire");
    const std::vector<ControllerNote> notes = m_bench.Core().TakeNotes();
    EXPECT_EQ(notes.back().kind, ControllerNote::Kind::FAILED);
    EXPECT_EQ(notes.back().words, "rail 0: the switch is on fire");
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
}

TEST_F(OpusControllerEnds, AnAgentThatDoesNotAnswerReturnsNoPorts)
{
    GrantPhase();
    m_bench.Release(0, m_phase, m_bench.Between(0, 1));
    m_bench.Release(1, m_phase, m_bench.Between(0, 1));
    ASSERT_EQ(Bench::Count(Leave(), PROGRAM), 1);
    m_bench.now = m_bench.Core().GetNextDeadline();
    ASSERT_NE(m_bench.now, NEVER);
    m_bench.Core().TimePassed(m_bench.now);
    EXPECT_FALSE(HasNoted(ControllerNote::Kind::RETURNED));
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
}

TEST_F(OpusControllerEnds, APhaseThatCameBeforeTheEndIsServedFirst)
{
    GrantPhase();
    m_bench.Release(0, m_phase, m_bench.Between(0, 1));
    m_bench.Release(1, m_phase, m_bench.Between(0, 1));
    const OpusPhase next = Bench::Send(0, 1, 1);
    m_bench.Request(0, next, m_bench.Between(0, 1));
    EXPECT_TRUE(Leave().empty());
    EXPECT_EQ(Bench::Count(m_bench.Request(1, next, m_bench.Between(0, 1)), GRANT), 2);
    m_bench.Release(0, next, m_bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(m_bench.Release(1, next, m_bench.Between(0, 1)), PROGRAM), 1);
}

TEST_F(OpusControllerEnds, RanksThatWereStoppedHoldNothing)
{
    GrantPhase();
    m_bench.Request(0, Bench::Send(0, 1, 1), m_bench.Between(0, 1)); // a vote is missing
    m_bench.Core().Abandon("GPU 1 is lost");
    const Bench::Outbox end = m_bench.Core().TimePassed(m_bench.now);
    ASSERT_EQ(Bench::Count(end, PROGRAM), 1);
    EXPECT_EQ(Bench::Count(end, REFUSE), 2) << "of the request, to both servers";
    m_bench.AnswerAll(end);
    EXPECT_TRUE(HasNoted(ControllerNote::Kind::RETURNED));
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
    EXPECT_TRUE(m_bench.Core().GetLedger().GetCircuits()[0].GetCircuits().empty());
    // a late request is refused, and opens nothing
    const Bench::Outbox late = m_bench.Request(1, Bench::Send(0, 1, 2), m_bench.Between(0, 1));
    EXPECT_EQ(Bench::Count(late, REFUSE), 2);
    EXPECT_TRUE(m_bench.Core().GetPhases().empty());
}

TEST_F(OpusControllerEnds, CircuitsThatAreBeingSetUpAreTakenDownAfterwards)
{
    const Bench::Outbox programs = m_bench.RequestBoth(0, 1, m_phase);
    ASSERT_EQ(Bench::Count(programs, PROGRAM), 1);
    m_bench.Core().Abandon("GPU 1 is lost");
    EXPECT_EQ(Bench::Count(m_bench.Core().TimePassed(m_bench.now), PROGRAM), 0)
        << "the switch has not answered";
    EXPECT_FALSE(HasNoted(ControllerNote::Kind::RETURNED));
    m_bench.AnswerAll(programs);
    EXPECT_TRUE(HasNoted(ControllerNote::Kind::RETURNED));
    EXPECT_TRUE(m_bench.Core().GetLedger().GetCircuits()[0].GetCircuits().empty());
}
