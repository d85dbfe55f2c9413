/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/fabric-bill.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

/** A folded Clos, put together switch by switch: a full one has the size that the formula gives. */
struct FullClos
{
    uint64_t hosts;
    uint64_t switches;
    uint64_t ports;
};

/** @return t tiers of switches with k ports, built of pods: a tier more is k/2 times as many */
FullClos
BuildFull(uint64_t k, uint32_t tiers)
{
    // a block of t tiers with half of its ports up: one switch, or k/2 blocks and as many switches
    // above them as the blocks have links up, over k/2 each
    FullClos block{k / 2, 1, k};
    uint64_t up = k / 2;
    for (uint32_t tier = 2; tier < tiers; ++tier)
    {
        block.hosts *= k / 2;
        up *= k / 2;
        const uint64_t above = up / (k / 2);
        block.switches = block.switches * (k / 2) + above;
        block.ports = block.switches * k;
    }
    // the whole: k blocks, and a top tier whose switches have all ports down
    if (tiers == 1)
    {
        return {k, 1, k};
    }
    const uint64_t top = up * k / k;
    const uint64_t switches = block.switches * k + top;
    return {block.hosts * k, switches, switches * k};
}

/** The inputs of the two studies, as numbers of this test's own. */
struct Study
{
    double switchWatts{2524.0 / 64};
    double switchDollars{37299.0 / 64};
    double opticWatts{10};
    double ocsWatts{75.0 / 192};
    double ocsDollars{520};
};

/** @return electrical over photonic, by the parts of a GPU: ports of switches a GPU given */
double
RatioByGpu(double portsOfGpu, double portPrice, double optic, double ocsPrice)
{
    // a GPU: its share of the switches' ports, a transceiver at each and one of its own; or two
    // ports of an OCS and one transceiver
    return (portsOfGpu * (portPrice + optic) + optic) / (2 * ocsPrice + optic);
}

NetworkInputs
WithPrice(double price)
{
    NetworkInputs inputs = NetworkInputs::Get("h200");
    inputs.transceiverDollars = {price, "the test"};
    return inputs;
}

} // namespace

TEST(FabricBill, WorkshopPapersSavings)
{
    // 512 servers of 8, 219 dollars. sqrt(2048) is 45.25, so switches have 45 ports; 45 / 2 is 22,
    // and 512 / 22 is 23: 46 switches a rail; 8 x 512 / 45 is 91. So 8 x 46 + 91 = 459 switches
    const double portsOfGpu = 459.0 * 45 / 4096;
    const Study study;
    const double cost = RatioByGpu(portsOfGpu, study.switchDollars, 219, study.ocsDollars);
    const double power =
        RatioByGpu(portsOfGpu, study.switchWatts, study.opticWatts, study.ocsWatts);
    const NetworkInputs inputs = WithPrice(219);
    const FabricBill electrical = MakeElectricalRails(inputs, 512, 8);
    const FabricComparison saved = CompareFabrics(MakePhotonicRails(inputs, 512, 8), electrical);
    EXPECT_EQ(electrical.switches, 459U);
    EXPECT_EQ(electrical.switchPorts, 459U * 45);
    EXPECT_NEAR(saved.costRatio, cost, 1e-9);
    EXPECT_NEAR(saved.powerRatio, power, 1e-9);
    EXPECT_NEAR(saved.costSaving, 1 - 1 / cost, 1e-9);
    EXPECT_NEAR(saved.powerSaving, 1 - 1 / power, 1e-9);
    // the figures of the paper, to the digits that it has
    EXPECT_NEAR(100 * saved.costSaving, 70.46, 0.005);
    EXPECT_NEAR(100 * saved.powerSaving, 95.84, 0.005);
}

TEST(FabricBill, SecondPapersRatios)
{
    // 64 servers, 879 dollars: everything divides. A rail is a pod of 16-port switches, 8 at the
    // edge and 8 above; 512 / 16 = 32 spines. A GPU has 5 ports: one below and two on either side
    // of the aggregation and its spines
    const Study study;
    const double cost = RatioByGpu(5, study.switchDollars, 879, study.ocsDollars);
    const double power = RatioByGpu(5, study.switchWatts, study.opticWatts, study.ocsWatts);
    const NetworkInputs inputs = NetworkInputs::Get("h200-2026");
    const FabricBill electrical = MakeElectricalRails(inputs, 64, 8);
    EXPECT_EQ(electrical.switches, 8U * 16 + 32);
    EXPECT_EQ(electrical.switchPorts, 5U * 512);
    EXPECT_EQ(electrical.radix, 16U);
    EXPECT_EQ(electrical.transceivers, 512U + 2560);
    const FabricComparison saved = CompareFabrics(MakePhotonicRails(inputs, 64, 8), electrical);
    EXPECT_NEAR(saved.costRatio, cost, 1e-9);
    EXPECT_NEAR(saved.powerRatio, power, 1e-9);
    EXPECT_NEAR(saved.costRatio, 4.27, 0.005);
    EXPECT_NEAR(saved.powerRatio, 23.86, 0.005);
}

