/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H
#define PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H

#include "photonic-rails-trains-draw.h"
#include "photonic-rails-trains-runner.h"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/** What came of holding two runs of a scenario against each other. */
struct TrainsComparison
{
    std::string difference; //!< in words, with the scenario; empty if there is none
    bool skipped{false};    //!< somebody looks at the very instant at which a frame passes
    uint64_t frames{0};
    uint64_t events{0};      //!< of the first run
    uint64_t otherEvents{0}; //!< of the second
    uint64_t longestRun{0};  //!< that a sink of the second run was told of at once
};

/** Runs random scenarios twice and tells what differs. */
class TrainsDifferential
{
  public:
    /** What the second run is. */
    enum Mode
    {
        TRAINS,     //!< trains, under another scheduler; the first is the reference
        SHUFFLED,   //!< the reference with events of an instant in another order
        DISTURBED,  //!< trains that are looked at now and then; the first is of trains as well
        NO_SINKS,   //!< trains to which no sink listens; the first has sinks
        SCHEDULERS, //!< the reference under another scheduler
    };

    /**
     * @param folder for captures
     * @param kind of scenarios
     * @param mode what is compared
     */
    TrainsDifferential(std::string folder, TrainsDraw::Kind kind, Mode mode)
        : m_folder(std::move(folder)),
          m_kind(kind),
          m_mode(mode)
    {
    }

    /** @return the verdict on a seed's scenario */
    TrainsComparison Check(uint64_t seed) const
    {
        TrainsScenario scenario = DrawScenario(m_kind, seed);
        TrainsRunOptions first = FirstOptions(seed);
        TrainsRunOptions second = SecondOptions(seed);
        TrainsOutcome one = TrainsRunner::Run(scenario, first);
        for (Picoseconds by = 1; one.ambiguous && by <= 1024; by *= 4)
        {
            scenario = TrainsDraw::LookedAtLater(scenario, by);
            one = TrainsRunner::Run(scenario, first);
        }
        const TrainsScenario other =
            m_mode == DISTURBED ? TrainsDraw::Disturbed(scenario) : scenario;
        TrainsComparison check;
        check.frames = one.frames;
        check.events = one.events;
        check.skipped = one.ambiguous || (m_mode == SHUFFLED && Blinks(scenario));
        if (check.skipped)
        {
            return check;
        }
        TrainsOutcome two = TrainsRunner::Run(other, second);
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
        text << InWords(other) << "first (-): " << InWords(first)
             << "\nsecond (+): " << InWords(second) << "\n"
             << difference << "\n"
             << TrainsRunner::Run(scenario, first)
                    .FirstFrameThatDiffers(TrainsRunner::Run(other, second));
        check.difference = text.str();
        return check;
    }

    /** @return a scenario, with the instants of what is tied to frames */
    static TrainsScenario DrawScenario(TrainsDraw::Kind kind, uint64_t seed)
    {
        TrainsScenario scenario = TrainsDraw(kind, seed).Draw();
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
        const TrainsOutcome probe = TrainsRunner::Run(without, options);
        Dice dice(seed ^ 0x71edu);
        for (TrainsScenario::Action& action : tied)
        {
            action.at = TiedInstant(scenario, probe, dice, action);
            without.actions.push_back(action);
        }
        TrainsDraw::SortActions(without);
        return without;
    }

    static constexpr uint64_t MOST_ROWS = 3'000'000; //!< for showing what differs

  private:
    /**
     * @return whether a fiber is cut and spliced at one instant: what comes of that lies in the
     * order of events, on purpose, for the light is as it was before
     */
    static bool Blinks(const TrainsScenario& scenario)
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

    /** @return an instant at which something happens to a frame, or nearly */
    static Picoseconds TiedInstant(const TrainsScenario& scenario,
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
                                  cut ? std::llround(action.share * static_cast<double>(delay))
                                      : delay,
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

    static std::string Scheduler(uint64_t number)
    {
        // not HeapScheduler, which loses the order of events when one is removed
        static const char* const names[]{"ns3::PriorityQueueScheduler",
                                         "ns3::MapScheduler",
                                         "ns3::ListScheduler"};
        return names[number % 3];
    }

    TrainsRunOptions FirstOptions(uint64_t seed) const
    {
        TrainsRunOptions options;
        options.folder = m_folder;
        options.watchTies = true;
        options.captures = m_mode != SHUFFLED;
        options.foldBlinks = m_mode == SHUFFLED;
        options.scheduler = Scheduler(seed);
        options.fidelity =
            m_mode == DISTURBED || m_mode == NO_SINKS ? "PacketTrains" : "PacketEvents";
        return options;
    }

    TrainsRunOptions SecondOptions(uint64_t seed) const
    {
        TrainsRunOptions options = FirstOptions(seed);
        options.watchTies = false;
        options.salt = m_mode == SHUFFLED ? seed + 1 : 0;
        options.sinks = m_mode != NO_SINKS;
        options.scheduler = Scheduler(seed + (m_mode == SCHEDULERS ? 1 + seed / 3 % 2 : seed / 3));
        options.fidelity =
            m_mode == SHUFFLED || m_mode == SCHEDULERS ? "PacketEvents" : "PacketTrains";
        return options;
    }

    static std::string InWords(const TrainsRunOptions& options)
    {
        return options.fidelity + ", " + options.scheduler +
               (options.salt == 0 ? "" : ", shuffled by " + std::to_string(options.salt)) +
               (options.sinks ? "" : ", no sinks");
    }

    static std::string InWords(const TrainsScenario& scenario)
    {
        return ns3::InWords(scenario);
    }

    std::string m_folder;
    TrainsDraw::Kind m_kind;
    Mode m_mode;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_DIFFERENTIAL_H */
