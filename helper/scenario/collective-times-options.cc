/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-times-options.h"

#include "scenario-options.h"

#include "ns3/nccl-tuning.h"
#include "ns3/string.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/** @return the options and their values */
template <typename Options>
auto
ListTimes(Options& its)
{
    return std::vector<std::pair<std::string, decltype(&its.railStart)>>{
        {"rail-start", &its.railStart},
        {"rail-step", &its.railStep},
        {"rail-message", &its.railMessage},
        {"scale-up-start", &its.scaleUpStart},
        {"scale-up-step", &its.scaleUpStep},
        {"scale-up-message", &its.scaleUpMessage},
    };
}

} // namespace

void
CollectiveTimesOptions::Add(ScenarioOptions& options)
{
    const Time longest = Seconds(1);
    options
        .Add("times", "Those of ranks that are not given; nccl: of NCCL's tuning; none: 0", times)
        .OneOf({"none", "nccl"}, "times");
    options
        .Add("rail-start",
             "From the call of an operation to its first message, on rails, such as 10us",
             railStart)
        .Between(Time(0), longest);
    options.Add("rail-step", "From the arrival of a message over a rail to the use of it", railStep)
        .Between(Time(0), longest);
    options.Add("rail-message", "Of posting a message to a rail", railMessage)
        .Between(Time(0), longest);
    options.Add("scale-up-start", "As rail-start, inside servers", scaleUpStart)
        .Between(Time(0), longest);
    options.Add("scale-up-step", "As rail-step, inside servers", scaleUpStep)
        .Between(Time(0), longest);
    options.Add("scale-up-message", "As rail-message, inside servers", scaleUpMessage)
        .Between(Time(0), longest);
    options.Add("protocol", "NCCL's protocol of messages; Tuned: as its tuning chooses", protocol)
        .OneOf({"Simple", "LL128", "LL", "Tuned"}, "protocol");
}

void
CollectiveTimesOptions::Complete(ScenarioOptions& options)
{
    if (times == "none")
    {
        return;
    }
    const CollectiveTimes nccl = GetNcclTimes();
    const TransportTimes& rail = nccl.Get(TransportKind::RAIL);
    const TransportTimes& inside = nccl.Get(TransportKind::SCALE_UP);
    const std::vector<Time> known{rail.start,
                                  rail.step,
                                  rail.message,
                                  inside.start,
                                  inside.step,
                                  inside.message};
    const auto all = ListTimes(*this);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        const auto& [name, value] = all[i];
        if (!options.IsGiven(name))
        {
            *value = known[i];
            options.Refresh(name);
        }
    }
}

void
CollectiveTimesOptions::SetUp(CollectiveHelper& helper) const
{
    CollectiveTimes all;
    all.Edit(TransportKind::RAIL) = {railStart, railStep, railMessage};
    all.Edit(TransportKind::SCALE_UP) = {scaleUpStart, scaleUpStep, scaleUpMessage};
    helper.SetTimes(all);
    if (protocol != "Simple")
    {
        helper.SetAttribute("Protocol", StringValue(protocol));
    }
}

Time
CollectiveTimesOptions::GetLongest() const
{
    Time longest{0};
    for (const auto& [name, value] : ListTimes(*this))
    {
        longest = std::max(longest, *value);
    }
    return longest;
}

bool
CollectiveTimesOptions::AreSet() const
{
    return GetLongest().IsStrictlyPositive() || protocol != "Simple";
}

} // namespace ns3
