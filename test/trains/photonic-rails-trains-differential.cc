/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-differential.h"

#include "photonic-rails-trains-dice.h"
#include "photonic-rails-trains-outcome.h"
#include "photonic-rails-trains-runner.h"
#include "photonic-rails-trains-variants.h"

#include "ns3/wire-frame.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @return whether a fiber is cut and spliced at one instant: the result depends on the order of
 * events, on purpose, for the light is as it was before
 */
bool
Blinks(const TrainsScenario& scenario)
{
    for (const TrainsScenario::Action& cut : scenario.actions)
    {
        for (const TrainsScenario::Action& splice : scenario.actions)
        {
            if (cut.what == TrainsAction::CUT && splice.what == TrainsAction::SPLICE &&
                cut.a == splice.a && cut.at == splice.at)
            {
                return true;
            }
        }
    }
    return false;
}

/** @return an instant at which a frame has an event, or nearly */
Picoseconds
TiedInstant(const TrainsScenario& scenario,
            const TrainsOutcome& probe,
            Dice& dice,
            const TrainsScenario::Action& action)
{
    const bool cut = action.what == TrainsAction::CUT || action.what == TrainsAction::SPLICE;
    const uint32_t port = cut ? action.a : dice.Below(scenario.GetPorts());
    const bool out = dice.OneIn(2);
    const std::vector<WireFrame>& rows = out ? probe.sent[port] : probe.received[port];
    if (rows.empty())
    {
        return action.at;
    }
    const WireFrame& frame = rows[dice.Below(rows.size())];
    Picoseconds at = dice.OneIn(3) ? frame.first : frame.last;
    const Picoseconds delay = scenario.fibers[port];
    const Picoseconds sides[]{0,
                              cut ? std::llround(action.share * static_cast<double>(delay)) : delay,
                              delay + scenario.propagation};
    at += out ? sides[dice.Below(3)] : -sides[dice.Below(3)];
    if (out && !frame.packet && frame.roce.ackRequest && dice.OneIn(3))
    {
        // when the timer is over
        const uint32_t exponent = dice.Pick(scenario.queuePairs).settings[0].timeoutExponent;
        at = frame.last + (Picoseconds{4'096'000} << exponent);
        at -= dice.OneIn(2) ? scenario.fibers[port] : 0;
    }
    const uint64_t beside = dice.Below(5);
    at += beside == 0 ? 1 : beside == 1 ? -1 : 0;
    return std::max<Picoseconds>(at, 1);
}

/** @return the name of a scheduler, by a number */
std::string
SchedulerName(uint64_t number)
{
    // not HeapScheduler, which loses the order of events when one is removed
    static const char* const names[]{"ns3::PriorityQueueScheduler",
                                     "ns3::MapScheduler",
                                     "ns3::ListScheduler"};
    return names[number % 3];
}

/** @return options as text */
std::string
InWords(const TrainsRunOptions& options)
{
    return options.fidelity + ", " + options.scheduler +
           (options.salt == 0 ? "" : ", shuffled by " + std::to_string(options.salt)) +
           (options.sinks ? "" : ", no sinks");
}

} // namespace

TrainsDifferential::TrainsDifferential(std::string folder, TrainsDraw::Kind kind, Mode mode)
    : m_folder(std::move(folder)),
      m_kind(kind),
      m_mode(mode)
{
}

TrainsComparison
TrainsDifferential::Check(uint64_t seed) const
{
    TrainsScenario scenario = DrawScenario(m_kind, seed);
    TrainsRunOptions first = FirstOptions(seed);
    TrainsRunOptions second = SecondOptions(seed);
    TrainsOutcome one = RunTrains(scenario, first);
    for (Picoseconds by = 1; one.ambiguous && by <= 1024; by *= 4)
    {
        scenario = LookedAtLater(scenario, by);
        one = RunTrains(scenario, first);
    }
    const TrainsScenario other = m_mode == DISTURBED ? Disturbed(scenario) : scenario;
    TrainsComparison check;
    check.frames = one.frames;
    check.events = one.events;
    check.skipped = one.ambiguous || (m_mode == SHUFFLED && Blinks(scenario));
    if (check.skipped)
    {
        return check;
    }
    TrainsOutcome two = RunTrains(other, second);
    check.otherEvents = two.events;
    check.longestRun = two.longestRun;
    if (!second.sinks)
    {
        two.ports = one.ports;
    }
    const std::string difference = one.DifferenceFrom(two);
    if (difference.empty())
    {
        return check;
    }
    // again, to show the frames
    first.mostRows = second.mostRows = MOST_ROWS;
    std::ostringstream text;
    text << InWords(other) << "first (-): " << InWords(first) << "\nsecond (+): " << InWords(second)
         << "\n"
         << difference << "\n"
         << RunTrains(scenario, first).FirstFrameThatDiffers(RunTrains(other, second));
    check.difference = text.str();
    return check;
}

TrainsScenario
TrainsDifferential::DrawScenario(TrainsDraw::Kind kind, uint64_t seed)
{
    TrainsScenario scenario = TrainsDraw(kind, seed).Draw();
    if (kind == TrainsDraw::FABRICS)
    {
        scenario = WithFabric(scenario);
    }
    std::vector<TrainsScenario::Action> tied;
    TrainsScenario without = scenario;
    without.actions.clear();
    for (const TrainsScenario::Action& action : scenario.actions)
    {
        (action.tied ? tied : without.actions).push_back(action);
    }
    if (tied.empty())
    {
        return scenario;
    }
    TrainsRunOptions options;
    options.mostRows = 3000;
    options.captures = false;
    const TrainsOutcome probe = RunTrains(without, options);
    Dice dice(seed ^ 0x71edu);
    for (TrainsScenario::Action& action : tied)
    {
        action.at = TiedInstant(scenario, probe, dice, action);
        without.actions.push_back(action);
    }
    without.SortActions();
    return without;
}

TrainsRunOptions
TrainsDifferential::FirstOptions(uint64_t seed) const
{
    TrainsRunOptions options;
    options.folder = m_folder;
    options.watchTies = true;
    options.captures = m_mode != SHUFFLED;
    options.foldBlinks = m_mode == SHUFFLED;
    options.scheduler = SchedulerName(seed);
    options.fidelity = m_mode == DISTURBED || m_mode == NO_SINKS ? "PacketTrains" : "PacketEvents";
    return options;
}

TrainsRunOptions
TrainsDifferential::SecondOptions(uint64_t seed) const
{
    TrainsRunOptions options = FirstOptions(seed);
    options.watchTies = false;
    options.salt = m_mode == SHUFFLED ? seed + 1 : 0;
    options.sinks = m_mode != NO_SINKS;
    options.scheduler = SchedulerName(seed + (m_mode == SCHEDULERS ? 1 + seed / 3 % 2 : seed / 3));
    options.fidelity = m_mode == SHUFFLED || m_mode == SCHEDULERS ? "PacketEvents" : "PacketTrains";
    return options;
}

} // namespace ns3
