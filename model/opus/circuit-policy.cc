/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "circuit-policy.h"

#include "standing-policies.h"

#include "ns3/abort.h"

#include <map>
#include <string>

namespace ns3
{

namespace
{

using Registry = std::map<std::string, CircuitPolicy::Factory>;

Registry&
GetRegistry()
{
    static Registry registry{
        {"on-demand", &CircuitPolicy::Make<OnDemandPolicy>},
        {"one-shot", &CircuitPolicy::Make<OneShotPolicy>},
        {"demand", &CircuitPolicy::Make<DemandPolicy>},
        {"static-split", &CircuitPolicy::Make<StaticSplitPolicy>},
        {"static-split-by-traffic", &MakeStaticSplitByTraffic},
    };
    return registry;
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
    NS_ABORT_MSG_IF(name.empty() || !factory, "CircuitPolicy: \"" << name << "\" needs a factory");
    NS_ABORT_MSG_UNLESS(GetRegistry().emplace(name, std::move(factory)).second,
                        "CircuitPolicy: there is already a \"" << name
                                                               << "\"; give it another name");
}

std::vector<std::string>
CircuitPolicy::GetNames()
{
    std::vector<std::string> names;
    for (const auto& [name, factory] : GetRegistry())
    {
        names.push_back(name);
    }
    return names;
}

std::unique_ptr<CircuitPolicy>
CircuitPolicy::Create(const std::string& name, std::shared_ptr<const Cabling> cabling)
{
    const auto found = GetRegistry().find(name);
    std::string names;
    for (const std::string& one : GetNames())
    {
        names += " " + one;
    }
    NS_ABORT_MSG_IF(found == GetRegistry().end(),
                    "CircuitPolicy: there is no \"" << name << "\"; there are:" << names);
    return found->second(std::move(cabling));
}

OnDemandPolicy::OnDemandPolicy(std::shared_ptr<const Cabling> cabling)
    : CircuitPolicy(cabling),
      m_planner(cabling)
{
}

CircuitTarget
OnDemandPolicy::GetTarget(const OpusPhase& phase,
                          const std::vector<JoinedRanks>& pairs,
                          const RailCircuits& circuits)
{
    return m_planner.Plan(phase.job, pairs, circuits);
}

uint64_t
OnDemandPolicy::GetCacheHits() const
{
    return m_planner.GetCacheHits();
}

} // namespace ns3