TEST(FabricBill, RailsAreRoundedAsTheStudyRounds)
{
    // by the words of the study, in floating point where it uses it
    for (uint32_t servers = 1; servers <= 3000; ++servers)
    {
        for (const uint32_t gpus : {1U, 8U, 72U})
        {
            const auto k = static_cast<uint64_t>(std::floor(std::sqrt(4.0 * servers) + 0.5));
            const auto leaves =
                2 * static_cast<uint64_t>(std::floor(servers / std::floor(k / 2.0)));
            const auto spines =
                static_cast<uint64_t>(std::floor(static_cast<double>(gpus) * servers / k));
            const FabricBill bill = MakeElectricalRails(WithPrice(1), servers, gpus);
            ASSERT_EQ(bill.radix, k) << servers;
            ASSERT_EQ(bill.switches, leaves * gpus + spines) << servers << " of " << gpus;
            ASSERT_EQ(bill.switchPorts, k * (leaves * gpus + spines));
        }
    }
}

TEST(FabricBill, RailsOfSquareNumbersAreAFatTreesPods)
{
    // S = k^2 / 4 servers for an even k, with k rails: that is a full k-ary fat tree of k pods
    for (const uint32_t k : {4U, 8U, 16U, 24U})
    {
        const FullClos full = BuildFull(k, 3);
        ASSERT_EQ(full.hosts, uint64_t{k} * k * k / 4);
        ASSERT_EQ(full.switches, uint64_t{5} * k * k / 4) << "SIGCOMM 2008";
        const FabricBill bill = MakeElectricalRails(WithPrice(1), k * k / 4, k);
        EXPECT_EQ(bill.switches, full.switches);
        EXPECT_EQ(bill.switchPorts, full.ports);
    }
}

TEST(FabricBill, AFullFatTreeHasAsManySwitchesAsOneThatIsBuilt)
{
    for (const uint32_t k : {4U, 8U, 16U})
    {
        for (const uint32_t tiers : {1U, 2U, 3U, 4U})
        {
            NetworkInputs inputs = WithPrice(1);
            inputs.switchPorts = {k, "the test"};
            const FullClos full = BuildFull(k, tiers);
            const FabricBill bill = MakeFatTree(inputs, full.hosts / 2, 2);
            EXPECT_EQ(bill.switches, full.switches) << k << " ports, " << tiers << " tiers";
            EXPECT_EQ(bill.switchPorts, full.ports);
            EXPECT_EQ(bill.transceivers, full.hosts + full.ports);
            // one server more does not fit: the ports of another tier, two a GPU
            const FabricBill more = MakeFatTree(inputs, full.hosts / 2 + 1, 2);
            EXPECT_EQ(more.switchPorts, (2 * tiers + 1) * (full.hosts + 2));
        }
    }
}

TEST(FabricBill, AFatTreesSwitchesHaveThePortsThatAreUsed)
{
    for (uint32_t servers = 1; servers < 3000; servers += 7)
    {
        const FabricBill bill = MakeFatTree(WithPrice(1), servers, 8);
        EXPECT_GE(bill.switches * 64, bill.switchPorts) << servers;
        EXPECT_EQ(bill.switchPorts % (servers * 8), 0U);
    }
    // 64 servers of 8 fit two tiers of 64 ports, which take 3 ports a GPU; 512 of 8 take three
    EXPECT_EQ(MakeFatTree(WithPrice(1), 64, 8).switchPorts, 3U * 512);
    EXPECT_EQ(MakeFatTree(WithPrice(1), 64, 8).switches, 16U + 8);
    EXPECT_EQ(MakeFatTree(WithPrice(1), 512, 8).switchPorts, 5U * 4096);
}

TEST(FabricBill, PhotonicRailsHaveAFixedPriceAGpu)
{
    for (const uint32_t servers : {1U, 10U, 512U})
    {
        const FabricBill bill = MakePhotonicRails(WithPrice(219), servers, 8);
        const double gpus = servers * 8.0;
        EXPECT_DOUBLE_EQ(bill.dollars, gpus * (2 * 520 + 219));
        EXPECT_DOUBLE_EQ(bill.watts, gpus * (2 * 75.0 / 192 + 10));
        EXPECT_EQ(bill.opticalSwitches, 8U);
        EXPECT_EQ(bill.radix, 2 * servers);
        EXPECT_EQ(bill.switches + bill.switchPorts, 0U);
    }
}

TEST(FabricBill, PartsThatCanFailAreEachCountedOnce)
{
    const NetworkInputs inputs = WithPrice(219);
    const FabricBill electrical = MakeElectricalRails(inputs, 64, 8);
    EXPECT_EQ(electrical.GetOpticalParts(), 512U + 2560) << "transceivers at GPUs and at ports";
    EXPECT_EQ(electrical.GetElectricalParts(), 160U + 2560) << "switches and ports";
    const FabricBill photonic = MakePhotonicRails(inputs, 64, 8);
    EXPECT_EQ(photonic.GetOpticalParts(), 512U + 8 + 1024) << "transceivers, switches, ports";
    EXPECT_EQ(photonic.GetElectricalParts(), 0U);
}

