/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_TEST_ROTOR_H
#define PHOTONIC_RAILS_OPUS_TEST_ROTOR_H

#include "ns3/circuit-policy.h"
#include "ns3/nstime.h"

#include <utility>
#include <vector>

namespace ns3
{

/**
 * Servers 0 to 3, each rail alike, a port each: 0-1 and 2-3 in even slots, 0-3 and 1-2 in odd ones,
 * 0-2 and 1-3 never.
 */
class OpusTestRotor : public CircuitPolicy
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::OpusTestRotor")
                                .SetParent<CircuitPolicy>()
                                .AddConstructor<OpusTestRotor>()
                                .AddAttribute("Slot",
                                              "How long a slot takes.",
                                              TimeValue(NanoSeconds(1)),
                                              MakeTimeAccessor(&OpusTestRotor::m_slot),
                                              MakeTimeChecker());
        return tid;
    }

    Time GetSlot() const override
    {
        return m_slot;
    }

    CircuitTarget GetRotation(uint64_t slot, const RailCircuits& circuits) override
    {
        const uint32_t rails = GetCabling().GetRails();
        const std::vector<std::pair<uint32_t, uint32_t>> even{{0, 1}, {2, 3}};
        const std::vector<std::pair<uint32_t, uint32_t>> odd{{0, 3}, {1, 2}};
        std::vector<RankCircuit> wanted;
        for (uint32_t rail = 0; rail < rails; ++rail)
        {
            for (const auto& [one, other] : slot % 2 == 0 ? even : odd)
            {
                wanted.push_back({RankId(one * rails + rail), 0, RankId(other * rails + rail), 0});
            }
        }
        return PlanTowards(wanted, circuits, GetCabling());
    }

    CircuitTarget GetTarget(const CircuitQuestion& question) override
    {
        CircuitTarget target;
        for (const auto& [one, other] : question.pairs)
        {
            const auto there = FindCircuits({one, other}, question.circuits, GetCabling());
            const uint32_t rails = GetCabling().GetRails();
            if ((one.Get() / rails + other.Get() / rails) % 2 == 0)
            {
                target.refusal = "no slot joins them";
            }
            else if (there.empty())
            {
                target.waitsFor = "the next slot";
            }
            target.circuits.insert(target.circuits.end(), there.begin(), there.end());
        }
        return target;
    }

  private:
    Time m_slot;
};

NS_OBJECT_ENSURE_REGISTERED(OpusTestRotor);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_TEST_ROTOR_H */
