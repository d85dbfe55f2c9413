/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_SCENARIO_H
#define PHOTONIC_RAILS_TRAINS_SCENARIO_H

#include "ns3/picoseconds.h"
#include "ns3/rdma-engine.h"
#include "ns3/rdma-message.h"

#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

/** Something that is done to a rail at an instant. */
enum class TrainsAction
{
    POST,          //!< a message: queue pair, end, verb, bytes
    PACKETS,       //!< of the host stack: from port, to port, priority, bytes, how many
    PAUSE,         //!< a pause frame: port, class, quanta
    DISCONNECT,    //!< two switch ports
    CONNECT,       //!< two switch ports
    JOIN,          //!< two switch ports, whatever circuits are in the way
    CUT,           //!< a fiber: port, share of the length
    SPLICE,        //!< a fiber: port
    STUCK,         //!< a switch port
    SLOW,          //!< a switch port, by how much
    MEND,          //!< a switch port
    RATE,          //!< of a NIC: port, bits a second
    LOSS,          //!< of a fiber: port, rate
    READ,          //!< all counters, into the outcome
    ATTACH,        //!< a trace, into the outcome: port, which
    DETACH,        //!< a trace: port, which
    ADD_SINK,      //!< a sink, into the outcome: port
    REMOVE_SINK,   //!< it: port
    KICK,          //!< tells a NIC that there may be something to send: port
    SILENT_READ,   //!< all counters, for nothing
    SILENT_ATTACH, //!< a trace, for nothing: port, which
    SILENT_DETACH, //!< a trace: port, which
};

/** @return its name */
inline const char*
ToString(TrainsAction action)
{
    static const char* const names[]{
        "post", "packets",     "pause",         "disconnect",   "connect",  "join",
        "cut",  "splice",      "stuck",         "slow",         "mend",     "rate",
        "loss", "read",        "attach",        "detach",       "add-sink", "remove-sink",
        "kick", "silent-read", "silent-attach", "silent-detach"};
    return names[static_cast<int>(action)];
}

/**
 * @return whether what comes of it depends on whether it is done before or after a frame's events
 * of the same instant: of what is asked for at an instant, that is nobody's promise
 */
inline bool
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

/**
 * A random scenario on one photonic rail: everything that is done to it, as data.
 *
 * NIC port p of GPU g is port g * (ports a GPU) + p, on the NIC side as on the switch.
 */
struct TrainsScenario
{
    /** Congestion controls. */
    enum Congestion
    {
        NONE,
        STATIC_WINDOW,
        DCQCN,
    };

    /** What one end of a queue pair is told when it is made. */
    struct Settings
    {
        uint32_t dataClass{3};
        uint32_t ackClass{7};
        uint32_t cnpClass{6};
        uint32_t ackEvery{64};
        uint32_t timeoutExponent{14};
        uint32_t retryLimit{7};
        Picoseconds darkLimit{300'000'000'000'000};
        Congestion congestion{NONE};
        uint64_t window{1 << 20};
    };

    /** A queue pair, between GPUs. */
    struct QueuePair
    {
        std::array<uint32_t, 2> gpu;
        std::vector<RdmaEngine::PortPair> ports;
        std::array<Settings, 2> settings;
    };

    /** One thing that is done. */
    struct Action
    {
        Picoseconds at{0};
        TrainsAction what{TrainsAction::READ};
        uint32_t a{0};
        uint32_t b{0};
        uint32_t c{0};
        uint64_t number{0};
        uint32_t times{1};
        double share{0};
        bool tied{false}; //!< its instant is to be one at which a frame passes
    };

    /** What a completion brings about, on the spot. */
    struct Reaction
    {
        uint32_t queuePair{0};
        uint32_t end{0};
        bool settled{false}; //!< at a message that is settled; else at one that arrived
        uint32_t every{1};   //!< n-th one
        uint32_t most{1};    //!< times
        Action action;       //!< its instant does not count
    };

    uint64_t seed{0};
    std::string kind;
    uint32_t gpus{2};
    uint32_t portsPerGpu{1};
    std::vector<uint64_t> rates;     //!< by port
    std::vector<Picoseconds> fibers; //!< delays, by port
    std::vector<double> losses;      //!< by port
    Picoseconds propagation{0};
    Picoseconds reconfiguration{1'000'000};
    bool wholeSwitch{false};
    bool refuseWhenReconfiguring{false};
    std::string linkUpTime; //!< a random variable; empty: none
    uint32_t mtu{4096};
    bool selectiveRepeat{false};
    uint32_t initialPsn{0};
    std::vector<std::pair<uint32_t, uint32_t>> circuits; //!< from the start
    std::vector<QueuePair> queuePairs;
    std::vector<Action> actions; //!< by instant
    std::vector<Reaction> reactions;
    std::vector<Picoseconds> stops; //!< by instant
    bool traceDrops{false};
    bool capture{false};
    bool promiscuous{false};
    uint64_t frameBudget{0}; //!< about so many frames
    bool guarded{false};     //!< all circuits are taken down for good when there are many more

    uint32_t GetPorts() const
    {
        return gpus * portsPerGpu;
    }

    /** @return bytes, at the rate of a port, in picoseconds, rounded up */
    Picoseconds Span(uint64_t bytes, uint32_t port = 0) const
    {
        __extension__ using Wide = unsigned __int128;
        const Wide bits = Wide{8} * bytes * 1'000'000'000'000U;
        return static_cast<Picoseconds>((bits + rates[port] - 1) / rates[port]);
    }

    /** @return how long a frame of full size lasts */
    Picoseconds FrameTime() const
    {
        return Span(mtu + 82);
    }
};

/** @return an action in words */
inline std::string
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

/** @return a scenario in words */
inline std::string
InWords(const TrainsScenario& scenario)
{
    std::ostringstream text;
    text << scenario.kind << " scenario " << scenario.seed << ": " << scenario.gpus << " GPUs with "
         << scenario.portsPerGpu << " ports, MTU " << scenario.mtu
         << (scenario.selectiveRepeat ? ", selective repeat" : "") << ", first PSN "
         << scenario.initialPsn << ", switch " << scenario.propagation << " ps, turns in "
         << scenario.reconfiguration << " ps" << (scenario.wholeSwitch ? " as a whole" : "")
         << (scenario.refuseWhenReconfiguring ? ", refuses plans while it turns" : "")
         << (scenario.linkUpTime.empty() ? "" : ", link up after " + scenario.linkUpTime)
         << (scenario.traceDrops ? ", drops traced" : "") << (scenario.capture ? ", captured" : "")
         << (scenario.guarded ? ", guarded" : "") << ", about " << scenario.frameBudget
         << " frames\n";
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

#endif /* PHOTONIC_RAILS_TRAINS_SCENARIO_H */
