/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ocs-technology.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;

TEST(OcsTechnology, TableOfTheWorkshopPaper)
{
    // arXiv 2507.08119, table of OCS technologies: reconfiguration time, radix, and the GPUs one
    // switch serves, which are GPUs a server times radix / 2 (two NIC ports a GPU)
    const struct
    {
        const char* name;
        Time reconfiguration;
        uint32_t radix;
        uint32_t gpusOfGb200;
        uint32_t gpusOfH200;
    } rows[] = {
        {"plzt", NanoSeconds(10), 16, 576, 64},
        {"sip", MicroSeconds(7), 32, 1152, 128},
        {"rotornet", MicroSeconds(10), 128, 4608, 512},
        {"mems", MilliSeconds(15), 320, 11520, 1280},
        {"piezo", MilliSeconds(25), 576, 20736, 2304},
        {"liquid-crystal", MilliSeconds(100), 512, 18432, 2048},
        {"robotic", Seconds(120), 1008, 36288, 4032},
    };

    for (const auto& row : rows)
    {
        const OcsTechnology& technology = OcsTechnology::Get(row.name);
        EXPECT_EQ(technology.reconfiguration, row.reconfiguration) << row.name;
        EXPECT_EQ(technology.radix, row.radix) << row.name;
        EXPECT_EQ(72 * technology.radix / 2, row.gpusOfGb200) << row.name;
        EXPECT_EQ(8 * technology.radix / 2, row.gpusOfH200) << row.name;
    }
    EXPECT_EQ(OcsTechnology::GetAll().size(), std::size(rows));
}

TEST(OcsTechnology, NamesAreUnique)
{
    std::set<std::string> names;
    for (const OcsTechnology& one : OcsTechnology::GetAll())
    {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
    }
}

TEST(OcsTechnology, AUserAddsOneByALine)
{
    OcsTechnology::GetAll().push_back(
        {"mine", "My lab", MicroSeconds(3), 64, 2.0, 0.5, 400.0, false});
    EXPECT_EQ(OcsTechnology::Get("mine").radix, 64U);
    OcsTechnology::GetAll().pop_back();
    EXPECT_EQ(OcsTechnology::Find("mine"), nullptr);
}

TEST(OcsTechnologyDeathTest, AnUnknownOneListsTheKnown)
{
    EXPECT_DEATH(OcsTechnology::Get("mirror"),
                 "mirror: no such technology; known: plzt, .*robotic");
}
