/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ocs-technology.h"
#include "ns3/scenario-options.h"
#include "ns3/training-variant.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

// Which runs a comparison of policies has.

using namespace ns3;

namespace
{

/** @return the names of the runs of a command line */
std::vector<std::string>
ListNames(const std::vector<std::string>& args, const std::string& technology = "")
{
    ScenarioOptions options("program");
    TrainingVariants variants;
    variants.Add(options);
    options.Parse(args);
    variants.Complete(technology);
    std::vector<std::string> names;
    for (const TrainingVariant& one : variants.List())
    {
        names.push_back(one.GetName());
    }
    return names;
}

} // namespace

TEST(TrainingVariants, OnlyCircuitsThatReconfigureHaveARunForEachTime)
{
    EXPECT_TRUE(ReconfiguresCircuits("on-demand"));
    EXPECT_FALSE(ReconfiguresCircuits("electrical"));
    EXPECT_FALSE(ReconfiguresCircuits("static-split"));
    EXPECT_EQ(
        ListNames({"--policy=electrical,on-demand,static-split", "--reconfiguration=1ms,2s"}),
        (std::vector<std::string>{"electrical", "on-demand 1ms", "on-demand 2s", "static-split"}));
}

TEST(TrainingVariants, ByDefaultFourPoliciesAtSixTimes)
{
    // two policies without a time, and two at each of six
    EXPECT_EQ(ListNames({}).size(), 2 + 2 * 6U);
    EXPECT_EQ(ListNames({"--quick"}).size(), 2 * 2U);
}

TEST(TrainingVariants, ATechnologyHasItsOwnReconfigurationTime)
{
    ScenarioOptions options("program");
    TrainingVariants variants;
    variants.Add(options);
    options.Parse({"--policy=on-demand"});
    variants.Complete("sip");
    const std::vector<TrainingVariant> runs = variants.List();
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_TRUE(runs[0].delay->IsZero()); // what it is compared with
    EXPECT_EQ(*runs[1].delay, OcsTechnology::Get("sip").reconfiguration);
}
