/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-draws.h"

#include "ns3/abort.h"
#include "ns3/mix-bits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/** Draws of one component or group, numbered from 0. */
class OwnDraws
{
  public:
    /** @param keys that name its draws */
    OwnDraws(uint64_t seed, uint64_t kind, uint64_t number, uint64_t which)
        : m_key(MixBits(seed ^ MixBits(kind ^ MixBits(number ^ MixBits(which)))))
    {
    }

    /** @return a number above 0 and below 1 */
    double Next()
    {
        const uint64_t bits = MixBits(m_key ^ MixBits(m_draws++));
        return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
    }

    /** @return a time of a Weibull distribution, in picoseconds: 1 or more */
    double NextTime(Time mean, double shape)
    {
        const double scale = mean.GetTimeStep() / std::tgamma(1 + 1 / shape);
        const double time = scale * std::pow(-std::log(Next()), 1 / shape);
        return std::max(1.0, std::floor(time));
    }

  private:
    uint64_t m_key;
    uint64_t m_draws{0};
};

/** @return a drawn duration; none: for good */
std::optional<Time>
DrawRepair(OwnDraws& draws, const ComponentFaults& faults)
{
    if (faults.mttr.IsZero())
    {
        return std::nullopt;
    }
    const double time = draws.NextTime(faults.mttr, faults.repairShape);
    return Time(static_cast<int64_t>(std::min(time, 9e18)));
}

/** Aborts if a value is out of its range. */
void
Check(const ComponentFaults& faults)
{
    const std::string& kind = ToString(faults.fault.kind);
    NS_ABORT_MSG_UNLESS(faults.mtbf.IsStrictlyPositive(),
                        "FaultDraws: " << kind << ": a mean time between failures of "
                                       << faults.mtbf.GetTimeStep() << " ps; give 1 ps or more");
    NS_ABORT_MSG_IF(faults.mttr.IsStrictlyNegative(),
                    "FaultDraws: " << kind << ": a mean repair time of "
                                   << faults.mttr.GetTimeStep()
                                   << " ps; give 1 ps or more, or 0 ps for faults for good");
    for (const double shape : {faults.shape, faults.repairShape})
    {
        NS_ABORT_MSG_UNLESS(shape >= 0.1 && shape <= 100,
                            "FaultDraws: " << kind << ": a shape of " << shape
                                           << "; give 0.1 to 100");
    }
    NS_ABORT_MSG_IF(UsesOf(faults.fault.kind).bounded && faults.mttr.IsZero(),
                    "FaultDraws: " << kind << " always ends; give a mean repair time");
}

} // namespace

FaultDraws::FaultDraws(const FaultCluster& cluster, uint64_t seed)
    : m_cluster(cluster),
      m_seed(seed)
{
}

void
FaultDraws::Add(const ComponentFaults& faults)
{
    Check(faults);
    m_each.push_back(faults);
}

void
FaultDraws::Add(const CommonFaults& faults)
{
    Check(faults.each);
    NS_ABORT_MSG_UNLESS(faults.probability >= 0 && faults.probability <= 1,
                        "FaultDraws: a probability of " << faults.probability << "; give 0 to 1");
    NS_ABORT_MSG_IF(faults.serversPerRack == 0, "FaultDraws: racks of 0 servers; give 1 or more");
    m_common.push_back(faults);
}

