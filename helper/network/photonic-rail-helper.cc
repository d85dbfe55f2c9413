/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rail-helper.h"

#include "transceiver-standard.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return the optical switch of a rail; aborts if it has none */
Ptr<OpticalCircuitSwitch>
SwitchOf(const Rail& rail, const char* caller)
{
    const Ptr<OpticalCircuitSwitch> ocs = rail.GetOpticalSwitch();
    NS_ABORT_MSG_UNLESS(ocs,
                        "PhotonicRailHelper::" << caller << ": rail " << rail.GetId()
                                               << " has no optical switch; build it with "
                                                  "PhotonicRailHelper");
    return ocs;
}

/** @return a constant time as the text of a random variable @param what its name, for an error */
std::string
MakeConstant(Time time, const std::string& what)
{
    NS_ABORT_MSG_IF(time.IsStrictlyNegative() || time.GetTimeStep() > LONGEST_TIME,
                    "PhotonicRailHelper: a " << what << " time of " << time.GetTimeStep() / 1e12
                                             << " s; give 0 to 1000000s");
    std::ostringstream constant;
    constant.precision(17); // the precision of a double: whole picoseconds up to 2.5 hours
    constant << "ns3::ConstantRandomVariable[Constant=" << time.GetSeconds() << "]";
    return constant.str();
}

void
ApplyPlan(Ptr<OpticalCircuitSwitch> ocs, const CircuitPlan& plan)
{
    ocs->Apply(plan);
}

} // namespace

void
PhotonicRailHelper::SetTechnology(const std::string& name)
{
    OcsTechnology::Get(name); // aborts here, at the caller, if it is unknown
    SetSwitchAttribute("Technology", StringValue(name));
}

void
PhotonicRailHelper::SetTransceiver(const std::string& standard)
{
    const TransceiverStandard& power = TransceiverStandard::Get(standard);
    SetNicAttribute("LaunchPower", DoubleValue(power.launchDbm));
    SetNicAttribute("ReceiverSensitivity", DoubleValue(power.sensitivityDbm));
}

void
PhotonicRailHelper::SetReconfigurationTime(Time time)
{
    SetSwitchAttribute("ReconfigurationTime", StringValue(MakeConstant(time, "reconfiguration")));
}

void
PhotonicRailHelper::SetLinkUpTime(Time time)
{
    SetNicAttribute("LinkUpTime", StringValue(MakeConstant(time, "link-up")));
}

CircuitPlanReport
PhotonicRailHelper::ConnectRing(const Rail& rail)
{
    const Ptr<OpticalCircuitSwitch> ocs = SwitchOf(rail, "ConnectRing");
    const uint32_t gpus = rail.GetGpus();
    const uint32_t ports = rail.GetPortsPerGpu();
    NS_ABORT_MSG_IF(gpus < 2,
                    "PhotonicRailHelper::ConnectRing: rail "
                        << rail.GetId() << " joins " << gpus
                        << " GPU, which has no neighbour; give it 2 or more");
    NS_ABORT_MSG_IF(gpus > 2 && ports < 2,
                    "PhotonicRailHelper::ConnectRing: the "
                        << gpus << " GPUs of rail " << rail.GetId()
                        << " have 1 port each, and a ring takes 2 of each; give them 2 or more by "
                           "SetPorts() or SetProfile()");
    CircuitPlan ring;
    if (ports == 1)
    {
        ring.Connect(rail.GetSwitchPort(0), rail.GetSwitchPort(1));
        return ocs->Apply(ring);
    }
    for (uint32_t gpu = 0; gpu < gpus; ++gpu)
    {
        ring.Connect(rail.GetSwitchPort(gpu, 1), rail.GetSwitchPort((gpu + 1) % gpus, 0));
    }
    return ocs->Apply(ring);
}

void
PhotonicRailHelper::ScheduleApply(const Rail& rail, Time at, const CircuitPlan& plan)
{
    const Ptr<OpticalCircuitSwitch> ocs = SwitchOf(rail, "ScheduleApply");
    NS_ABORT_MSG_IF(at < Simulator::Now(),
                    "PhotonicRailHelper::ScheduleApply: a plan for "
                        << at.As(Time::S) << ", and it is " << Simulator::Now().As(Time::S)
                        << " already; give an instant that is to come");
    Simulator::ScheduleWithContext(rail.GetSwitchNode()->GetId(),
                                   at - Simulator::Now(),
                                   &ApplyPlan,
                                   ocs,
                                   plan);
}

Ptr<Node>
PhotonicRailHelper::CreateSwitch(const std::vector<uint32_t>& processes) const
{
    const std::size_t ports = processes.size();
    Ptr<OpticalCircuitSwitch> ocs = CreateObject<OpticalCircuitSwitch>();
    SetAttributes(ocs, m_switchAttributes);
    NS_ABORT_MSG_UNLESS(ports <= ocs->GetRadix(),
                        "PhotonicRailHelper: the rail needs a switch of "
                            << ports << " ports, and a " << ocs->GetTechnology().name
                            << " switch has " << ocs->GetRadix()
                            << "; use fewer GPUs or ports a GPU, or a technology with more ports");
    Ptr<Node> railSwitch = CreateObject<Node>(FindProcess(processes));
    railSwitch->AggregateObject(ocs);
    return railSwitch;
}

Ptr<FiberPort>
PhotonicRailHelper::AddSwitchPort(Ptr<Node> railSwitch) const
{
    return railSwitch->GetObject<OpticalCircuitSwitch>()->AddPort();
}

} // namespace ns3