TEST(FabricBill, TransceiversOfSwitchesCanBeLeftOut)
{
    NetworkInputs inputs = NetworkInputs::Get("gb200");
    const FabricBill both = MakeElectricalRails(inputs, 64, 72);
    inputs.transceiversAtSwitches = {false, "the artifact of Opus for GB200"};
    const FabricBill one = MakeElectricalRails(inputs, 64, 72);
    EXPECT_EQ(one.transceivers, 64U * 72);
    EXPECT_EQ(both.transceivers - one.transceivers, both.switchPorts);
    EXPECT_NEAR(both.dollars - one.dollars, both.switchPorts * 879.0, 1e-3);
    EXPECT_NEAR(both.watts - one.watts, both.switchPorts * 16.0, 1e-3);
    // everything divides: 5 ports a GPU at 7000 / 144 W, and one transceiver of 16 W
    EXPECT_NEAR(one.watts, 64.0 * 72 * (5 * 7000.0 / 144 + 16), 1e-6);
    EXPECT_NEAR(one.dollars, 64.0 * 72 * (5 * 149939.0 / 144 + 879), 1e-3);
}

TEST(FabricBill, ReportsThatSwitchesWouldHaveToBeLarger)
{
    // 4 S must not exceed 64 squared, but for rounding: up to 1024 servers
    EXPECT_EQ(MakeElectricalRails(WithPrice(1), 1024, 8).remark.find("more than"),
              std::string::npos);
    EXPECT_NE(MakeElectricalRails(WithPrice(1), 1100, 8).remark.find("more than the 64"),
              std::string::npos);
}

TEST(FabricBill, MistakesAreNamed)
{
    const NetworkInputs good = WithPrice(219);
    EXPECT_EQ(GetFabricMistake(good, 1, 1), "");
    EXPECT_EQ(GetFabricMistake(good, 1'000'000, 1024), "");
    EXPECT_NE(GetFabricMistake(good, 0, 8).find("0 servers; give 1 to"), std::string::npos);
    EXPECT_NE(GetFabricMistake(good, 1'000'001, 8).find("1000001 servers"), std::string::npos);
    EXPECT_NE(GetFabricMistake(good, 8, 0).find("0 GPUs a server"), std::string::npos);
    EXPECT_NE(GetFabricMistake(good, 8, 1025).find("1025 GPUs"), std::string::npos);
    EXPECT_NE(GetFabricMistake(WithPrice(-1), 8, 8).find("price of a transceiver is -1; give 0"),
              std::string::npos);
    EXPECT_NE(GetFabricMistake(WithPrice(NAN), 8, 8).find("give 0 or more"), std::string::npos);
    NetworkInputs odd = good;
    odd.switchPorts = {7, "the test"};
    EXPECT_NE(GetFabricMistake(odd, 8, 8).find("7 ports; give an even number of 4"),
              std::string::npos);
    NetworkInputs none = good;
    none.ocsPorts = {0, "the test"};
    EXPECT_NE(GetFabricMistake(none, 8, 8).find("give 1 or more of each"), std::string::npos);
}

TEST(FabricBillDeathTest, MistakesStop)
{
    EXPECT_DEATH(MakeFatTree(WithPrice(219), 0, 8), "0 servers; give 1 to");
    EXPECT_DEATH(CompareFabrics({}, {}), "must cost and draw more than 0");
    EXPECT_DEATH(NetworkInputs::Get("h300"),
                 "h300: no such generation; known: h200, h200-2026, gb200; did you mean");
}

TEST(NetworkInputs, EveryFigureHasItsSource)
{
    std::set<std::string> names;
    for (const NetworkInputs& one : NetworkInputs::GetAll())
    {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        EXPECT_EQ(one.GetMistake(), "") << one.name;
        EXPECT_FALSE(one.gpusPerServer.source.empty());
        std::set<std::string> figures;
        for (const NetworkInput& input : one.List())
        {
            EXPECT_FALSE(input.source.empty()) << one.name << ": " << input.name;
            EXPECT_TRUE(figures.insert(input.name).second) << input.name;
            EXPECT_GT(input.value, 0);
        }
        EXPECT_EQ(figures.size(), 11U);
    }
}

TEST(NetworkInputs, AUserAddsAGenerationAndChangesFigures)
{
    NetworkInputs mine = NetworkInputs::Get("gb200");
    mine.name = "mine";
    mine.transceiverDollars = {1000, "my shop"};
    NetworkInputs::GetAll().push_back(mine);
    EXPECT_EQ(NetworkInputs::Get("mine").transceiverDollars.source, "my shop");
    NetworkInputs::GetAll().pop_back();
    EXPECT_EQ(NetworkInputs::Find("mine"), nullptr);
    EXPECT_EQ(NetworkInputs::Get("gb200").transceiverDollars.value, 879);
}
