/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-variant.h"

#include "scenario-options.h"

#include "ns3/ocs-technology.h"
#include "ns3/option-value.h"
#include "ns3/policy-names.h"

#include <algorithm>

namespace ns3
{

bool
ReconfiguresCircuits(const std::string& policy)
{
    return policy.rfind("electrical", 0) != 0 && policy.rfind("static", 0) != 0;
}

int
GetPolicyWidth(const std::vector<TrainingVariant>& variants)
{
    std::size_t width = 13;
    for (const TrainingVariant& one : variants)
    {
        width = std::max(width, one.policy.size());
    }
    return static_cast<int>(width);
}

std::string
TrainingVariant::GetName() const
{
    return policy + (delay ? " " + ToOption(*delay) : "");
}

RunLabel
TrainingVariant::GetLabel() const
{
    return {GetName(), policy, delay};
}

std::vector<RunLabel>
ListLabels(const std::vector<TrainingVariant>& variants)
{
    std::vector<RunLabel> labels;
    for (const TrainingVariant& one : variants)
    {
        labels.push_back(one.GetLabel());
    }
    return labels;
}

void
TrainingVariants::Add(ScenarioOptions& options)
{
    options.Add("policy", "Whose circuits, with commas; none named: four", policies)
        .OneOf(GetPolicyAliases())
        .Or("electrical-union")
        .MayHaveArgument();
    options.Add("reconfiguration",
                "Reconfiguration times, with commas; without it 0 s and the technology's; without "
                "a technology several times up to 1 s",
                delays);
    options.Add("quick", "Two policies at two times, where none are named", quick);
}

void
TrainingVariants::Complete(const std::string& technology)
{
    using Names = std::vector<std::string>;
    if (policies.empty())
    {
        policies = quick ? Names{"on-demand", "provisioned"}
                         : Names{"electrical", "static-split", "on-demand", "provisioned"};
    }
    if (!delays.empty())
    {
        return;
    }
    delays = {Seconds(0), MilliSeconds(25)};
    if (!technology.empty())
    {
        delays[1] = OcsTechnology::Get(technology).reconfiguration;
    }
    else if (!quick)
    {
        delays = {Seconds(0),
                  MilliSeconds(1),
                  MilliSeconds(10),
                  MilliSeconds(25),
                  MilliSeconds(100),
                  Seconds(1)};
    }
}

std::vector<TrainingVariant>
TrainingVariants::List() const
{
    std::vector<TrainingVariant> variants;
    for (const std::string& policy : policies)
    {
        if (!ReconfiguresCircuits(policy))
        {
            variants.push_back({policy, std::nullopt});
            continue;
        }
        for (const Time& delay : delays)
        {
            variants.push_back({policy, delay});
        }
    }
    return variants;
}

} // namespace ns3
