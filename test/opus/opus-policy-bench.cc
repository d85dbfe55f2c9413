/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "opus-policy-bench.h"

#include <gtest/gtest.h>

namespace ns3
{

OpusPolicyBench::OpusPolicyBench(const std::string& policy,
                                 uint32_t servers,
                                 uint32_t rails,
                                 uint32_t ports)
    : cabling(MakeCabling(servers, rails, ports)),
      policy(MakeCircuitPolicy(policy, cabling)),
      circuits(MakeDarkRails(*cabling))
{
}

OpusPolicyBench::~OpusPolicyBench() = default;

std::shared_ptr<const Cabling>
OpusPolicyBench::MakeCabling(uint32_t servers, uint32_t rails, uint32_t ports)
{
    auto cabling = std::make_shared<Cabling>(Cabling::OfRails(servers, rails, ports));
    for (uint32_t rank = 0; rank < servers * rails; ++rank)
    {
        cabling->Own(JobId(0), RankId(rank));
    }
    return cabling;
}

CircuitTarget
OpusPolicyBench::Request(const std::vector<JoinedRanks>& pairs, const OpusPhase& phase)
{
    return policy->GetTarget({phase, pairs, 0, circuits, use});
}

void
OpusPolicyBench::Carry(const CircuitTarget& target)
{
    ASSERT_TRUE(target.IsPossible()) << target.refusal << target.waitsFor;
    for (const auto& [rail, plan] : target.changes)
    {
        const PlanCheck check = circuits[rail.Get()].Check(plan);
        ASSERT_TRUE(check.IsAccepted()) << check.message;
        circuits[rail.Get()].Apply(plan);
    }
}

std::size_t
OpusPolicyBench::Links(uint32_t one, uint32_t other) const
{
    return FindCircuits({RankId(one), RankId(other)}, circuits, *cabling).size();
}

std::size_t
OpusPolicyBench::LitPorts(uint32_t rank) const
{
    std::size_t lit = 0;
    for (const PortId port : cabling->GetPorts(RankId(rank)))
    {
        lit += circuits[cabling->GetRail(RankId(rank)).Get()].GetPeer(port) ? 1 : 0;
    }
    return lit;
}

std::string
OpusPolicyBench::MarkedPorts::GetWhyNot(const RailPort& port) const
{
    return IsReconfiguring(port) ? "a turning port" : IsInFlight(port) ? "a port in use" : "";
}

} // namespace ns3
