/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_TRAINS_SCENARIO_H
#define PHOTONIC_RAILS_TRAINS_SCENARIO_H

#include "ns3/picoseconds.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** An action on a rail at an instant. */
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
    KICK,          //!< signals a NIC that there may be frames to send: port
    EQUIP,         //!< gives a GPU an RDMA engine: GPU
    SILENT_READ,   //!< all counters, for nothing
    SILENT_ATTACH, //!< a trace, for nothing: port, which
    SILENT_DETACH, //!< a trace: port, which
};

/** @return its name */
const char* ToString(TrainsAction action);

/**
 * @return whether the result depends on whether the action is done before or after a frame's events
 * of the same instant: an order within an instant is not promised
 */
bool LooksAtItsInstant(TrainsAction action);

/**
 * A random scenario on one photonic rail: all actions on it, as data.
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

    /** The settings of one end of a queue pair. */
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
        std::vector<std::pair<uint32_t, uint32_t>> ports; //!< of the one GPU, of the other
        std::array<Settings, 2> settings;
    };

    /** One action. */
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

    /** The actions of a completion, on the spot. */
    struct Reaction
    {
        uint32_t queuePair{0};
        uint32_t end{0};
        bool settled{false}; //!< at a message that is settled; else at one that arrived
        uint32_t every{1};   //!< n-th one
        uint32_t most{1};    //!< times
        Action action;       //!< its instant does not count
    };

    /** The packet switch in place of an optical one; its SwitchingDelay is `propagation`. */
    struct PacketSwitch
    {
        bool cutThrough{false};
        uint64_t kmin{0};     //!< of marks, in bytes; 0: the default
        uint64_t pool{0};     //!< bytes of memory beside the headroom; 0: the default
        uint32_t lossless{8}; //!< a bit for each class
        uint32_t quanta{0xffff};
    };

    uint64_t seed{0};
    std::string kind;
    std::optional<PacketSwitch> packetSwitch;
    uint32_t gpus{2};
    uint32_t portsPerGpu{1};
    std::vector<uint64_t> rates;     //!< by port
    std::vector<Picoseconds> fibers; //!< delays, by port
    std::vector<double> losses;      //!< by port
    Picoseconds propagation{0};
    Picoseconds reconfiguration{1'000'000};
    std::string fabric;     //!< of the switch; empty: the ideal crossbar
    bool rearranges{false}; //!< circuits may move to other routes
    bool wholeSwitch{false};
    bool refuseWhenReconfiguring{false};
    std::string linkUpTime; //!< a random variable; empty: none
    uint32_t mtu{4096};
    bool selectiveRepeat{false};
    uint32_t initialPsn{0};
    std::vector<std::pair<uint32_t, uint32_t>> circuits; //!< from the start
    std::vector<QueuePair> queuePairs;
    std::vector<uint32_t> bareGpus; //!< without an RDMA engine, before an action gives them one
    std::vector<Action> actions;    //!< by instant
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
    Picoseconds Span(uint64_t bytes, uint32_t port = 0) const;

    /** @return how long a frame of full size lasts */
    Picoseconds FrameTime() const;

    /** Puts actions in the order of their instants; those of an instant stay as they were. */
    void SortActions();
};

/** @return an action as text */
std::string InWords(const TrainsScenario::Action& action);

/** @return a scenario as text */
std::string InWords(const TrainsScenario& scenario);

} // namespace ns3

#endif /* PHOTONIC_RAILS_TRAINS_SCENARIO_H */
