/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-tally.h"

#include "ns3/json-writer.h"

namespace ns3
{

void
WriteFleetTally(JsonWriter& json, const FleetTally& tally, uint32_t gpus, FleetTime horizon)
{
    json.Field("goodput", tally.GetGoodput());
    json.Field("goodput_of_jobs", tally.GetGoodputOfJobs());
    json.Field("gpu_hours", gpus * ToHours(tally.GetTotal()));
    json.Field("useful_gpu_hours", gpus * ToHours(tally.useful));
    json.Field("smaller_gpu_hours", gpus * ToHours(tally.smaller));
    json.Field("checkpoint_gpu_hours", gpus * ToHours(tally.checkpoints));
    json.Field("lost_work_gpu_hours", gpus * ToHours(tally.lostWork));
    json.Field("transition_gpu_hours", gpus * ToHours(tally.transitions));
    json.Field("waiting_gpu_hours", gpus * ToHours(tally.waiting));
    json.Field("reserve_gpu_hours", gpus * ToHours(tally.reserve));
    json.Field("repair_gpu_hours", gpus * ToHours(tally.repair));
    json.Field("spares_in_use_mean", static_cast<double>(tally.inUse) / horizon);
    json.Field("spares_in_use_most", tally.mostInUse);
    json.Field("spares_placed", tally.placed);
    json.Field("faults_of_jobs", tally.faultsOfJobs);
    json.Field("faults_of_spares", tally.faultsOfSpares);
    json.Field("faults_of_lost_servers", tally.faultsOfLost);
    json.Field("transitions", tally.steps);
    json.Field("waits", tally.waits);
    json.Field("shrunk", tally.shrunk);
    json.Field("grown", tally.grown);
    json.Field("moved", tally.moved);
    json.Field("iterations", tally.iterations);
    json.Field("reconfigurations", tally.reconfigurations);
}

} // namespace ns3
