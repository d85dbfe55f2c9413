/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_POLICY_BENCH_H
#define PHOTONIC_RAILS_OPUS_POLICY_BENCH_H

#include "ns3/policy-names.h"

#include <cstdint>
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
    OpusPolicyBench(const std::string& policy, uint32_t servers, uint32_t rails, uint32_t ports);
    ~OpusPolicyBench();

    /** @return the cabling of RailHelper, all of it job 0's */
    static std::shared_ptr<const Cabling> MakeCabling(uint32_t servers,
                                                      uint32_t rails,
                                                      uint32_t ports);

    /** @return the answer of the policy to pairs in a phase */
    CircuitTarget Request(const std::vector<JoinedRanks>& pairs, const OpusPhase& phase = {});
    /** Changes circuits. */
    void Carry(const CircuitTarget& target);

    /** @return links between two ranks now */
    std::size_t Links(uint32_t one, uint32_t other) const;
    /** @return ports of a rank that lead anywhere now */
    std::size_t LitPorts(uint32_t rank) const;

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

        std::string GetWhyNot(const RailPort& port) const override;
    };

    std::shared_ptr<const Cabling> cabling;
    Ptr<CircuitPolicy> policy;
    RailCircuits circuits;
    MarkedPorts use;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_POLICY_BENCH_H */
