/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "largest-frame.h"

#include "ns3/ecn-profile.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t RATE = 400'000'000'000;

/** Whether every frame that finds so many bytes is marked: pmax is 1. */
bool
Marks(const EcnMarking& marking, uint64_t bytes)
{
    return marking.IsMarked(EcnMarking::KeyOf(1, 1), 0, bytes);
}

} // namespace

TEST(EcnProfile, OnlyTheNamedClassesMark)
{
    EcnProfile profile;
    profile.SetCommon(0x08, 1000, 2000, 1);
    const auto marking = profile.GetMarking(RATE, LARGEST);
    for (uint32_t c = 0; c < EcnProfile::CLASSES; ++c)
    {
        EXPECT_EQ(Marks(marking[c], 2001), c == 3) << c;
    }
    EXPECT_FALSE(Marks(marking[3], 1000));
}

TEST(EcnProfile, AThresholdOfZeroIsThatOfTheRate)
{
    EcnProfile profile;
    profile.SetCommon(0x08, 0, 0, 1);
    const auto marking = profile.GetMarking(RATE, LARGEST);
    EXPECT_FALSE(Marks(marking[3], 400 * 4000)) << "4 kB for each Gb/s";
    EXPECT_TRUE(Marks(marking[3], 400 * 16'000 + 1)) << "16 kB for each Gb/s";
}

TEST(EcnProfile, AClassMayHaveThresholdsOfItsOwn)
{
    EcnProfile profile;
    profile.SetCommon(0x08, 1000, 2000, 1);
    profile.SetOwn(3, 5000, 6000, 1);
    profile.SetOwn(5, 5000, 6000, 1);
    const auto marking = profile.GetMarking(RATE, LARGEST);
    for (const uint32_t c : {3, 5})
    {
        EXPECT_FALSE(Marks(marking[c], 5000)) << c;
        EXPECT_TRUE(Marks(marking[c], 6001)) << c;
    }
}
