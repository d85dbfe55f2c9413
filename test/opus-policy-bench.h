/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_POLICY_BENCH_H
#define PHOTONIC_RAILS_OPUS_POLICY_BENCH_H

#include "ns3/policy-names.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** The circuits of rails with one policy that changes them. Job 0 owns all. */
class OpusPolicyBench
{
  public:
    OpusPolicyBench(const std::string& policy, uint32_t servers, uint32_t rails, uint32_t ports)
        : cabling(MakeCabling(servers, rails, ports)),
          policy(MakeCircuitPolicy(policy, cabling)),
          circuits(MakeDarkRails(*cabling))
    {
    }

    /** @return the cabling of RailHelper, all of it job 0's */
    static std::shared_ptr<const Cabling> MakeCabling(uint32_t servers,
                                                      uint32_t rails,
                                                      uint32_t ports)
    {
        auto cabling = std::make_shared<Cabling>(Cabling::OfRails(servers, rails, ports));
        for (uint32_t rank = 0; rank < servers * rails; ++rank)
        {
            cabling->Own(JobId(0), RankId(rank));
        }
        return cabling;
    }

    /** @return what the policy says of pairs in a phase */
    CircuitTarget Ask(const std::vector<JoinedRanks>& pairs, const OpusPhase& phase = {})
    {
        return policy->GetTarget({phase, pairs, 0, circuits, use});
    }

    /** Changes circuits. */
    void Carry(const CircuitTarget& target)
    {
        ASSERT_TRUE(target.IsPossible()) << target.refusal << target.waitsFor;
        for (const auto& [rail, plan] : target.changes)
        {
            const PlanCheck check = circuits[rail.Get()].Check(plan);
            ASSERT_TRUE(check.IsAccepted()) << check.message;
            circuits[rail.Get()].Apply(plan);
        }
    }

    /** @return links between two ranks now */
    std::size_t Links(uint32_t one, uint32_t other) const
    {
        return FindCircuits({RankId(one), RankId(other)}, circuits, *cabling).size();
    }

    /** @return ports of a rank that lead anywhere now */
    std::size_t LitPorts(uint32_t rank) const
    {
        std::size_t lit = 0;
        for (const PortId port : cabling->GetPorts(RankId(rank)))
        {
            lit += circuits[cabling->GetRail(RankId(rank)).Get()].GetPeer(port) ? 1 : 0;
        }
        return lit;
    }

    /** Ports that are marked are reconfiguring, or carry others' traffic. */
    struct MarkedPorts : public IdlePorts
    {
        std::set<RailPort> reconfiguration;
        std::set<RailPort> inFlight;

        bool IsReconfiguring(const RailPort& port) const override
        {
            return reconfiguration.count(port) != 0;
        }

        bool IsInFlight(const RailPort& port) const override
        {
            return inFlight.count(port) != 0;
        }

        std::string GetWhyNot(const RailPort& port) const override
        {
            return IsReconfiguring(port) ? "a turning port"
                   : IsInFlight(port)    ? "a port in use"
                                         : "";
        }
    };

    std::shared_ptr<const Cabling> cabling;
    Ptr<CircuitPolicy> policy;
    RailCircuits circuits;
    MarkedPorts use;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_POLICY_BENCH_H */
