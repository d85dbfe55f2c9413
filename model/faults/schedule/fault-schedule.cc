/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-schedule.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** Collects the mistakes of one fault. */
class FaultCheck
{
  public:
    explicit FaultCheck(const Fault& fault)
        : m_fault(fault)
    {
    }

    /** Notes a mistake if a number is not below a limit. */
    void Below(uint32_t number, uint32_t limit, const std::string& noun)
    {
        if (number >= limit)
        {
            std::ostringstream words;
            words << noun << " " << number << ": there are " << limit;
            Complain(words.str(),
                     limit == 0 ? "leave the fault out" : "give 0 to " + std::to_string(limit - 1));
        }
    }

    /** Notes a mistake unless a number is within limits. */
    void Within(double value, double least, double most, const std::string& noun)
    {
        if (!(value >= least && value <= most))
        {
            std::ostringstream words;
            words << noun << " of " << value;
            std::ostringstream limits;
            limits << "give " << least << " to " << most;
            Complain(words.str(), limits.str());
        }
    }

    /** Notes a mistake unless something holds. */
    void Require(bool holds, const std::string& what, const std::string& remedy)
    {
        if (!holds)
        {
            Complain(what, remedy);
        }
    }

    /** @return all mistakes */
    std::string GetMistakes() const
    {
        return m_mistakes;
    }

  private:
    void Complain(const std::string& what, const std::string& remedy)
    {
        std::ostringstream words;
        words << (m_mistakes.empty() ? ToString(m_fault.kind) + ": " : "; ") << what << "; "
              << remedy;
        m_mistakes += words.str();
    }

    const Fault& m_fault;
    std::string m_mistakes;
};

void
CheckTargets(FaultCheck& check, const Fault& fault, const FaultCluster& cluster)
{
    const FaultUses& uses = UsesOf(fault.kind);
    if (uses.rail)
    {
        check.Below(fault.rail.Get(), cluster.rails, "rail");
    }
    if (uses.server)
    {
        check.Below(fault.server, cluster.servers, "server");
    }
    if (uses.gpu)
    {
        check.Below(fault.gpu, cluster.gpus, "gpu");
    }
    if (uses.nic)
    {
        check.Below(fault.port, cluster.ports, "port");
    }
    if (uses.port)
    {
        check.Below(fault.port, cluster.switchPorts, "port");
    }
    if (uses.other)
    {
        check.Below(fault.other, cluster.switchPorts, "other port");
        check.Require(fault.other != fault.port,
                      "port " + std::to_string(fault.port) + " and itself",
                      "name two ports");
    }
    if (fault.kind == FaultKind::OCS_DOWN)
    {
        check.Require(cluster.switchPorts > 0,
                      "the rails have no optical switch",
                      "leave the fault out");
    }
}

void
CheckEnds(FaultCheck& check, const Fault& fault, const FaultCluster& cluster)
{
    check.Require(!fault.ends.empty(), "no ends of the management network", "name one or more");
    check.Require(cluster.hasController,
                  "the cluster has no management network",
                  "install a control plane");
    for (std::size_t e = 0; e < fault.ends.size(); ++e)
    {
        const ManagementEnd& end = fault.ends[e];
        check.Require(e == 0 || fault.ends[e - 1] < end,
                      ToString(end) + " comes twice, or after a later one",
                      "name each end once, in order");
        switch (end.role)
        {
        case ManagementEnd::Role::CONTROLLER:
            break;
        case ManagementEnd::Role::STANDBY:
            check.Require(cluster.hasStandby, "there is no standby", "install one");
            break;
        case ManagementEnd::Role::SERVER:
            check.Below(end.number, cluster.servers, "server");
            break;
        case ManagementEnd::Role::RAIL:
            check.Below(end.number, cluster.rails, "rail");
            break;
        }
    }
}

