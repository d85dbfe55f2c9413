/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "policy-names.h"

#include "co-scheduled-policy.h"
#include "demand-policy.h"
#include "electrical-policy.h"
#include "on-demand-policy.h"
#include "one-shot-policy.h"
#include "provisioned-policy.h"
#include "recorded-policy.h"
#include "rotor-policy.h"
#include "static-split-policy.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/span-words.h"
#include "ns3/string.h"

#include <optional>
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
    const std::optional<Picoseconds> slot = ParseSpan(argument);
    NS_ABORT_MSG_UNLESS(
        slot && *slot > 0,
        "RotorPolicy: a slot can't take \""
            << argument << "\"; give a number above 0 and ns, us, ms or s, such as rotor:100us");
    factory.Set("Slot", TimeValue(PicoSeconds(*slot)));
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
            {"on-demand", &OnDemandPolicy::GetTypeId},
            {"one-shot", &OneShotPolicy::GetTypeId},
            {"provisioned", &ProvisionedPolicy::GetTypeId},
            {"recorded", &RecordedPolicy::GetTypeId, true, &SetFile},
            {"rotor", &RotorPolicy::GetTypeId, true, &SetSlot},
            {"static-split", &StaticSplitPolicy::GetTypeId},
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
