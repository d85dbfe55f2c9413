/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Helpers and attributes refuse in a script what a command line refuses, with the same messages.

#include "ns3/collective-algorithm.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/fidelity-option.h"
#include "ns3/management-network-helper.h"
#include "ns3/ocs-technology.h"
#include "ns3/option-value.h"
#include "ns3/opus-helper.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/picosecond-resolution.h"
#include "ns3/rdma-helper.h"
#include "ns3/scale-up-helper.h"
#include "ns3/string.h"
#include "ns3/training-job-helper.h"
#include "ns3/uinteger.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

using namespace ns3;

namespace
{

/** A rail of four GPUs, with something set before. */
void
InstallRail(const std::function<void(PhotonicRailHelper&)>& set)
{
    UsePicoseconds();
    PhotonicRailHelper helper;
    set(helper);
    helper.Install(NodeContainer(4));
}

/** A job of two layers, with something set before. */
void
InstallJob(const std::function<void(TrainingJobHelper&)>& set)
{
    UsePicoseconds();
    TrainingJobHelper helper;
    ParallelismPlan plan;
    plan.dp = 2;
    plan.scaleUp = 1;
    helper.SetModel("llama3-8b");
    helper.SetLayers(2);
    helper.SetParallelismPlan(plan);
    helper.SetGpu("h100", 0.4);
    set(helper);
    helper.Install();
}

} // namespace

TEST(ScriptValuesDeathTest, UnknownNamesListTheKnownOnesAndTheNearest)
{
    EXPECT_DEATH(OcsTechnology::Get("mesm"),
                 "mesm: no such technology; known: plzt, sip, .*; did you mean mems");
    EXPECT_DEATH(CollectiveAlgorithm::Get(CollectiveKind::ALL_REDUCE, "rng"),
                 "rng: no such algorithm for all-reduce; known: ring, .*; did you mean ring");
    EXPECT_DEATH(SetFidelity("trians"),
                 "trians: no such fidelity; known: trains, events; did you mean trains");
    EXPECT_DEATH(InstallJob([](TrainingJobHelper& job) { job.SetModel("Llama3-9B"); }),
                 "Llama3-9B: no such model .or file ..json.; known: .*; did you mean Llama3-8B");
    EXPECT_DEATH(InstallJob([](TrainingJobHelper& job) { job.SetGpu("H10", 0.4); }),
                 "H10: no such GPU; known: .*; did you mean H100");
    EXPECT_DEATH(InstallJob([](TrainingJobHelper& job) { job.SetPolicy("provisoned"); }),
                 "provisoned: no such policy; known: .*; did you mean provisioned");
    EXPECT_DEATH(InstallRail([](PhotonicRailHelper& rail) { rail.SetTechnology("mirror"); }),
                 "mirror: no such technology; known: ");
}

TEST(ScriptValues, NamesAreKnownHoweverTheyAreWritten)
{
    EXPECT_EQ(OcsTechnology::Get("Liquid_Crystal").name, "liquid-crystal");
    EXPECT_EQ(CollectiveAlgorithm::Get(CollectiveKind::ALL_REDUCE, "HalvingDoubling").name,
              "halving-doubling");
    EXPECT_EXIT(
        {
            InstallJob([](TrainingJobHelper& job) { job.SetPolicy("On_Demand"); });
            _exit(0);
        },
        testing::ExitedWithCode(0),
        "");
}

TEST(ScriptValuesDeathTest, RatesAndTimesHaveTheLimitsOfTheCommandLine)
{
    const std::string rates = ParseRate("1bps").why;
    EXPECT_EQ(rates, "give 1Mbps to 1000Tbps");
    for (const uint64_t rate : {uint64_t{0}, uint64_t{1}, uint64_t{999'999}, UINT64_MAX})
    {
        EXPECT_DEATH(
            InstallRail([rate](PhotonicRailHelper& rail) { rail.SetPorts(1, DataRate(rate)); }),
            "RailNetDevice::DataRate of " + std::to_string(rate) + "bps; " + rates);
        EXPECT_DEATH(ManagementNetworkHelper().SetRate(DataRate(rate)), rates);
    }
    for (const double seconds : {-1.0, 1'000'001.0})
    {
        EXPECT_DEATH(InstallRail([seconds](PhotonicRailHelper& rail) {
                         rail.SetReconfigurationTime(Seconds(seconds));
                     }),
                     "reconfiguration time of .* give 0 to 1000000s");
    }
    EXPECT_EQ(ParseTime("1000001s").why, "give 1000000s or less");
}

TEST(ScriptValuesDeathTest, AttributesNameWhatThereIs)
{
    EXPECT_DEATH(RdmaHelper().SetAttribute("Mtv", UintegerValue(1024)),
                 "ns3::RdmaEngine: Mtv: no such attribute; known: .*; did you mean Mtu");
    EXPECT_DEATH(RdmaHelper().SetAttribute("Mtu", UintegerValue(5000)),
                 "RdmaEngine::Mtu does not take the value 5000; give .*256");
    EXPECT_DEATH(OpusHelper().SetShimAttribute("GiveUpAftr", UintegerValue(1)),
                 "no such attribute; known: .*; did you mean GiveUpAfter");
    EXPECT_DEATH(ScaleUpHelper().SetAttribute("PortRate", StringValue("fast")),
                 "PortRate does not take the value fast; give ");
    EXPECT_DEATH(InstallRail([](PhotonicRailHelper& rail) {
                     rail.SetFiberAttribute("FrameLossRate", DoubleValue(2));
                 }),
                 "FrameLossRate does not take the value 2; give .*0:1");
}

TEST(ScriptValuesDeathTest, CountsHaveLimits)
{
    for (const uint32_t iterations : {0U, 4'000'000'000U})
    {
        EXPECT_DEATH(
            InstallJob([iterations](TrainingJobHelper& job) { job.SetIterations(iterations); }),
            std::to_string(iterations) + " iterations: give 1 to 1000000");
    }
    EXPECT_DEATH(
        InstallRail([](PhotonicRailHelper& rail) { rail.SetPorts(0, DataRate("100Gbps")); }),
        "at least 1 port");
}
