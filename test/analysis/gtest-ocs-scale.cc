/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ocs-scale.h"
#include "ns3/ocs-technology.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

const OcsScale&
Find(const std::vector<OcsScale>& list, const std::string& name)
{
    return *std::find_if(list.begin(), list.end(), [&name](const OcsScale& one) {
        return one.name == name;
    });
}

} // namespace

TEST(OcsScale, TableOfTheWorkshopPaper)
{
    // arXiv 2507.08119: GPUs with GB200 (72 a server) and with H200 (8)
    const struct
    {
        const char* name;
        uint64_t gpusOfGb200;
        uint64_t gpusOfH200;
    } rows[] = {
        {"plzt", 576, 64},
        {"sip", 1152, 128},
        {"rotornet", 4608, 512},
        {"mems", 11520, 1280},
        {"piezo", 20736, 2304},
        {"liquid-crystal", 18432, 2048},
        {"robotic", 36288, 4032},
    };

    const std::vector<OcsScale> gb200 = ListOcsScale(72);
    const std::vector<OcsScale> h200 = ListOcsScale(8);
    ASSERT_EQ(gb200.size(), std::size(rows));
    ASSERT_EQ(h200.size(), std::size(rows));
    for (const auto& row : rows)
    {
        const OcsScale& large = Find(gb200, row.name);
        EXPECT_EQ(large.gpus, row.gpusOfGb200) << row.name;
        EXPECT_EQ(Find(h200, row.name).gpus, row.gpusOfH200) << row.name;
        // each GPU of a rail holds two of its switch's ports, and a server has one GPU on a rail
        EXPECT_EQ(large.servers * 2, large.radix) << row.name;
        EXPECT_EQ(large.gpus, large.servers * 72U) << row.name;
        EXPECT_EQ(large.reconfiguration, OcsTechnology::Get(row.name).reconfiguration);
        EXPECT_EQ(large.product, OcsTechnology::Get(row.name).product);
    }
}

TEST(OcsScale, ServersAreWhole)
{
    // 1008 ports: 252 servers with 4 ports a GPU, 144 with 7, 100 with 10 and 8 ports left over
    EXPECT_EQ(Find(ListOcsScale(8, 4), "robotic").servers, 252U);
    EXPECT_EQ(Find(ListOcsScale(8, 7), "robotic").servers, 144U);
    EXPECT_EQ(Find(ListOcsScale(8, 10), "robotic").servers, 100U);
    EXPECT_EQ(Find(ListOcsScale(8, 10), "robotic").gpus, 800U);
    EXPECT_EQ(Find(ListOcsScale(8, 2000), "robotic").gpus, 0U);
}

TEST(OcsScale, ATechnologyOfAUsersIsInIt)
{
    OcsTechnology::GetAll().push_back(
        {"mine", "My lab", MicroSeconds(3), 64, 2.0, 0.5, 400.0, false});
    const std::vector<OcsScale> list = ListOcsScale(8);
    EXPECT_EQ(list.back().name, "mine");
    EXPECT_EQ(list.back().gpus, 8U * 32);
    OcsTechnology::GetAll().pop_back();
    EXPECT_EQ(ListOcsScale(8).size(), list.size() - 1);
}

TEST(OcsScaleDeathTest, MistakesAreNamed)
{
    EXPECT_DEATH(ListOcsScale(0), "0 GPUs a server with 2 ports each; give 1 or more");
    EXPECT_DEATH(ListOcsScale(8, 0), "with 0 ports each");
}
