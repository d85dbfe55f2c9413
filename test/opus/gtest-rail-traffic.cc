/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The rails that phases share as wholes, and the reasons that keep a phase from them.

#include "ns3/rail-traffic.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace ns3;

namespace
{

ControllerPhase
Make(const std::string& parallelism, const std::set<RailId>& rails)
{
    ControllerPhase phase(OpusPhase(), 2, 0);
    phase.parallelism = parallelism;
    phase.rails = rails;
    return phase;
}

const RailId A(0);
const RailId B(1);

} // namespace

TEST(RailTraffic, ARailIsFreeForAParallelismAsLongAsNoOtherIsUnderWay)
{
    RailTraffic traffic(true, {});
    const ControllerPhase dp = Make("dp", {A});
    traffic.Begin(dp);
    traffic.Begin(dp);
    EXPECT_TRUE(traffic.IsFreeFor("dp", A));
    EXPECT_FALSE(traffic.IsFreeFor("pp", A));
    EXPECT_TRUE(traffic.IsFreeFor("pp", B));
    traffic.End(dp);
    EXPECT_FALSE(traffic.IsFreeFor("pp", A)) << "one of two has ended";
    traffic.End(dp);
    EXPECT_TRUE(traffic.IsFreeFor("pp", A));
}

TEST(RailTraffic, RailsAreWholeWhereParallelismsOrSwitchesNeedIt)
{
    const RailTraffic byPort(false, {});
    EXPECT_FALSE(byPort.HasAnyWhole());
    EXPECT_TRUE(byPort.SelectWhole({A, B}).empty());
    const RailTraffic oneSwitch(false, {B});
    EXPECT_TRUE(oneSwitch.HasAnyWhole());
    EXPECT_EQ(oneSwitch.SelectWhole({A, B}), std::set<RailId>{B});
    const RailTraffic all(true, {});
    EXPECT_EQ(all.SelectWhole({A, B}), (std::set<RailId>{A, B}));
}

TEST(RailTraffic, WhatIsGrantedIsInTheWayOnRailsThatAreNotShared)
{
    const ControllerPhase dp = Make("dp", {A, B});
    const ControllerPhase pp = Make("pp", {B});
    const ControllerPhase alsoDp = Make("dp", {B});
    const RailTraffic byPort(false, {});
    EXPECT_FALSE(byPort.IsInTheWay(dp, pp));
    const RailTraffic wholeRails(true, {});
    EXPECT_TRUE(wholeRails.IsInTheWay(dp, pp));
    EXPECT_FALSE(wholeRails.IsInTheWay(dp, alsoDp)) << "one parallelism shares the rail";
    const RailTraffic wholeSwitch(false, {B});
    EXPECT_TRUE(wholeSwitch.IsInTheWay(dp, alsoDp)) << "its circuits go dark with every change";
    EXPECT_FALSE(RailTraffic(false, {A}).IsInTheWay(dp, alsoDp)) << "they meet on the other rail";
}
