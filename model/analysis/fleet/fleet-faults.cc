/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fleet-faults.h"

#include "ns3/abort.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

namespace ns3
{

namespace
{

/** @return the numbers below `count`, shuffled alike on every platform; seed 0: in order */
std::vector<uint32_t>
Shuffle(uint32_t count, uint64_t seed)
{
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::mt19937_64 draw(seed);
    for (uint32_t left = seed == 0 ? 0 : count; left > 1; --left)
    {
        std::swap(numbers[left - 1], numbers[draw() % left]);
    }
    return numbers;
}

} // namespace

Time
GetFleetDay()
{
    return Hours(24) / FLEET_SCALE;
}

FleetFaults::FleetFaults(std::vector<FleetFault> faults, uint32_t servers)
    : m_faults(std::move(faults)),
      m_servers(servers)
{
    std::sort(m_faults.begin(), m_faults.end(), [](const FleetFault& one, const FleetFault& other) {
        return std::tie(one.begin, one.server, one.end, one.kind) <
               std::tie(other.begin, other.server, other.end, other.kind);
    });
    for (const FleetFault& fault : m_faults)
    {
        NS_ABORT_MSG_UNLESS(fault.server < servers,
                            "FleetFaults: a fault of server " << fault.server << " of " << servers
                                                              << "; give 0 to " << servers - 1);
        NS_ABORT_MSG_UNLESS(fault.begin >= 0 && fault.end > fault.begin,
                            "FleetFaults: a fault of server "
                                << fault.server << " ends before it begins, or begins before 0; "
                                << "give a begin from 0 on and a later end");
    }
}

FleetFaults
FleetFaults::Of(const FaultSchedule& schedule, uint32_t servers, uint64_t seed)
{
    const std::vector<uint32_t> places = Shuffle(servers, seed);
    std::vector<FleetFault> faults;
    for (const Fault& fault : schedule.GetFaults())
    {
        NS_ABORT_MSG_UNLESS(UsesOf(fault.kind).server && fault.server < servers,
                            "FleetFaults: " << fault << " hits no server of " << servers
                                            << "; give faults of servers, GPUs, NIC ports or "
                                               "fibers");
        FleetFault one;
        one.begin = FleetTime(FLEET_SCALE) * fault.at.GetPicoSeconds();
        one.end =
            fault.duration ? FleetTime(FLEET_SCALE) * fault.GetEnd().GetPicoSeconds() : FLEET_NEVER;
        one.server = places[fault.server];
        one.kind = fault.kind;
        faults.push_back(one);
    }
    return {std::move(faults), servers};
}

FleetFaultSummary
FleetFaults::Summarize(FleetTime horizon) const
{
    FleetFaultSummary summary;
    std::set<uint32_t> hit;
    FleetTime repairs = 0;
    uint32_t repaired = 0;
    std::vector<std::tuple<FleetTime, bool, uint32_t>> changes; // instant, whether repaired, server
    for (const FleetFault& fault : m_faults)
    {
        if (fault.begin >= horizon)
        {
            continue;
        }
        ++summary.faults;
        hit.insert(fault.server);
        changes.emplace_back(fault.begin, false, fault.server);
        if (fault.end < FLEET_NEVER)
        {
            repairs += fault.end - fault.begin;
            ++repaired;
            changes.emplace_back(fault.end, true, fault.server);
        }
    }
    summary.servers = hit.size();
    summary.repairDays = repaired == 0 ? 0 : ToDays(repairs) / repaired;
    summary.littleOut = summary.faults / ToDays(horizon) * summary.repairDays;
    std::sort(changes.begin(), changes.end());
    std::vector<uint32_t> open(m_servers, 0);
    std::vector<FleetTime> times(m_servers + 1, 0); // by number of servers that are out
    uint32_t out = 0;
    FleetTime now = 0;
    for (const auto& [at, isRepair, server] : changes)
    {
        const FleetTime until = std::min(at, horizon);
        times[out] += until - now;
        now = until;
        if (at >= horizon)
        {
            break;
        }
        open[server] += isRepair ? -1 : 1;
        out += isRepair ? -(open[server] == 0) : open[server] == 1;
        summary.mostOut = std::max(summary.mostOut, out);
    }
    times[out] += horizon - now;
    FleetTime within = 0;
    for (uint32_t number = 0; number <= summary.mostOut; ++number)
    {
        within += times[number];
        summary.meanOut += number * (static_cast<double>(times[number]) / horizon);
        summary.shareWithin.push_back(static_cast<double>(within) / horizon);
    }
    return summary;
}

} // namespace ns3