std::vector<Fault>
FaultDraws::GetComponents(const Fault& fault) const
{
    const FaultUses& uses = UsesOf(fault.kind);
    std::vector<Fault> components;
    if (uses.ends)
    {
        std::vector<ManagementEnd> ends{{ManagementEnd::Role::CONTROLLER, 0}};
        if (m_cluster.hasStandby)
        {
            ends.push_back({ManagementEnd::Role::STANDBY, 0});
        }
        for (uint32_t s = 0; s < m_cluster.servers; ++s)
        {
            ends.push_back({ManagementEnd::Role::SERVER, s});
        }
        for (uint32_t r = 0; r < m_cluster.rails; ++r)
        {
            ends.push_back({ManagementEnd::Role::RAIL, r});
        }
        for (const ManagementEnd& end : ends)
        {
            components.push_back(fault);
            components.back().ends = {end};
        }
        return components;
    }
    const uint32_t rails = uses.rail ? m_cluster.rails : 1;
    const uint32_t servers = uses.server ? m_cluster.servers : 1;
    const uint32_t gpus = uses.gpu ? m_cluster.gpus : 1;
    const uint32_t ports = uses.nic ? m_cluster.ports : uses.port ? m_cluster.switchPorts : 1;
    for (uint32_t r = 0; r < rails; ++r)
    {
        for (uint32_t s = 0; s < servers; ++s)
        {
            for (uint32_t g = 0; g < gpus; ++g)
            {
                for (uint32_t p = 0; p < ports; ++p)
                {
                    Fault one = fault;
                    one.rail = RailId(r);
                    one.server = s;
                    one.gpu = g;
                    one.port = p;
                    one.other = uses.other ? (p + 1) % ports : 0; // fibers side by side
                    if (!uses.other || one.other != p)
                    {
                        components.push_back(one);
                    }
                }
            }
        }
    }
    return components;
}

FaultSchedule
FaultDraws::Draw(Time until) const
{
    FaultSchedule schedule;
    for (std::size_t c = 0; c < m_each.size(); ++c)
    {
        DrawEach(m_each[c], c, until, schedule);
    }
    for (std::size_t c = 0; c < m_common.size(); ++c)
    {
        DrawCommon(m_common[c], m_each.size() + c, until, schedule);
    }
    return schedule;
}

void
FaultDraws::DrawEach(const ComponentFaults& faults,
                     uint64_t number,
                     Time until,
                     FaultSchedule& schedule) const
{
    std::vector<Fault> drawn;
    const std::vector<Fault> components = GetComponents(faults.fault);
    for (std::size_t c = 0; c < components.size(); ++c)
    {
        OwnDraws draws(m_seed, static_cast<uint64_t>(faults.fault.kind), number, c);
        const double end = until.GetTimeStep();
        for (double now = draws.NextTime(faults.mtbf, faults.shape); now < end;
             now += draws.NextTime(faults.mtbf, faults.shape))
        {
            Fault fault = components[c];
            fault.at = Time(static_cast<int64_t>(now));
            fault.duration = DrawRepair(draws, faults);
            drawn.push_back(fault);
            if (!fault.duration)
            {
                break;
            }
            now += fault.duration->GetTimeStep();
        }
    }
    schedule.Add(std::move(drawn));
}

void
FaultDraws::DrawCommon(const CommonFaults& faults,
                       uint64_t number,
                       Time until,
                       FaultSchedule& schedule) const
{
    std::map<uint32_t, std::vector<Fault>> groups;
    for (const Fault& one : GetComponents(faults.each.fault))
    {
        const FaultUses& uses = UsesOf(one.kind);
        // the GPU of a number is on the rail of that number
        const uint32_t rail = uses.rail ? one.rail.Get() : one.gpu;
        const uint32_t group = faults.group == CommonFaults::Group::RAIL ? rail
                               : faults.group == CommonFaults::Group::SERVER
                                   ? one.server
                                   : one.server / faults.serversPerRack;
        groups[group].push_back(one);
    }
    std::vector<Fault> drawn;
    for (const auto& [group, components] : groups)
    {
        OwnDraws draws(m_seed, static_cast<uint64_t>(faults.each.fault.kind), number, group);
        const double end = until.GetTimeStep();
        for (double now = draws.NextTime(faults.each.mtbf, faults.each.shape); now < end;
             now += draws.NextTime(faults.each.mtbf, faults.each.shape))
        {
            const std::optional<Time> repair = DrawRepair(draws, faults.each);
            for (Fault fault : components)
            {
                if (draws.Next() < faults.probability)
                {
                    fault.at = Time(static_cast<int64_t>(now));
                    fault.duration = repair;
                    drawn.push_back(fault);
                }
            }
        }
    }
    schedule.Add(std::move(drawn));
}

} // namespace ns3
