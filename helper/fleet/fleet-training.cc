/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-training.h"

#include "ns3/electrical-rail-helper.h"
#include "ns3/node-container.h"
#include "ns3/photonic-rail-helper.h"
#include "ns3/uinteger.h"

namespace ns3
{

ParallelismPlan
FleetTraining::MakePlan(uint32_t replicas) const
{
    ParallelismPlan plan;
    plan.tp = plan.scaleUp = gpus;
    plan.dp = replicas;
    plan.pp = stages;
    plan.sharding = sharding;
    return plan;
}

TrainingJobHelper
FleetTraining::MakeHelper(const FleetForm& form) const
{
    TrainingJobHelper helper;
    if (shape)
    {
        helper.SetModel(*shape);
    }
    else
    {
        helper.SetModel(model);
    }
    if (layers > 0)
    {
        helper.SetLayers(layers);
    }
    helper.SetParallelismPlan(MakePlan(form.replicas));
    helper.SetRecipe(recipe);
    helper.SetGpu(gpu, efficiency);
    helper.SetPolicy(form.isDetoured ? "giant-ring" : policy);
    helper.SetReconfigurationTime(reconfiguration);
    helper.SetPorts(ports, portRate);
    if (linkUp.IsStrictlyPositive() && !helper.IsElectrical())
    {
        helper.SetLinkUpTime(linkUp);
    }
    helper.GetRdma().SetAttribute("DarkLimit", TimeValue(darkLimit));
    return helper;
}

std::vector<Rail>
FleetTraining::MakeRails(uint32_t servers) const
{
    const NodeContainer nodes(servers * gpus);
    PhotonicRailHelper photonic;
    ElectricalRailHelper electrical;
    photonic.SetReconfigurationTime(reconfiguration);
    photonic.SetSwitchAttribute("Radix", UintegerValue(ports * servers));
    if (linkUp.IsStrictlyPositive())
    {
        photonic.SetLinkUpTime(linkUp);
    }
    RailHelper& rails = policy == "electrical" ? static_cast<RailHelper&>(electrical) : photonic;
    rails.SetPorts(ports, portRate);
    return rails.InstallRails(nodes, gpus);
}

} // namespace ns3
