/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs random scenarios with packet events and with packet trains, and prints the differences.
//
//     trains-one-seed FIRST COUNT [--rows] [--show] [--dump FILE]
//                     [--long | --oracle | --streams | --switched | --turns | --fabrics]
//                     [--shuffled | --disturbed | --no-sinks | --schedulers]
//
// --rows prints every frame of the reference; --show prints each scenario; --dump writes the last
// scenario and its reference frames as JSON; --oracle draws scenarios of the class that
// script-oracle.py covers. The last four compare other runs: the reference with events of equal
// instants in another order, trains that are checked, trains without sinks, the reference under
// another scheduler.

#include "../support/photonic-rails-recording-sink.h"
#include "photonic-rails-trains-differential.h"
#include "photonic-rails-trains-draw.h"
#include "photonic-rails-trains-dump.h"
#include "photonic-rails-trains-outcome.h"
#include "photonic-rails-trains-runner.h"
#include "photonic-rails-trains-scenario.h"

#include "ns3/wire-frame.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** The requested runs. */
struct Request
{
    std::vector<uint64_t> numbers;
    bool rows{false};
    bool show{false};
    std::string dump;
    TrainsDraw::Kind kind{TrainsDraw::SHORT};
    TrainsDifferential::Mode mode{TrainsDifferential::TRAINS};
};

/** @return false if the words make no sense */
bool
Read(const std::vector<std::string>& words, Request& request)
{
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        const std::string& word = words[i];
        if (word == "--rows")
        {
            request.rows = true;
        }
        else if (word == "--show")
        {
            request.show = true;
        }
        else if (word == "--dump" && i + 1 < words.size())
        {
            request.dump = words[++i];
        }
        else if (word == "--long" || word == "--oracle" || word == "--switched" ||
                 word == "--streams" || word == "--turns" || word == "--fabrics")
        {
            request.kind = word == "--long"       ? TrainsDraw::LONG
                           : word == "--oracle"   ? TrainsDraw::ORACLE
                           : word == "--switched" ? TrainsDraw::SWITCHED
                           : word == "--turns"    ? TrainsDraw::TURNS
                           : word == "--fabrics"  ? TrainsDraw::FABRICS
                                                  : TrainsDraw::STREAMS;
        }
        else if (word == "--shuffled")
        {
            request.mode = TrainsDifferential::SHUFFLED;
        }
        else if (word == "--disturbed")
        {
            request.mode = TrainsDifferential::DISTURBED;
        }
        else if (word == "--no-sinks")
        {
            request.mode = TrainsDifferential::NO_SINKS;
        }
        else if (word == "--schedulers")
        {
            request.mode = TrainsDifferential::SCHEDULERS;
        }
        else if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos)
        {
            request.numbers.push_back(std::stoull(word));
        }
        else
        {
            return false;
        }
    }
    return !request.numbers.empty();
}

/** Prints or writes the reference of a seed. */
void
Print(const Request& request, uint64_t seed)
{
    const TrainsScenario scenario = TrainsDifferential::DrawScenario(request.kind, seed);
    if (request.show)
    {
        std::cout << InWords(scenario);
    }
    if (!request.rows && request.dump.empty())
    {
        return;
    }
    TrainsRunOptions options;
    options.mostRows = TrainsDifferential::MOST_ROWS;
    options.captures = false;
    const TrainsOutcome outcome = RunTrains(scenario, options);
    for (std::size_t p = 0; request.rows && p < outcome.sent.size(); ++p)
    {
        for (const bool out : {true, false})
        {
            std::cout << "port " << p << (out ? " sent\n" : " received\n");
            for (const WireFrame& frame : out ? outcome.sent[p] : outcome.received[p])
            {
                std::cout << "  " << InWords(frame) << "\n";
            }
        }
    }
    for (std::size_t i = 0; request.rows && i < outcome.completions.size(); ++i)
    {
        std::cout << outcome.completions[i].InWords() << "\n";
    }
    for (std::size_t i = 0; request.rows && i < outcome.facts.size(); ++i)
    {
        std::cout << outcome.facts[i] << "\n";
    }
    if (!request.dump.empty())
    {
        std::ofstream file(request.dump);
        DumpTrains(file, scenario, outcome);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    Request request;
    if (!Read({argv + 1, argv + argc}, request))
    {
        std::cerr << "trains-one-seed FIRST COUNT [--rows] [--show] [--dump FILE] [--long | "
                     "--oracle | --streams | --switched | --turns | --fabrics] [--shuffled | "
                     "--disturbed | "
                     "--no-sinks | --schedulers]\n";
        return 2;
    }
    const uint64_t first = request.numbers[0];
    const uint64_t count = request.numbers.size() > 1 ? request.numbers[1] : 1;
    const TrainsDifferential differential(".", request.kind, request.mode);
    const auto begin = std::chrono::steady_clock::now();
    uint64_t different = 0;
    uint64_t skipped = 0;
    uint64_t frames = 0;
    uint64_t most = 0;
    uint64_t events = 0;
    uint64_t otherEvents = 0;
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        Print(request, seed);
        const TrainsComparison check = differential.Check(seed);
        skipped += check.skipped ? 1 : 0;
        frames += check.frames;
        most = std::max(most, check.frames);
        events += check.events;
        otherEvents += check.otherEvents;
        if (!check.difference.empty())
        {
            ++different;
            std::cout << "==== seed " << seed << "\n" << check.difference << std::endl;
        }
    }
    const std::chrono::duration<double> span = std::chrono::steady_clock::now() - begin;
    std::cout << count << " seeds: " << different << " differ, " << skipped << " skipped, "
              << frames << " frames (at most " << most << "), " << events << " and " << otherEvents
              << " events, " << span.count() << " s\n";
    return different == 0 ? 0 : 1;
}
