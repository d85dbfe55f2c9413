/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FLEET_TRAINING_H
#define PHOTONIC_RAILS_FLEET_TRAINING_H

#include "ns3/data-rate.h"
#include "ns3/fleet-times.h"
#include "ns3/model-shape.h"
#include "ns3/nstime.h"
#include "ns3/parallelism-plan.h"
#include "ns3/rail.h"
#include "ns3/training-job-helper.h"
#include "ns3/training-recipe.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What the jobs of a fleet train, and the rails that they have: jobs differ by the number of
 * their replicas alone.
 *
 * A server holds a stage of a replica: its GPUs divide matrices (tensor parallelism). A replica is
 * a pipeline of `stages` servers.
 */
struct FleetTraining
{
    std::string model{"Llama3-8B"};
    std::optional<ModelShape> shape{}; //!< in place of the model of that name
    uint32_t layers{8};                //!< that are trained; 0: all
    uint32_t gpus{8};                  //!< of each server
    uint32_t stages{2};                //!< servers of a replica
    ParameterSharding sharding{ParameterSharding::FULL};
    TrainingRecipe recipe{};
    std::string gpu{"A100"};
    double efficiency{0.2815}; //!< achieved share of its peak
    std::string policy{"provisioned"};
    Time reconfiguration{MilliSeconds(25)};
    Time linkUp{0};              //!< from light to carrier
    Time launch{Seconds(60)};    //!< of programs and libraries
    Time darkLimit{Seconds(10)}; //!< after which a queue pair without light gives up
    uint32_t ports{2};           //!< of each GPU
    DataRate portRate{"100Gbps"};

    /** @return the plan of a job */
    ParallelismPlan MakePlan(uint32_t replicas) const;
    /** @return the builder of a job, without its iterations */
    TrainingJobHelper MakeHelper(const FleetForm& form) const;
    /** @return rails of servers with GPUs of their own, for RecoveringJob */
    std::vector<Rail> MakeRails(uint32_t servers) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FLEET_TRAINING_H */
