/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROTOR_POLICY_H
#define PHOTONIC_RAILS_ROTOR_POLICY_H

#include "circuit-policy.h"
#include "rotor-schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The policy `rotor`: circuits go round and round, all rails in step, whatever ranks want;
 * a phase waits for the slot that joins its pairs.
 *
 * Which pairs a slot joins is RotorSchedule's; GPUs take their places on it in the order of
 * servers, all GPUs of a rail, whatever jobs they belong to. A GPU with more ports than another of
 * its rail leaves them dark, and so does a rail in the last slots of a cycle that is longer on
 * another rail. A phase whose pairs never meet in one slot gets nothing: so with one port a GPU no
 * ring of three or more ever runs.
 *
 * The argument is the length of a slot, 1 ms if there is none: "rotor:100us".
 */
class RotorPolicy : public CircuitPolicy
{
  public:
    /** @param cabling where the ports lead to @param argument the length of a slot, or nothing */
    RotorPolicy(std::shared_ptr<const Cabling> cabling, const std::string& argument);

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    Picoseconds GetSlot() const override;
    CircuitTarget GetRotation(uint64_t slot, const RailCircuits& circuits) override;

    /** @return slots of a cycle */
    uint32_t GetCycle() const;

  private:
    /** The GPUs of a rail, and who of them meets whom. */
    struct RailRotation
    {
        RailId rail;
        std::vector<RankId> ranks; //!< by place
        RotorSchedule schedule;
    };

    /** Finds the GPUs of a rail. */
    void AddRail(RailId rail);
    /** @return the slot of a cycle in which a pair meets */
    uint32_t GetSlotOf(const JoinedRanks& pair) const;
    /** @return circuits of a pair that stand, on ports of the job */
    std::vector<RankCircuit> FindStanding(const JoinedRanks& pair,
                                          const CircuitQuestion& question) const;

    Picoseconds m_slot;
    uint32_t m_cycle{1};
    std::vector<RailRotation> m_rails;
    std::map<RailId, std::size_t> m_railOf;
    std::map<RankId, uint32_t> m_placeOf;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROTOR_POLICY_H */
