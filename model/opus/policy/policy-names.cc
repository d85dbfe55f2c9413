/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "policy-names.h"

#include "co-scheduled-policy.h"
#include "demand-policy.h"
#include "electrical-policy.h"
#include "giant-ring-policy.h"
#include "on-demand-policy.h"
#include "one-shot-policy.h"
#include "provisioned-policy.h"
#include "recorded-policy.h"
#include "rotor-policy.h"
#include "static-split-policy.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/option-value.h"
#include "ns3/string.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/** The argument of `rotor`: the length of a slot. */
void
SetSlot(ObjectFactory& factory, const std::string& argument)
{
    if (argument.empty())
    {
        return;
    }
    const std::set<std::string> units{"ns", "us", "ms", "s"};
    const std::size_t unit = argument.find_first_not_of("0123456789.");
    const bool hasForm = unit != std::string::npos && argument.front() != '.' &&
                         units.count(argument.substr(unit)) != 0;
    const OptionValue<Time> slot = ParseTime(argument);
    NS_ABORT_MSG_UNLESS(
        hasForm && slot.why.empty() && slot.value.IsStrictlyPositive(),
        "RotorPolicy: a slot can't take \""
            << argument << "\"; give a number above 0 and ns, us, ms or s, such as rotor:100us");
    factory.Set("Slot", TimeValue(slot.value));
}

/** The argument of `recorded`: the file. */
void
SetFile(ObjectFactory& factory, const std::string& argument)
{
    factory.Set("File", StringValue(argument));
}

/** The setting of `static-split-by-traffic`. */
void
DivideByTraffic(ObjectFactory& factory, const std::string&)
{
    factory.Set("Division", EnumValue(StaticSplitPolicy::BY_TRAFFIC));
}

/** The setting of `static-split-by-root`. */
void
DivideByRoot(ObjectFactory& factory, const std::string&)
{
    factory.Set("Division", EnumValue(StaticSplitPolicy::BY_ROOT));
}

} // namespace

const TypeAliases&
GetPolicyAliases()
{
    static const TypeAliases aliases(
        "policy",
        CircuitPolicy::GetTypeId(),
        {
            {"co-scheduled", &CoScheduledPolicy::GetTypeId},
            {"demand", &DemandPolicy::GetTypeId},
            {"electrical", &ElectricalPolicy::GetTypeId},
            {"giant-ring", &GiantRingPolicy::GetTypeId},
            {"on-demand", &OnDemandPolicy::GetTypeId},
            {"one-shot", &OneShotPolicy::GetTypeId},
            {"provisioned", &ProvisionedPolicy::GetTypeId},
            {"recorded", &RecordedPolicy::GetTypeId, true, &SetFile},
            {"rotor", &RotorPolicy::GetTypeId, true, &SetSlot},
            {"static-split", &StaticSplitPolicy::GetTypeId},
            {"static-split-by-root", &StaticSplitPolicy::GetTypeId, false, &DivideByRoot},
            {"static-split-by-traffic", &StaticSplitPolicy::GetTypeId, false, &DivideByTraffic},
        });
    return aliases;
}

std::vector<std::string>
GetPolicyNames()
{
    return GetPolicyAliases().GetNames();
}

ObjectFactory
MakePolicyFactory(const std::string& name)
{
    return GetPolicyAliases().MakeFactory(name);
}

Ptr<CircuitPolicy>
MakeCircuitPolicy(const std::string& name, std::shared_ptr<const Cabling> cabling)
{
    return CircuitPolicy::Create(MakePolicyFactory(name), std::move(cabling));
}

} // namespace ns3
