/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rail-helper.h"

#include "ns3/abort.h"
#include "ns3/attribute-limits.h"
#include "ns3/string.h"

#include <sstream>

namespace ns3
{

void
PhotonicRailHelper::SetTechnology(const std::string& name)
{
    OcsTechnology::Get(name); // aborts here, at the caller, if there is none
    SetSwitchAttribute("Technology", StringValue(name));
}

void
PhotonicRailHelper::SetReconfigurationTime(Time time)
{
    NS_ABORT_MSG_IF(time.IsStrictlyNegative() || time.GetTimeStep() > LONGEST_TIME,
                    "PhotonicRailHelper: a reconfiguration time of " << time.GetTimeStep() / 1e12
                                                                     << " s; give 0 to 1000000s");
    std::ostringstream constant;
    constant.precision(17); // a double's worth: whole picoseconds up to 2.5 hours
    constant << "ns3::ConstantRandomVariable[Constant=" << time.GetSeconds() << "]";
    SetSwitchAttribute("ReconfigurationTime", StringValue(constant.str()));
}

Ptr<Node>
PhotonicRailHelper::CreateSwitch(uint32_t ports) const
{
    Ptr<OpticalCircuitSwitch> ocs = CreateObject<OpticalCircuitSwitch>();
    SetAttributes(ocs, m_switchAttributes);
    NS_ABORT_MSG_UNLESS(ports <= ocs->GetRadix(),
                        "PhotonicRailHelper: the rail needs a switch of "
                            << ports << " ports, and a " << ocs->GetTechnology().name
                            << " switch has " << ocs->GetRadix()
                            << "; use fewer GPUs or ports a GPU, or a technology with more ports");
    Ptr<Node> railSwitch = CreateObject<Node>();
    railSwitch->AggregateObject(ocs);
    return railSwitch;
}

Ptr<FiberPort>
PhotonicRailHelper::AddSwitchPort(Ptr<Node> railSwitch) const
{
    return railSwitch->GetObject<OpticalCircuitSwitch>()->AddPort();
}

} // namespace ns3
