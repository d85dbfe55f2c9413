/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The rules by which an operation on a rail follows that of another rail: all instants at which it
// may send are later by one shift.

#include "ns3/folded-operation.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>

using namespace ns3;

namespace
{

using Mode = FoldedOperation::Mode;

constexpr uint32_t RAILS = 2;
constexpr uint32_t PLACES = 2;

/** @return an operation of two ranks on two rails */
std::shared_ptr<FoldedOperation>
MakeOperation(Mode mode = Mode::UNDECIDED)
{
    return std::make_shared<FoldedOperation>("operation", RAILS, PLACES, mode);
}

/** @return the messages over a port */
FoldedPath
MakePath(uint32_t port = 0)
{
    FoldedPath path;
    path.links.push_back({port, port});
    return path;
}

/** Adds an input with carrier. @return the mistake */
std::string
Begin(FoldedOperation& operation, uint32_t rail, uint32_t place, Picoseconds now)
{
    return operation.AddInput(rail, place, now, MakePath(), true);
}

/** Adds the first input of the second rail, which overlaps with nothing. @return its mode */
Mode
BeginAndDecide(FoldedOperation& operation, uint32_t place, Picoseconds now, bool isLast = true)
{
    EXPECT_EQ(Begin(operation, 1, place, now), "");
    EXPECT_EQ(operation.Decide(1, now, {}, isLast), "");
    return operation.GetMode(1);
}

} // namespace

TEST(FoldedOperation, FollowsLaterByOneShift)
{
    const auto operation = MakeOperation();
    EXPECT_EQ(Begin(*operation, 0, 0, 100), "");
    EXPECT_EQ(BeginAndDecide(*operation, 0, 130), Mode::FOLLOWS);
    EXPECT_EQ(operation->GetShift(1), 30);
    EXPECT_EQ(Begin(*operation, 0, 1, 150), "");
    EXPECT_EQ(Begin(*operation, 1, 1, 180), "");
    EXPECT_EQ(operation->FindMissing(1, 500), "");
}

TEST(FoldedOperation, AnotherShiftIsAMistake)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    Begin(*operation, 0, 1, 150);
    EXPECT_EQ(BeginAndDecide(*operation, 0, 130), Mode::FOLLOWS);
    EXPECT_NE(Begin(*operation, 1, 1, 181), "");
}

TEST(FoldedOperation, AnInputThatIsMissingIsAMistakeBeforeTheEnd)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    EXPECT_EQ(BeginAndDecide(*operation, 0, 130), Mode::FOLLOWS);
    Begin(*operation, 0, 1, 150);
    EXPECT_NE(operation->FindMissing(1, 151), "");
    EXPECT_EQ(operation->FindMissing(1, 150), "") << "light takes longer than that";
}

TEST(FoldedOperation, AnInputBeforeTheLeadersIsAMistake)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    EXPECT_EQ(BeginAndDecide(*operation, 0, 130), Mode::FOLLOWS);
    EXPECT_NE(Begin(*operation, 1, 1, 140), "") << "the leader has not begun there";
}

TEST(FoldedOperation, AnInputThatTheLeaderNeverHasIsAMistakeAfterItsInstant)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    ASSERT_EQ(BeginAndDecide(*operation, 0, 100), Mode::FOLLOWS);
    EXPECT_FALSE(operation->IsAhead(1));
    EXPECT_EQ(Begin(*operation, 1, 1, 110), "") << "the leader's may come at this instant";
    EXPECT_TRUE(operation->IsAhead(1));
    EXPECT_EQ(operation->FindAhead(1, 110), "");
    EXPECT_NE(operation->FindAhead(1, 111), "") << "the leader may wait for circuits of this rail";
    EXPECT_EQ(Begin(*operation, 0, 1, 110), "");
    EXPECT_FALSE(operation->IsAhead(1));
    EXPECT_EQ(operation->FindAhead(1, 111), "");
}

TEST(FoldedOperation, ARailThatIsAheadHasItsOwnMessages)
{
    const auto operation = MakeOperation();
    EXPECT_EQ(BeginAndDecide(*operation, 0, 90), Mode::OWN);
    Begin(*operation, 0, 0, 100);
    EXPECT_EQ(Begin(*operation, 1, 1, 95), "") << "it does as it likes";
}

TEST(FoldedOperation, WaitsForTheLeaderWithinAnInstant)
{
    const auto operation = MakeOperation();
    EXPECT_EQ(BeginAndDecide(*operation, 0, 100, false), Mode::UNDECIDED);
    Begin(*operation, 0, 0, 100);
    EXPECT_EQ(operation->Decide(1, 100, {}, true), "");
    EXPECT_EQ(operation->GetMode(1), Mode::FOLLOWS);
    EXPECT_EQ(operation->GetShift(1), 0);
}

