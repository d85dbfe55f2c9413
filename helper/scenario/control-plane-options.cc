/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "control-plane-options.h"

#include "scenario-options.h"
#include "scenario.h"

#include "ns3/double.h"
#include "ns3/management-network-helper.h"
#include "ns3/pointer.h"
#include "ns3/policy-names.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3
{

void
ControlPlaneOptions::Add(Scenario& scenario)
{
    scenario.Add("policies", "Whose circuits, by name, with commas", policies)
        .OneOf(GetPolicyAliases())
        .MayHaveArgument();
    scenario.Add("reconfiguration", "Reconfiguration time of the switches", reconfiguration)
        .Between(Seconds(0), Hours(1));
    scenario.Add("management-latency", "One way, on the management network", managementLatency)
        .Between(Seconds(0), Seconds(1));
    scenario.Add("host-latency", "From a GPU to the shim, and back", hostLatency)
        .Between(PicoSeconds(1), Seconds(1));
    scenario.Add("loss", "Share of packets that each management link loses", loss).Between(0, 0.5);
    scenario
        .Add("granularity",
             "Parallelisms share a rail (Group), or not (Rail), or all rails change as one "
             "(Network)",
             granularity)
        .OneOf({"Group", "Rail", "Network"}, "granularity");
    scenario.Add("processing", "Of a message at the controller, one after another", processing)
        .Between(Seconds(0), Seconds(1));
    scenario.Add("link-up", "From light to a port that works", linkUp)
        .Between(Seconds(0), Hours(1));
    scenario.Add("done-when", "Plans are done (Reconfigured or Carrier)", doneWhen)
        .OneOf({"Reconfigured", "Carrier"}, "instant");
    noise.Add(scenario.GetOptions());
    hostNetwork.Add(scenario.GetOptions());
    scenario.Add("standby", "Whether a second controller stands by", standby);
    scenario.Add("crash", "When the first controller crashes; 0: never", crash)
        .Between(Seconds(0), Hours(1));
}

void
ControlPlaneOptions::Check(const Scenario& scenario) const
{
    scenario.Require(crash.IsZero() || standby,
                     "crash",
                     "without --standby nobody takes over, and the job fails");
    const std::string why = hostNetwork.FindMistake();
    scenario.Require(why.empty(), "host-network", why);
}

void
ControlPlaneOptions::SetUp(OpusHelper& opus) const
{
    ManagementNetworkHelper network;
    network.SetLatency(managementLatency);
    network.SetLoss(loss);
    opus.SetManagementNetwork(network);
    opus.SetShimAttribute("HostLatency", TimeValue(hostLatency));
    opus.SetControllerAttribute("Granularity", StringValue(granularity));
    opus.SetAgentAttribute("DoneWhen", StringValue(doneWhen));
    opus.SetStandby(standby);
    if (processing.IsStrictlyPositive())
    {
        const auto constant = CreateObject<ConstantRandomVariable>();
        constant->SetAttribute("Constant", DoubleValue(processing.GetTimeStep() / 1e12));
        opus.SetControllerAttribute("ProcessingTime", PointerValue(constant));
    }
}

void
ControlPlaneOptions::ScheduleCrash(const OpusControlPlane& plane) const
{
    if (plane.controller && crash.IsStrictlyPositive())
    {
        Simulator::Schedule(crash, &OpusEndpoint::Crash, plane.controller);
    }
}

} // namespace ns3
