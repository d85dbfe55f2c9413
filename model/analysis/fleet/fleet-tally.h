/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_TALLY_H
#define PHOTONIC_RAILS_FLEET_TALLY_H

#include "fleet-time.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Where the time of a cluster's servers went, and what happened: each picosecond of each
 * server is in exactly one of the eight times.
 *
 * A job counts with all its servers, at all times: also with those that are lost and not replaced.
 */
struct FleetTally
{
    // server-time
    /**
     * Of iterations that were not lost: each counts as the time of an iteration of the whole job,
     * times the share of its replicas that trained.
     */
    FleetTime useful{0};
    FleetTime smaller{0};     //!< in these iterations, but without a replica, or slower by a detour
    FleetTime checkpoints{0}; //!< by which iterations with checkpoints are longer
    FleetTime lostWork{0};    //!< of iterations and checkpoints that did not end, or were lost
    FleetTime transitions{0}; //!< from a fault to the steady state, without the waiting
    FleetTime waiting{0};     //!< for a server
    FleetTime reserve{0};     //!< of spares that wait for a fault
    FleetTime repair{0};      //!< of servers in repair, as far as spares stand in for them

    // time
    FleetTime jobs{0};  //!< server-time of all jobs
    FleetTime inUse{0}; //!< spares that are not free, times the time

    uint32_t mostInUse{0};        //!< spares that are not free at a time
    uint64_t placed{0};           //!< spares that took a place in a job
    uint64_t faultsOfJobs{0};     //!< on servers of jobs
    uint64_t faultsOfSpares{0};   //!< on free spares
    uint64_t faultsOfLost{0};     //!< on servers that were out of use already
    uint64_t steps{0};            //!< transitions that began
    uint64_t waits{0};            //!< of jobs for a server
    uint64_t shrunk{0};           //!< replicas that ended
    uint64_t grown{0};            //!< replicas that began again
    uint64_t moved{0};            //!< jobs, to another rack
    uint64_t iterations{0};       //!< that ended, lost or not
    uint64_t reconfigurations{0}; //!< of circuits

    /** @return all server-time */
    FleetTime GetTotal() const
    {
        return useful + smaller + checkpoints + lostWork + transitions + waiting + reserve + repair;
    }

    /** @return useful time over that of all servers, spares too */
    double GetGoodput() const
    {
        return GetTotal() == 0 ? 0 : static_cast<double>(useful) / GetTotal();
    }

    /** @return useful time over that of the servers of jobs */
    double GetGoodputOfJobs() const
    {
        return jobs == 0 ? 0 : static_cast<double>(useful) / jobs;
    }
};

class JsonWriter;

/** Writes the members of a tally. @param gpus of a server @param horizon the time */
void WriteFleetTally(JsonWriter& json, const FleetTally& tally, uint32_t gpus, FleetTime horizon);

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_TALLY_H */