void
CheckParameters(FaultCheck& check, const Fault& fault)
{
    const FaultUses& uses = UsesOf(fault.kind);
    if (uses.position)
    {
        check.Within(fault.position, 0, 1, "a position");
    }
    if (uses.factor)
    {
        check.Within(fault.factor, 0.001, 1000, "a factor");
    }
    if (uses.loss)
    {
        check.Within(fault.loss, 0, 1, "a loss");
    }
    if (uses.extra)
    {
        check.Require(fault.extra.IsStrictlyPositive(),
                      "an extra time of " + std::to_string(fault.extra.GetTimeStep()) + " ps",
                      "give 1 ps or more");
    }
    if (uses.flapping)
    {
        check.Require(fault.period >= NanoSeconds(1),
                      "a period of " + std::to_string(fault.period.GetTimeStep()) + " ps",
                      "give 1 ns or more");
        check.Within(fault.duty, 0.001, 0.999, "a duty");
    }
}

void
CheckTimes(FaultCheck& check, const Fault& fault)
{
    const FaultUses& uses = UsesOf(fault.kind);
    check.Require(!fault.at.IsStrictlyNegative(),
                  "an instant of " + std::to_string(fault.at.GetTimeStep()) + " ps",
                  "give 0 or more");
    if (fault.duration)
    {
        check.Require(*fault.duration >= NanoSeconds(1),
                      "a duration of " + std::to_string(fault.duration->GetTimeStep()) + " ps",
                      uses.bounded ? "give 1 ns or more"
                                   : "give 1 ns or more, or none if it lasts for good");
    }
    check.Require(fault.duration || !uses.bounded, "it has no duration", "give one");
}

} // namespace

std::string
FindMistake(const Fault& fault, const FaultCluster& cluster)
{
    FaultCheck check(fault);
    CheckTargets(check, fault, cluster);
    if (UsesOf(fault.kind).ends)
    {
        CheckEnds(check, fault, cluster);
    }
    const bool ofController =
        fault.kind == FaultKind::CONTROLLER_CRASH || fault.kind == FaultKind::STANDBY_CRASH ||
        fault.kind == FaultKind::AGENT_RESTART || fault.kind == FaultKind::SHIM_RESTART;
    check.Require(!ofController || cluster.hasController,
                  "the cluster has no controller",
                  "install a control plane, with a policy other than electrical");
    check.Require(fault.kind != FaultKind::STANDBY_CRASH || cluster.hasStandby,
                  "there is no standby",
                  "install one");
    CheckParameters(check, fault);
    CheckTimes(check, fault);
    return check.GetMistakes();
}

void
FaultSchedule::Add(const Fault& fault)
{
    m_faults.insert(std::upper_bound(m_faults.begin(), m_faults.end(), fault), fault);
}

void
FaultSchedule::Add(std::vector<Fault> faults)
{
    std::sort(faults.begin(), faults.end());
    std::vector<Fault> all;
    all.reserve(m_faults.size() + faults.size());
    std::merge(m_faults.begin(),
               m_faults.end(),
               faults.begin(),
               faults.end(),
               std::back_inserter(all));
    m_faults = std::move(all);
}

void
FaultSchedule::Add(const FaultSchedule& other)
{
    Add(other.m_faults);
}

std::vector<std::string>
FaultSchedule::FindMistakes(const FaultCluster& cluster) const
{
    std::vector<std::string> mistakes;
    for (std::size_t f = 0; f < m_faults.size(); ++f)
    {
        const std::string mistake = FindMistake(m_faults[f], cluster);
        if (!mistake.empty())
        {
            mistakes.push_back("fault " + std::to_string(f) + ", " + mistake);
        }
    }
    return mistakes;
}

FaultSchedule
FaultSchedule::Select(Time from, Time to) const
{
    FaultSchedule part;
    for (Fault fault : m_faults)
    {
        if (fault.at >= from && fault.at < to)
        {
            fault.at -= from;
            part.Add(fault);
        }
    }
    return part;
}

} // namespace ns3
