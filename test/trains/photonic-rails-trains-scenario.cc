/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "photonic-rails-trains-scenario.h"

#include "ns3/rdma-message.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

Picoseconds
TrainsScenario::Span(uint64_t bytes, uint32_t port) const
{
    __extension__ using Wide = unsigned __int128;
    const Wide bits = Wide{8} * bytes * 1'000'000'000'000U;
    return static_cast<Picoseconds>((bits + rates[port] - 1) / rates[port]);
}

Picoseconds
TrainsScenario::FrameTime() const
{
    return Span(mtu + 82);
}

void
TrainsScenario::SortActions()
{
    std::stable_sort(actions.begin(), actions.end(), [](const Action& one, const Action& other) {
        return one.at < other.at;
    });
}

const char*
ToString(TrainsAction action)
{
    static const char* const names[]{
        "post", "packets", "pause",       "disconnect",    "connect",      "join",
        "cut",  "splice",  "stuck",       "slow",          "mend",         "rate",
        "loss", "read",    "attach",      "detach",        "add-sink",     "remove-sink",
        "kick", "equip",   "silent-read", "silent-attach", "silent-detach"};
    return names[static_cast<int>(action)];
}

bool
LooksAtItsInstant(TrainsAction action)
{
    switch (action)
    {
    case TrainsAction::LOSS:
    case TrainsAction::READ:
    case TrainsAction::ATTACH:
    case TrainsAction::DETACH:
    case TrainsAction::ADD_SINK:
    case TrainsAction::REMOVE_SINK:
        return true;
    default:
        return false;
    }
}

std::string
InWords(const TrainsScenario::Action& action)
{
    std::ostringstream text;
    text << ToString(action.what);
    switch (action.what)
    {
    case TrainsAction::POST:
        text << " queue pair " << action.a << " end " << action.b << ", "
             << ToString(static_cast<RdmaVerb>(action.c)) << " of " << action.number << " bytes";
        break;
    case TrainsAction::PACKETS:
        text << " " << action.times << " of " << action.number << " bytes, priority " << action.c
             << ", port " << action.a << " to " << action.b;
        break;
    case TrainsAction::EQUIP:
        text << " GPU " << action.a;
        break;
    case TrainsAction::CUT:
        text << " fiber " << action.a << " at " << action.share;
        break;
    case TrainsAction::LOSS:
        text << " fiber " << action.a << " " << action.share;
        break;
    case TrainsAction::READ:
    case TrainsAction::SILENT_READ:
        break;
    default:
        text << " " << action.a << " " << action.b << " " << action.number;
    }
    return text.str();
}

std::string
InWords(const TrainsScenario& scenario)
{
    std::ostringstream text;
    text << scenario.kind << " scenario " << scenario.seed << ": " << scenario.gpus << " GPUs with "
         << scenario.portsPerGpu << " ports, MTU " << scenario.mtu
         << (scenario.selectiveRepeat ? ", selective repeat" : "") << ", first PSN "
         << scenario.initialPsn << ", switch " << scenario.propagation << " ps, turns in "
         << scenario.reconfiguration << " ps" << (scenario.wholeSwitch ? " as a whole" : "")
         << (scenario.fabric.empty() ? "" : ", fabric " + scenario.fabric)
         << (scenario.rearranges ? ", rearranges" : "")
         << (scenario.refuseWhenReconfiguring ? ", refuses plans while it turns" : "")
         << (scenario.linkUpTime.empty() ? "" : ", link up after " + scenario.linkUpTime)
         << (scenario.traceDrops ? ", drops traced" : "") << (scenario.capture ? ", captured" : "")
         << (scenario.guarded ? ", guarded" : "") << ", about " << scenario.frameBudget
         << " frames\n";
    for (const uint32_t gpu : scenario.bareGpus)
    {
        text << "  GPU " << gpu << " is bare\n";
    }
    for (uint32_t p = 0; p < scenario.GetPorts(); ++p)
    {
        text << "  port " << p << ": " << scenario.rates[p] / 1e9 << " Gb/s, fiber "
             << scenario.fibers[p] << " ps, loss " << scenario.losses[p] << "\n";
    }
    for (const auto& [a, b] : scenario.circuits)
    {
        text << "  circuit " << a << "-" << b << "\n";
    }
    for (std::size_t q = 0; q < scenario.queuePairs.size(); ++q)
    {
        const TrainsScenario::QueuePair& pair = scenario.queuePairs[q];
        text << "  queue pair " << q << ": GPU " << pair.gpu[0] << " to " << pair.gpu[1]
             << ", ports";
        for (const auto& [here, there] : pair.ports)
        {
            text << " " << here << "-" << there;
        }
        text << "\n";
        for (uint32_t end = 0; end < 2; ++end)
        {
            const TrainsScenario::Settings& one = pair.settings[end];
            text << "    end " << end << ": classes " << one.dataClass << " " << one.ackClass << " "
                 << one.cnpClass << ", ACK every " << one.ackEvery << ", timeout 2^"
                 << one.timeoutExponent << " " << one.retryLimit << " times, dark limit "
                 << one.darkLimit << " ps" << (one.congestion == TrainsScenario::NONE ? "" : ", ")
                 << (one.congestion == TrainsScenario::STATIC_WINDOW
                         ? "window " + std::to_string(one.window)
                     : one.congestion == TrainsScenario::DCQCN ? "DCQCN"
                                                               : "")
                 << "\n";
        }
    }
    for (const TrainsScenario::Action& action : scenario.actions)
    {
        text << "  at " << action.at << " ps" << (action.tied ? " (tied)" : "") << ": "
             << InWords(action) << "\n";
    }
    for (const TrainsScenario::Reaction& reaction : scenario.reactions)
    {
        text << "  at each " << reaction.every << ". message "
             << (reaction.settled ? "settled" : "arrived") << " at queue pair "
             << reaction.queuePair << " end " << reaction.end << ", at most " << reaction.most
             << " times: " << InWords(reaction.action) << "\n";
    }
    for (const Picoseconds stop : scenario.stops)
    {
        text << "  stopped at " << stop << " ps\n";
    }
    return text.str();
}

} // namespace ns3
