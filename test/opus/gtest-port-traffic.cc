/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Traffic in flight and guesses, port by port.

#include "ns3/port-traffic.h"
#include "ns3/prepared-ports.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

/** Two servers with a rank on each of two rails, whose NICs have two ports. */
std::shared_ptr<const Cabling>
MakeCabling()
{
    return std::make_shared<Cabling>(Cabling::OfRails(2, 2, 2));
}

OpusPhase
Operation(uint64_t operation)
{
    OpusPhase phase;
    phase.operation = operation;
    return phase;
}

/** A circuit of rail 0: ranks 0 and 2 are the ones on it. */
const RankCircuit CIRCUIT{RankId(0), 0, RankId(2), 0};

} // namespace

TEST(PortTraffic, APortIsInUseUntilTheLastPhaseOnItEnds)
{
    const auto cabling = MakeCabling();
    PortTraffic traffic(cabling, {});
    const auto [one, other] = GetRailPorts(CIRCUIT, *cabling);
    traffic.Begin(Operation(1), {CIRCUIT});
    traffic.Begin(Operation(2), {CIRCUIT});
    EXPECT_EQ(traffic.GetPhases(one).size(), 2U);
    EXPECT_EQ(traffic.End(Operation(1)), (std::vector<RankId>{RankId(0), RankId(2)}));
    EXPECT_TRUE(traffic.IsOn(one));
    EXPECT_TRUE(traffic.IsOn(other));
    traffic.End(Operation(2));
    EXPECT_FALSE(traffic.IsOn(one));
    EXPECT_TRUE(traffic.IsEmpty());
    EXPECT_TRUE(traffic.End(Operation(2)).empty()) << "it has ended already";
}

TEST(PortTraffic, OnARailWhosePortsCountAsOneTrafficIsFoundAtEachOfThem)
{
    const auto cabling = MakeCabling();
    const RailPort free{RailId(0), cabling->GetPorts(RankId(0))[1]};
    const RailPort elsewhere{RailId(1), cabling->GetPorts(RankId(1))[0]};
    for (const bool isWhole : {false, true})
    {
        PortTraffic traffic(cabling, isWhole ? std::set<RailId>{RailId(0)} : std::set<RailId>());
        traffic.Begin(Operation(1), {CIRCUIT});
        EXPECT_EQ(traffic.Find(free) != nullptr, isWhole);
        EXPECT_EQ(traffic.Find(elsewhere), nullptr);
    }
}

TEST(PreparedPorts, APortIsPreparedUntilTheLastGuessEnds)
{
    const auto cabling = MakeCabling();
    PreparedPorts prepared(cabling);
    const RailPort port = GetRailPorts(CIRCUIT, *cabling).first;
    prepared.Prepare(Operation(1), {CIRCUIT});
    prepared.Prepare(Operation(1), {CIRCUIT}); // the same guess again
    prepared.Prepare(Operation(2), {CIRCUIT});
    prepared.End(Operation(1));
    EXPECT_TRUE(prepared.Has(port));
    prepared.End(Operation(2));
    EXPECT_FALSE(prepared.Has(port));
    prepared.End(Operation(2));
    EXPECT_FALSE(prepared.Has(port));
}
