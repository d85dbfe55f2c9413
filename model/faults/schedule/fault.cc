/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault.h"

#include "ns3/option-value.h"

#include <sstream>

namespace ns3
{

namespace
{

/** @return what names the component of a fault */
auto
TargetOf(const Fault& fault)
{
    return std::tie(fault.kind,
                    fault.rail,
                    fault.server,
                    fault.gpu,
                    fault.port,
                    fault.other,
                    fault.ends);
}

/** @return all members, the instant first */
auto
AllOf(const Fault& fault)
{
    return std::tuple_cat(std::tie(fault.at),
                          TargetOf(fault),
                          std::tie(fault.duration,
                                   fault.position,
                                   fault.factor,
                                   fault.extra,
                                   fault.loss,
                                   fault.period,
                                   fault.duty));
}

} // namespace

std::string
ToString(const ManagementEnd& end)
{
    switch (end.role)
    {
    case ManagementEnd::Role::CONTROLLER:
        return "controller";
    case ManagementEnd::Role::STANDBY:
        return "standby";
    case ManagementEnd::Role::SERVER:
        return "server " + std::to_string(end.number);
    case ManagementEnd::Role::RAIL:
        return "rail " + std::to_string(end.number);
    }
    return "";
}

std::optional<ManagementEnd>
FindManagementEnd(const std::string& words)
{
    if (words == "controller" || words == "standby")
    {
        return ManagementEnd{words == "controller" ? ManagementEnd::Role::CONTROLLER
                                                   : ManagementEnd::Role::STANDBY,
                             0};
    }
    for (const auto& [noun, role] : {std::pair("server ", ManagementEnd::Role::SERVER),
                                     std::pair("rail ", ManagementEnd::Role::RAIL)})
    {
        const std::string start(noun);
        if (words.compare(0, start.size(), start) != 0)
        {
            continue;
        }
        const OptionValue<uint64_t> number = ParseCount(words.substr(start.size()), UINT32_MAX);
        if (number.why.empty())
        {
            return ManagementEnd{role, static_cast<uint32_t>(number.value)};
        }
    }
    return std::nullopt;
}

Time
Fault::GetEnd() const
{
    return duration && *duration < Time::Max() - at ? at + *duration : Time::Max();
}

bool
Fault::operator==(const Fault& other) const
{
    return AllOf(*this) == AllOf(other);
}

bool
Fault::operator!=(const Fault& other) const
{
    return !(*this == other);
}

bool
Fault::operator<(const Fault& other) const
{
    return AllOf(*this) < AllOf(other);
}

bool
IsSameComponent(const Fault& one, const Fault& other)
{
    return TargetOf(one) == TargetOf(other);
}

std::string
DescribeTarget(const Fault& fault)
{
    const FaultUses& uses = UsesOf(fault.kind);
    std::ostringstream words;
    if (uses.rail)
    {
        words << "rail " << fault.rail;
        if (uses.port)
        {
            words << ", port " << fault.port;
        }
        if (uses.other)
        {
            words << " and port " << fault.other;
        }
    }
    if (uses.server)
    {
        words << "server " << fault.server;
        if (uses.gpu)
        {
            words << ", gpu " << fault.gpu;
        }
        if (uses.nic)
        {
            words << ", port " << fault.port;
        }
    }
    for (std::size_t e = 0; e < fault.ends.size(); ++e)
    {
        words << (e == 0 ? "" : ", ") << ToString(fault.ends[e]);
    }
    return words.str();
}

std::ostream&
operator<<(std::ostream& os, const Fault& fault)
{
    const std::string target = DescribeTarget(fault);
    os << ToString(fault.kind) << (target.empty() ? "" : " of ") << target << " at "
       << ToOption(fault.at);
    if (fault.duration)
    {
        os << " for " << ToOption(*fault.duration);
    }
    return os;
}

} // namespace ns3
