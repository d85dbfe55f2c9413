/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_REPLAY_H
#define PHOTONIC_RAILS_FLEET_REPLAY_H

#include "fleet-faults.h"
#include "fleet-job.h"
#include "fleet-plan.h"
#include "fleet-reaction.h"
#include "fleet-tally.h"
#include "fleet-times.h"
#include "server-pool.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Replays the faults of a year against the jobs of a cluster, by a closed rule.
 *
 * *Between transitions* a job is in its steady state: a cycle is `interval` iterations and a
 * checkpoint (FleetProgress), with the times of FleetTimes. All jobs are in it at the beginning.
 *
 * *A fault* takes a server out of use until all faults of it have ended. A free spare is out of
 * the reserve at once. A job that loses a server is in a transition: its work since the last
 * checkpoint, or the last iteration, is lost (FleetTransition::keepsIterations); after `down` its
 * circuits are down, and it can go on when all its places have a server; `up` later it is in its
 * steady state. By reaction:
 * - `splice`, `detour`: a free spare takes the place, one of the same rack if there is any, and
 *   then the one of the lowest number. Without one the job waits for the next server that is
 *   free. After a detour a job trains so for good.
 * - `move`: if a rack has as many free spares as the job has servers, it moves there, and its own
 *   servers are spares. If not it waits, for such a rack or for the repair of its servers,
 *   whichever comes first.
 * - `shrink`: a free spare takes the place. Without one the replica of the lost server ends, its
 *   other servers are spares, and the others go on. When as many servers are free as a replica
 *   has, after those that jobs wait for, the first replica that has ended begins again: at the
 *   end of a cycle, or of an iteration, so that no work is lost. A job with one replica waits.
 * - `stop`: the job waits for the repair of its servers.
 *
 * A server that is repaired is a spare, or goes on in its job (`stop`, `move`). Jobs that wait get
 * servers in the order of their losses, those of one instant by number.
 *
 * *A fault in a transition* has the transition begin anew, with the times of the last fault; one
 * of a job that waits has it wait for one server more.
 *
 * At one instant, phases of jobs end first, then faults begin, then repairs end; then jobs get
 * servers. So the order of the faults of one instant is that of FleetFaults.
 *
 * FleetTally has each picosecond of each server in one of eight times. At the end, iterations that
 * have ended count as useful.
 *
 * Plain C++: no simulator, as far as FleetTimes needs none.
 * @code
 * FleetReplay replay(plan, FleetReaction::SPLICE, 100, table);
 * const FleetTally tally = replay.Run(faults, 349 * FLEET_DAY);
 * @endcode
 */
class FleetReplay
{
  public:
    /**
     * @param plan without mistakes
     * @param reaction of all jobs
     * @param interval iterations from a checkpoint to the next, 1 or more
     * @param times of iterations and transitions; it outlives this
     */
    FleetReplay(const FleetPlan& plan,
                FleetReaction reaction,
                uint32_t interval,
                FleetTimes& times);

    /**
     * Replays faults, from the beginning; call it once.
     * @param horizon the time that is replayed
     * @return where the time went
     */
    FleetTally Run(const FleetFaults& faults, FleetTime horizon);

  private:
    /** Adds the time up to an instant to the counts of spares. */
    void CountSpares(FleetTime now);
    /**
     * Adds the time of a job in its phase up to an instant to its cause, and begins the phase anew.
     * @param keepsIterations no iteration that has ended is lost
     */
    void Settle(FleetJob& job, FleetTime now, bool keepsIterations);
    /** The phase of a job ends. */
    void EndPhase(FleetJob& job, FleetTime now);
    /** A fault begins. */
    void Break(const FleetFault& fault, FleetTime now);
    /** A job loses the server at a place. */
    void LosePlace(FleetJob& job, uint32_t place, FaultKind kind, FleetTime now);
    /**
     * Decides how a job goes on, and takes servers for it.
     * @return the step; if the job waits for servers, that of a repair
     */
    FleetStep React(FleetJob& job, uint32_t place);
    /** The replica of a place ends. */
    void EndReplica(FleetJob& job, uint32_t place);
    /** The job moves to other servers. */
    void Move(FleetJob& job, const std::vector<uint32_t>& servers);
    /** A transition begins. */
    void BeginStep(FleetJob& job, const FleetTransitionCase& step, FleetTime now);
    /** The second part of a transition begins. */
    void BeginUp(FleetJob& job, FleetTime now);
    /** The replica that waits to begin again does not. */
    void StopGrowing(FleetJob& job);
    /** Jobs get free servers. */
    void Serve(FleetTime now);
    /** Fills the places of a job, as far as it is possible. */
    void Fill(FleetJob& job);
    /** A job has a replica begin again soon. */
    void BeginGrowing(FleetJob& job, FleetTime now);
    /** Puts a free server into a place. */
    void Place(FleetJob& job, uint32_t place, uint32_t server);
    /** @return whether all places of replicas that train have a server that works */
    bool IsWhole(const FleetJob& job) const;
    /** @return the jobs for which a condition holds, by the instant of their loss */
    template <typename Condition>
    std::vector<FleetJob*> ListJobs(const Condition& condition);

    FleetPlan m_plan;
    FleetReaction m_reaction;
    uint32_t m_interval;
    FleetTimes& m_times;
    uint32_t m_spares; //!< of the pool at the beginning
    ServerPool m_pool;
    std::vector<FleetJob> m_jobs;
    FleetTally m_tally;
    FleetTime m_counted{0}; //!< the instant up to which spares are counted
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_REPLAY_H */