TEST(FoldedOperation, FollowsFromTheFirstInputOfTheLeaderOnly)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    Begin(*operation, 0, 1, 110);
    EXPECT_EQ(BeginAndDecide(*operation, 1, 140), Mode::OWN) << "place 0 was first there";
}

TEST(FoldedOperation, OtherPathsHaveTheirOwnMessages)
{
    const auto operation = MakeOperation();
    Begin(*operation, 0, 0, 100);
    operation->AddInput(1, 0, 130, MakePath(1), true);
    EXPECT_EQ(operation->Decide(1, 130, {}, true), "");
    EXPECT_EQ(operation->GetMode(1), Mode::OWN) << "it takes another port";
    const auto dark = MakeOperation();
    dark->AddInput(0, 0, 100, MakePath(), false);
    EXPECT_EQ(BeginAndDecide(*dark, 0, 130), Mode::OWN) << "the leader has no carrier";
}

TEST(FoldedOperation, InStepInputsComeAtTheInstantsOfTheLeader)
{
    const auto operation = MakeOperation(Mode::FOLLOWS);
    EXPECT_EQ(Begin(*operation, 1, 0, 100), "") << "the leader's may come at this instant";
    EXPECT_EQ(operation->FindMissing(1, 100), "");
    EXPECT_EQ(Begin(*operation, 0, 0, 100), "");
    EXPECT_EQ(Begin(*operation, 0, 1, 110), "") << "the rail's may come at this instant";
    EXPECT_EQ(operation->FindMissing(1, 110), "") << "nothing has come of it yet";
    EXPECT_NE(operation->FindMissing(1, 111), "");
    EXPECT_EQ(Begin(*operation, 1, 1, 110), "");
    EXPECT_EQ(operation->FindMissing(1, 200), "");
    EXPECT_EQ(operation->GetShift(1), 0);
}

TEST(FoldedOperation, OutOfStepIsAMistake)
{
    const auto late = MakeOperation(Mode::FOLLOWS);
    Begin(*late, 0, 0, 100);
    EXPECT_NE(Begin(*late, 1, 0, 101), "");
    const auto early = MakeOperation(Mode::FOLLOWS);
    Begin(*early, 1, 0, 100);
    EXPECT_NE(Begin(*early, 0, 0, 101), "");
}

TEST(FoldedOperation, InStepWhatOverlapsHasBegunToo)
{
    const auto one = MakeOperation(Mode::FOLLOWS);
    const auto other = MakeOperation(Mode::FOLLOWS);
    Begin(*one, 0, 0, 100);
    Begin(*one, 1, 0, 100);
    Begin(*other, 0, 1, 150);
    one->Couple(other, 150);
    other->Couple(one, 150);
    EXPECT_EQ(one->FindMissing(1, 150), "");
    EXPECT_NE(one->FindMissing(1, 151), "");
    Begin(*other, 1, 1, 150);
    EXPECT_EQ(one->FindMissing(1, 151), "");
    one->Forget();
    other->Forget();
}

TEST(FoldedOperation, OverlapsFollowByOneShift)
{
    const auto one = MakeOperation();
    const auto other = MakeOperation();
    Begin(*one, 0, 0, 100);
    EXPECT_EQ(BeginAndDecide(*one, 0, 130), Mode::FOLLOWS);
    Begin(*other, 0, 0, 200);
    one->Couple(other, 200);
    other->Couple(one, 200);
    EXPECT_NE(one->FindMissing(1, 300), "") << "what overlaps has not begun on the rail";
    Begin(*other, 1, 0, 230);
    EXPECT_EQ(other->Decide(1, 230, {one.get()}, true), "");
    EXPECT_EQ(one->FindMissing(1, 300), "");
    const auto late = MakeOperation();
    Begin(*late, 0, 0, 210);
    Begin(*late, 1, 0, 241);
    EXPECT_NE(late->Decide(1, 241, {one.get()}, true), "") << "31 ps later, not 30";
}

TEST(FoldedOperation, OverlapsAllHaveTheirOwnMessages)
{
    const auto own = MakeOperation(Mode::OWN);
    Begin(*own, 0, 0, 100);
    Begin(*own, 1, 0, 130);
    const auto other = MakeOperation();
    Begin(*other, 0, 0, 200);
    Begin(*other, 1, 0, 230);
    EXPECT_EQ(other->Decide(1, 230, {own.get()}, true), "");
    EXPECT_EQ(other->GetMode(1), Mode::OWN);
    own->Forget();
}

TEST(FoldedOperation, IsOverWhenAllRanksOfAllRailsAre)
{
    const auto operation = MakeOperation();
    EXPECT_FALSE(operation->End(0));
    EXPECT_TRUE(operation->End(0)) << "both ranks of the leader";
    EXPECT_FALSE(operation->End(1));
    EXPECT_FALSE(operation->IsOver());
    EXPECT_TRUE(operation->End(1));
    EXPECT_TRUE(operation->IsOver());
}
