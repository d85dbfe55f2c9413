/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-variants.h"

#include "photonic-rails-trains-dice.h"
#include "photonic-rails-trains-draw.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

namespace
{

/** @return about how long a scenario is busy */
Picoseconds
SpanOf(const TrainsScenario& scenario)
{
    Picoseconds span = 1000;
    for (const TrainsScenario::Action& action : scenario.actions)
    {
        if (action.what == TrainsAction::POST)
        {
            span = std::max(span, action.at);
        }
    }
    span += scenario.frameBudget * scenario.FrameTime() * 5 / 4;
    return span + 4 * *std::max_element(scenario.fibers.begin(), scenario.fibers.end());
}

} // namespace

TrainsScenario
Disturbed(const TrainsScenario& scenario)
{
    TrainsScenario disturbed = scenario;
    Dice dice(scenario.seed ^ 0xd157u);
    const Picoseconds span = SpanOf(scenario);
    const uint64_t count = dice.From(1, 12);
    for (uint64_t i = 0; i < count; ++i)
    {
        TrainsScenario::Action action;
        action.at = 1 + dice.Below(span);
        action.a = dice.Below(scenario.GetPorts());
        action.b = dice.Below(TrainsDraw::WATCHED);
        action.what =
            dice.Pick({TrainsAction::SILENT_READ, TrainsAction::SILENT_ATTACH, TrainsAction::KICK});
        disturbed.actions.push_back(action);
        if (action.what == TrainsAction::SILENT_ATTACH)
        {
            action.what = TrainsAction::SILENT_DETACH;
            action.at += 1 + dice.Below(span);
            disturbed.actions.push_back(action);
        }
    }
    disturbed.SortActions();
    return disturbed;
}

TrainsScenario
WithFabric(const TrainsScenario& scenario)
{
    TrainsScenario other = scenario;
    Dice dice(scenario.seed ^ 0xfab1u);
    // from 4 ps a cell to 13.8 ns: longer than many frames, and than a short reconfiguration
    const std::string length = std::to_string(dice.Pick({300, 811, 5000, 100000, 1000000}));
    const std::string optics = "CellLength=" + length +
                               "|AccessLength=" + std::to_string(dice.Pick({0, 72, 3462, 500000}));
    other.fabric = dice.Pick({"ns3::HexagonalMeshFabric[" + optics + "]",
                              "ns3::HexagonalMeshFabric[Rows=2|Columns=2|" + optics + "]",
                              "ns3::BenesFabric[" + optics + "]",
                              "ns3::CrossbarMeshFabric[" + optics + "]"});
    other.rearranges = dice.OneIn(2);
    if (dice.OneIn(3))
    {
        other.reconfiguration = dice.Pick({0, 1, 100, 5000, 40000});
    }
    return other;
}

TrainsScenario
LookedAtLater(const TrainsScenario& scenario, Picoseconds by)
{
    TrainsScenario later = scenario;
    for (TrainsScenario::Action& action : later.actions)
    {
        action.at += LooksAtItsInstant(action.what) && action.at > 0 ? by : 0;
    }
    for (Picoseconds& stop : later.stops)
    {
        stop += by;
    }
    later.SortActions();
    return later;
}

} // namespace ns3
