/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECORDED_POLICY_H
#define PHOTONIC_RAILS_RECORDED_POLICY_H

#include "circuit-policy.h"
#include "recorded-schedule.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Each phase has the circuits that a file gives it (see RecordedSchedule). The alias
 * `recorded`, with the file as its argument: "recorded:plan.txt".
 *
 * A job starts with those circuits of the line `start` that are on its ports. A phase gets the
 * circuits of its line that join its pairs; one without a line gets those of `start`. If they leave
 * a pair without a circuit, the phase is refused, and the reason names the missing line. A grant
 * for several operations has the circuits of the first. Circuits are reconfigured when the ports
 * are free, as with `on-demand`; but if `start` is the only line of the file, circuits stand for
 * good.
 */
class RecordedPolicy : public CircuitPolicy
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    // CircuitPolicy
    CircuitTarget GetTarget(const CircuitQuestion& question) override;
    CircuitTarget GetInitial(const JobDemand& demand, const RailCircuits& circuits) override;
    bool IsForGood() const override;

  protected:
    /** Reads the file; aborts if it does not match the cabling. */
    void NotifyCabling() override;

  private:
    /** Aborts if circuits are not on the cabling. @param of the line, in words */
    void CheckCircuits(const std::vector<RankCircuit>& circuits, const std::string& of) const;
    /** @return the reason why a circuit can't be set up or used now; empty if it can */
    std::string FindObstacle(const RankCircuit& circuit, const CircuitQuestion& question) const;

    std::string m_file;
    RecordedSchedule m_plan;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECORDED_POLICY_H */
