/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The places of ranks, by which a controller checks the reports of servers.

#include "ns3/cabling.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <utility>

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

TEST(OpusCabling, FindsWhatWasJoinedAndOwnedAndNothingElse)
{
    constexpr uint32_t RANKS = 12;
    constexpr uint32_t PORTS = 20;
    std::mt19937 random(1);
    for (uint32_t run = 0; run < 500; ++run)
    {
        Cabling cabling;
        std::map<std::pair<uint32_t, uint32_t>, NicPort> joined; // by rail and port
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> owners;
        std::map<uint32_t, std::vector<PortId>> ports; // by rank
        for (uint32_t i = random() % 30; i > 0; --i)
        {
            const uint32_t rank = random() % RANKS;
            const uint32_t rail = rank % 3;
            const uint32_t port = random() % PORTS;
            const auto nic = static_cast<uint32_t>(ports[rank].size());
            if (joined.emplace(std::pair(rail, port), NicPort{RankId(rank), nic}).second)
            {
                cabling.Join(RankId(rank), ServerId(rank / 3), {RailId(rail), PortId(port)});
                ports[rank].emplace_back(port);
            }
        }
        for (const auto& [place, nic] : joined)
        {
            if (random() % 3 != 0)
            {
                owners[place] = random() % 2;
                cabling.Own(JobId(owners[place]), {RailId(place.first), PortId(place.second)});
            }
        }
        for (uint32_t rail = 0; rail < 4; ++rail)
        {
            uint32_t last = 0;
            for (uint32_t port = 0; port < PORTS + 1; ++port)
            {
                const RailPort place{RailId(rail), PortId(port)};
                const auto nic = joined.find({rail, port});
                const auto owner = owners.find({rail, port});
                last = nic == joined.end() ? last : port + 1;
                ASSERT_EQ(cabling.FindNicPort(place).has_value(), nic != joined.end());
                if (nic != joined.end())
                {
                    ASSERT_EQ(cabling.FindNicPort(place)->rank, nic->second.rank);
                    ASSERT_EQ(cabling.FindNicPort(place)->port, nic->second.port);
                }
                ASSERT_EQ(cabling.FindOwner(place).has_value(), owner != owners.end());
                ASSERT_TRUE(owner == owners.end() ||
                            *cabling.FindOwner(place) == JobId(owner->second));
            }
            ASSERT_EQ(cabling.GetSwitchPorts(RailId(rail)), last);
        }
        std::set<RankId> ofJob;
        for (uint32_t rank = 0; rank < RANKS + 1; ++rank)
        {
            std::vector<uint32_t> owned;
            for (uint32_t port = 0; port < ports[rank].size(); ++port)
            {
                const auto owner = owners.find({rank % 3, ports[rank][port].Get()});
                if (owner != owners.end() && owner->second == 0)
                {
                    owned.push_back(port);
                    ofJob.emplace(rank);
                }
            }
            ASSERT_EQ(cabling.IsKnown(RankId(rank)), !ports[rank].empty());
            ASSERT_EQ(cabling.GetOwnedPorts(JobId(0), RankId(rank)), owned);
            ASSERT_EQ(cabling.CountOwnedPorts(JobId(0), RankId(rank)), owned.size());
        }
        ASSERT_EQ(cabling.GetRanks(JobId(0)), std::vector<RankId>(ofJob.begin(), ofJob.end()));
    }
}
