/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ROTOR_POLICY_H
#define PHOTONIC_RAILS_ROTOR_POLICY_H

#include "circuit-policy.h"
#include "rotor-schedule.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Circuits rotate on all rails at the same time, independent of requests; a phase waits for
 * the slot that joins its pairs. The alias `rotor`, with the length of a slot as its argument:
 * "rotor:100us".
 *
 * RotorSchedule gives the pairs of a slot. Its places are all GPUs of a rail in the order of
 * servers, independent of jobs. If a GPU has more ports than another of its rail, the additional
 * ports stay dark. If the cycle is longer on another rail, the ports of a rail are dark in the last
 * slots. A phase whose pairs never meet in one slot is refused: so with one port for each GPU no
 * ring of three or more ever runs.
 */
class RotorPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    std::string GetWhyNever(const std::vector<JoinedRanks>& pairs) const override;
    Time GetSlot() const override;
    CircuitTarget GetRotation(uint64_t slot, const RailCircuits& circuits) override;

    /** @return the number of slots of a cycle */
    uint32_t GetCycle() const;

  protected:
    /** Finds the GPUs of all rails. */
    void NotifyCabling() override;

  private:
    /** The GPUs of a rail, and the slots in which they meet. */
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

    Time m_slot;
    uint32_t m_cycle{1};
    std::vector<RailRotation> m_rails;
    std::map<RailId, std::size_t> m_railOf;
    std::map<RankId, uint32_t> m_placeOf;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ROTOR_POLICY_H */
