/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-policy.h"

#include "mode-policies.h"
#include "recorded-policy.h"
#include "rotor-policy.h"
#include "standing-policies.h"

#include "ns3/abort.h"
#include "ns3/known-names.h"

#include <algorithm>
#include <map>
#include <string>

namespace ns3
{

namespace
{

/** Makes a policy, of either kind. */
struct Maker
{
    CircuitPolicy::Factory plain;
    CircuitPolicy::FactoryWithArgument withArgument;
};

using Registry = std::map<std::string, Maker>;

/** @return those that come with the module, by name: so they are linked, however a library is */
Registry&
GetRegistry()
{
    static Registry registry{
        {"on-demand", {&CircuitPolicy::Make<OnDemandPolicy>, {}}},
        {"provisioned", {&CircuitPolicy::Make<ProvisionedPolicy>, {}}},
        {"co-scheduled", {&CircuitPolicy::Make<CoScheduledPolicy>, {}}},
        {"one-shot", {&CircuitPolicy::Make<OneShotPolicy>, {}}},
        {"demand", {&CircuitPolicy::Make<DemandPolicy>, {}}},
        {"static-split", {&CircuitPolicy::Make<StaticSplitPolicy>, {}}},
        {"static-split-by-traffic", {&MakeStaticSplitByTraffic, {}}},
        {"rotor", {{}, &CircuitPolicy::MakeWithArgument<RotorPolicy>}},
        {"recorded", {{}, &CircuitPolicy::MakeWithArgument<RecordedPolicy>}},
        {"electrical", {&CircuitPolicy::Make<ElectricalPolicy>, {}}},
    };
    return registry;
}

/** Adds a policy of either kind. @param name of it @param maker it */
void
AddPolicy(const std::string& name, Maker maker)
{
    NS_ABORT_MSG_IF(name.empty() || !(maker.plain || maker.withArgument),
                    "CircuitPolicy: \"" << name << "\" needs a factory");
    NS_ABORT_MSG_IF(name.find(':') != std::string::npos,
                    "CircuitPolicy: \"" << name
                                        << "\" has a colon, which parts a name from an argument; "
                                           "give it a name without");
    NS_ABORT_MSG_UNLESS(GetRegistry().emplace(name, std::move(maker)).second,
                        "CircuitPolicy: there is already a \"" << name
                                                               << "\"; give it another name");
}

} // namespace

CircuitPolicy::CircuitPolicy(std::shared_ptr<const Cabling> cabling)
    : m_cabling(std::move(cabling))
{
}

CircuitTarget
CircuitPolicy::GetInitial(const JobDemand&, const RailCircuits&)
{
    return {};
}

bool
CircuitPolicy::IsForGood() const
{
    return false;
}

ShimMode
CircuitPolicy::GetShimMode() const
{
    return ShimMode::ON_DEMAND;
}

bool
CircuitPolicy::NeedsControlPlane() const
{
    return true;
}

Picoseconds
CircuitPolicy::GetSlot() const
{
    return 0;
}

CircuitTarget
CircuitPolicy::GetRotation(uint64_t, const RailCircuits&)
{
    return {};
}

uint64_t
CircuitPolicy::GetCacheHits() const
{
    return 0;
}

const Cabling&
CircuitPolicy::GetCabling() const
{
    return *m_cabling;
}

void
CircuitPolicy::Register(const std::string& name, Factory factory)
{
    AddPolicy(name, {std::move(factory), {}});
}

void
CircuitPolicy::Register(const std::string& name, FactoryWithArgument factory)
{
    AddPolicy(name, {{}, std::move(factory)});
}

std::vector<std::string>
CircuitPolicy::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, maker] : GetRegistry())
    {
        names.push_back(name);
    }
    return names;
}

std::string
CircuitPolicy::GetKnownName(const std::string& name)
{
    const std::size_t colon = std::min(name.find(':'), name.size());
    const std::string bare = name.substr(0, colon);
    const KnownName known = FindKnownName(bare, GetNames(), "policy");
    NS_ABORT_MSG_UNLESS(known.why.empty(), "CircuitPolicy: " << bare << ": " << known.why);
    return known.name + name.substr(colon);
}

std::unique_ptr<CircuitPolicy>
CircuitPolicy::Create(const std::string& name, std::shared_ptr<const Cabling> cabling)
{
    const std::string known = GetKnownName(name);
    const std::size_t colon = known.find(':');
    const std::string bare = known.substr(0, colon);
    const std::string argument = colon == std::string::npos ? "" : known.substr(colon + 1);
    const Maker& maker = GetRegistry().find(bare)->second;
    NS_ABORT_MSG_IF(colon != std::string::npos && !maker.withArgument,
                    "CircuitPolicy: \"" << bare << "\" takes no argument, and was given \""
                                        << argument << "\"; leave out the colon and all after it");
    NS_ABORT_MSG_IF(colon != std::string::npos && argument.empty(),
                    "CircuitPolicy: nothing follows the colon of \""
                        << name << "\"; give an argument, or leave out the colon");
    return maker.withArgument ? maker.withArgument(std::move(cabling), argument)
                              : maker.plain(std::move(cabling));
}

OnDemandPolicy::OnDemandPolicy(std::shared_ptr<const Cabling> cabling)
    : CircuitPolicy(cabling),
      m_planner(cabling)
{
}

CircuitTarget
OnDemandPolicy::GetTarget(const CircuitQuestion& question)
{
    return m_planner.Plan(question);
}

uint64_t
OnDemandPolicy::GetCacheHits() const
{
    return m_planner.GetCacheHits();
}

} // namespace ns3
