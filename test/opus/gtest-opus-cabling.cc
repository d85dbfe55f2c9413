/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The places of ranks, by which a controller checks the reports of servers.

#include "ns3/cabling.h"

#include <gtest/gtest.h>

using namespace ns3;

TEST(OpusCabling, RanksAreOnAServerIfThereAreAnyAndAllOfThemAre)
{
    const Cabling cabling = Cabling::OfRails(2, 2, 1); // ranks 0 and 1, and 2 and 3
    EXPECT_TRUE(cabling.AreOnServer({RankId(2), RankId(3)}, ServerId(1)));
    EXPECT_FALSE(cabling.AreOnServer({RankId(1), RankId(2)}, ServerId(1)));
    EXPECT_FALSE(cabling.AreOnServer({RankId(3), RankId(4)}, ServerId(1))) << "there is no rank 4";
    EXPECT_FALSE(cabling.AreOnServer({}, ServerId(1)));
}

TEST(OpusCabling, PortsOfANicAreCountedFromZero)
{
    const Cabling cabling = Cabling::OfRails(1, 1, 2);
    EXPECT_TRUE(cabling.HasPort(RankId(0), 0));
    EXPECT_TRUE(cabling.HasPort(RankId(0), 1));
    EXPECT_FALSE(cabling.HasPort(RankId(0), 2));
    EXPECT_FALSE(cabling.HasPort(RankId(1), 0)) << "there is no such rank";
}
