/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRANSITION_TABLE_H
#define PHOTONIC_RAILS_TRANSITION_TABLE_H

#include "fleet-training.h"

#include "ns3/fleet-times.h"
#include "ns3/nstime.h"
#include "ns3/rail-net-device.h"
#include "ns3/recovering-job.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Simulates iterations and transitions of a fleet's jobs, each distinct one once.
 *
 * *Iterations.* A job with as many replicas trains six iterations, with a checkpoint after every
 * third one; rails that do the same are folded. The steady iteration is the fifth. The checkpoint
 * is by what the fourth, which follows one, and the sixth, which ends with one, are longer.
 *
 * *Transitions.* A RecoveringJob trains, with a checkpoint after each iteration, loses a server (or
 * GPU 0, or port 0 of that, by the kind of the fault) in the middle of its second iteration, and
 * goes on by the reaction for two iterations: everything from detection to the launch is simulated
 * in packets. `down` is the time from the fault until the circuits are down, `up` from then on to
 * the end of its last iteration, less as many steady iterations with checkpoints. So `up` has the
 * copies, the launch, the checkpoint before the first iteration, and by what the first iterations
 * are longer, since shims learn again.
 *
 * A replica that begins again (GROW) is simulated as all of its servers that are replaced at once:
 * `down` is then the time from the decision, since nothing has to be found. A cut fiber is
 * simulated as a NIC port that is down; of the two ends of a circuit without light the diagnosis
 * takes one first, so the fault is at the first stage where that is right.
 *
 * *Limits.* A job with more than `mostReplicas` replicas is simulated with so many: the rings of
 * its operations are shorter, and with FSDP its shards larger. The instant of a fault within its
 * iteration and within the polls of agents is the same in all transitions. A job whose state is
 * lost, since a checkpoint and its origin fail at once, has it from storage, and goes on from its
 * last checkpoint all the same.
 */
class TransitionTable : public FleetTimes
{
  public:
    /**
     * @param training of all jobs
     * @param mostReplicas of simulated transitions, 2 or more
     */
    explicit TransitionTable(const FleetTraining& training, uint32_t mostReplicas = 4);

    FleetIteration GetIteration(const FleetForm& form) override;
    FleetTransition GetTransition(const FleetTransitionCase& transition) override;

    /** @return the time of the first iteration of a job, in which shims learn */
    Time GetFirstIteration(const FleetForm& form);

    /** @return the iterations of the jobs that were simulated */
    std::map<FleetForm, FleetIteration> GetIterations() const;

    /** @return the simulated transitions */
    const std::map<FleetTransitionCase, FleetTransition>& GetTransitions() const
    {
        return m_transitions;
    }

    /** @return frames of all simulations */
    const RailNetDevice::Trains& GetTrains() const
    {
        return m_trains;
    }

  private:
    /** The simulated iterations of a job. */
    struct Calm
    {
        FleetIteration steady;
        Time first{0};
    };

    /** @return a form with as many replicas as are simulated */
    FleetForm Limit(const FleetForm& form) const;
    /** @return the iterations of a job, simulated if they are not yet */
    const Calm& GetCalm(const FleetForm& form);
    /** @return the iterations of a job, simulated */
    Calm SimulateIterations(const FleetForm& form);
    /** @return a transition, simulated; GetCalm() has its job before and after it */
    FleetTransition SimulateTransition(const FleetTransitionCase& transition);
    /** @return the job of a transition, with the servers that it needs in reserve */
    Ptr<RecoveringJob> MakeJob(const FleetTransitionCase& transition) const;
    /** Has the server of a stage fail; of GROW those of all stages. @return the instant */
    Time LoseServers(RecoveringJob& job, const FleetTransitionCase& transition, uint32_t stage);
    /** @return why the run is no transition; empty: it is one */
    static std::string FindWhyNot(const RecoveringJob& job);
    /** @return the times of a transition that was simulated @param fault its instant */
    FleetTransition Measure(const RecoveringJob& job,
                            const FleetTransitionCase& transition,
                            Time fault);

    FleetTraining m_training;
    uint32_t m_mostReplicas;
    std::map<FleetForm, Calm> m_iterations;
    std::map<FleetTransitionCase, FleetTransition> m_transitions;
    RailNetDevice::Trains m_trains;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRANSITION_TABLE_H */
