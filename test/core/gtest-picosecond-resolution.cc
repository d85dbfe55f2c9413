/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The resolution can be set once in a process, so each case happens in a process of its own. It must
// not have been set in the one before: GoogleTest runs first what is called DeathTest.

#include "ns3/picosecond-resolution.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** Ends the process well if something holds. */
void
ExitIf(bool holds)
{
    std::_Exit(holds ? 0 : 1);
}

} // namespace

TEST(UsePicosecondsDeathTest, SetsThePicosecondAndConvertsWhatThereWas)
{
    EXPECT_EXIT(
        {
            const Time before = NanoSeconds(3);
            UsePicoseconds();
            UsePicoseconds(); // a no-op
            Simulator::Run();
            UsePicoseconds(); // and still one
            ExitIf(Time::GetResolution() == Time::PS && before.GetTimeStep() == 3000);
        },
        testing::ExitedWithCode(0),
        "");
}

TEST(UsePicosecondsDeathTest, TooLateAfterRun)
{
    EXPECT_DEATH(
        {
            Simulator::Run();
            UsePicoseconds();
        },
        "resolution is 1 ns and can no longer be changed.*first line of main");
}

TEST(UsePicosecondsDeathTest, TooLateAfterRunAndDestroy)
{
    EXPECT_DEATH(
        {
            Simulator::Run();
            Simulator::Destroy();
            UsePicoseconds();
        },
        "can no longer be changed");
}

TEST(UsePicosecondsDeathTest, SetToSomethingElse)
{
    EXPECT_DEATH(
        {
            Time::SetResolution(Time::FS);
            UsePicoseconds();
        },
        "resolution is 1 fs and can no longer be changed");
}

TEST(RequirePicosecondsDeathTest, NamesTheModelAndTheRemedy)
{
    EXPECT_DEATH(RequirePicoseconds("MyModel"),
                 "MyModel needs a time resolution of 1 ps, and it is 1 ns.*UsePicoseconds");
}
