/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parameters of schedules are equal if and only if their keys are.

#include "ns3/collective-schedule.h"
#include "ns3/demand-matrix.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

namespace
{

/** @return a demand of two ranks */
std::shared_ptr<const DemandMatrix>
MakeDemand(uint64_t bytes)
{
    DemandMatrix demand(2);
    demand.Set(0, 1, bytes);
    return std::make_shared<const DemandMatrix>(demand);
}

} // namespace

TEST(CollectiveParameters, AreEqualIfTheirKeysAre)
{
    std::vector<CollectiveParameters> all(11); // each differs from the first in one parameter
    all[1].kind = CollectiveKind::ALL_GATHER;
    all[2].ranks = 3;
    all[3].channels = 2;
    all[4].bidirectional = true;
    all[5].root = 1;
    all[6].straggler = 1;
    all[7].perServer = 2;
    all[8].ports = 2;
    all[9].demand = MakeDemand(1);
    all[10].demand = MakeDemand(2);
    all.push_back(all[10]);
    all.back().demand = MakeDemand(2); // another object
    all.push_back(all[0]);
    uint32_t equal = 0;
    for (const CollectiveParameters& one : all)
    {
        for (const CollectiveParameters& other : all)
        {
            EXPECT_EQ(one == other, one.GetKey() == other.GetKey())
                << one.GetKey() << " / " << other.GetKey();
            equal += one == other ? 1 : 0;
        }
    }
    EXPECT_EQ(equal, all.size() + 4) << "beside each itself, two pairs, both ways";
}
