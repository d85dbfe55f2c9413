/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_CONTENTS_H
#define PHOTONIC_RAILS_OPUS_CONTENTS_H

#include "opus-phase.h"

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** The type of a message, by its number in the encoding. */
enum class OpusMessageType : uint8_t
{
    REGISTER_GROUP = 1,
    REQUEST = 2,
    GRANT = 3,
    REFUSE = 4,
    RELEASE = 5,
    PROGRAM = 6,
    DONE = 7,
    ALARM = 8,
    HEARTBEAT = 9,
    CLAIM = 10,
    RECALL = 11,
    LEAVE = 12,
    ACCEPT = 13,
    TERM = 14,
    HOLD = 15,
    JOIN = 16,
    WATCH = 17,
    CARRIER = 18,
    FALLBACK = 19,
    CALLED = 20,
    LATENESS = 21,
    OUTAGE = 22,
};

/** @return the name of a type in lower case with dashes */
const char* ToString(OpusMessageType type);

/** A circuit by its ends: a port of a rank's NIC, and one of another's. */
struct RankCircuit
{
    RankId one;
    uint32_t onePort{0};
    RankId other;
    uint32_t otherPort{0};

    /** @return whether both are the same circuit, with the same end first */
    bool operator==(const RankCircuit& there) const
    {
        return one == there.one && onePort == there.onePort && other == there.other &&
               otherPort == there.otherPort;
    }

    /** @return whether this circuit is before the other in the order of their ends */
    bool operator<(const RankCircuit& there) const
    {
        return std::tie(one, onePort, other, otherPort) <
               std::tie(there.one, there.onePort, there.other, there.otherPort);
    }
};

/** A circuit of a switch, by its ports. */
struct SwitchCircuit
{
    PortId one;
    PortId other;
};

// Between shims and controllers. The shim is that of OpusMessage::server. `phase` is the subject of
// the message, and `ranks` are those ranks of the server that it is from or for. Operations are
// numbered as in OpusPhase::operation.

/** REGISTER_GROUP, from a shim to the controller: ranks of the server are in a group. */
struct OpusRegisterGroup
{
    static constexpr OpusMessageType TYPE = OpusMessageType::REGISTER_GROUP;

    JobId job;
    GroupId group;
    std::vector<RankId> ranks; //!< of the group, on this server
    uint32_t whole{0};         //!< number of ranks of the group, on all servers
    uint64_t digest{0};        //!< of the list of all ranks of the group
    std::string name;          //!< of the group; its first word is the parallelism
};

/**
 * REQUEST, from a shim to the controller: ranks want circuits for a phase. The pairs are those of
 * its ranks, which the controller combines with those of other requests; a repeated request has all
 * pairs of the phase.
 */
struct OpusRequest
{
    static constexpr OpusMessageType TYPE = OpusMessageType::REQUEST;

    OpusPhase phase;
    std::vector<RankId> ranks;
    std::vector<std::pair<RankId, RankId>> pairs; //!< to join
    uint32_t whole{0};   //!< number of ranks that take part in the phase, on all servers
    uint64_t digest{0};  //!< of all pairs of the phase
    bool isAhead{false}; //!< in advance: the ranks have not called the operation yet
    uint64_t number{0};  //!< of the request, among those of a rank for the phase, from 0
    uint64_t until{0};   //!< the last operation that the ranks want the circuits for
    uint64_t bytes{0};   //!< that the ranks send in the operation
    uint32_t links{0};   //!< most links of each pair; 0: as many as the ports allow
    Picoseconds due{0};  //!< in advance: time to the call, in ps; 0: at once, or not known
};

/** GRANT, from the controller to a shim: the circuits of a phase are up. */
struct OpusGrant
{
    static constexpr OpusMessageType TYPE = OpusMessageType::GRANT;

    OpusPhase phase;
    std::vector<RankId> ranks;
    uint64_t number{0};                //!< of the requests that it answers
    bool isAhead{false};               //!< the latest request of these ranks was in advance
    uint64_t until{0};                 //!< the last operation that they are for; UINT64_MAX: all
    std::vector<RankCircuit> circuits; //!< of the ranks of the server
    /** Time from the arrival of these ranks' latest request to that of the last rank, in ps. */
    Picoseconds others{0};
    Picoseconds reconfiguration{0}; //!< time in which the circuits were set up, in ps, or 0
    uint64_t linkUp{0};             //!< of that, after the switches were done, in ps
    bool isOverRings{false};        //!< ranks without a circuit are joined by giant rings
    /** Over rings: pairs of neighbours on them that are not joined; the lower rank first. */
    std::vector<std::pair<RankId, RankId>> gaps;
};

/**
 * REFUSE, from the controller to a shim: the ranks get no circuits for a phase. From a shim to the
 * controller of a new term, as a part of its report: the ranks were refused it in an earlier term.
 */
struct OpusRefuse
{
    static constexpr OpusMessageType TYPE = OpusMessageType::REFUSE;

    OpusPhase phase;
    std::vector<RankId> ranks; //!< from the controller also ranks that have not requested it
    std::string reason;
    bool isFinal{true}; //!< the ranks may not request the phase again
};

/** RELEASE, from a shim to the controller: ranks have no traffic of a phase in flight any more. */
struct OpusRelease
{
    static constexpr OpusMessageType TYPE = OpusMessageType::RELEASE;

    OpusPhase phase;
    std::vector<RankId> ranks;
    uint64_t number{0};   //!< of the request whose circuits they release
    bool isUnused{false}; //!< they have run no operation on them, or withdraw the request
    uint64_t until{0};    //!< the last operation that they have run; unused: the first of the phase
};

/** RECALL, from the controller to a shim: ranks that hold a phase release it earlier. */
struct OpusRecall
{
    static constexpr OpusMessageType TYPE = OpusMessageType::RECALL;

    OpusPhase phase;
    std::vector<RankId> ranks;
    uint64_t number{0};  //!< of the requests that the grant answered
    bool isWhole{false}; //!< all of the phase is recalled, the first operation included
    /** The last operation that they may run; UINT64_MAX: any, until they are idle. Not if whole. */
    uint64_t until{0};
};

/**
 * CALLED, from a shim to the controller: ranks have called an operation for which it matters
 * whether a rank is late. The clocks of the servers agree.
 */
struct OpusCalled
{
    static constexpr OpusMessageType TYPE = OpusMessageType::CALLED;

    OpusPhase phase; //!< the operation
    std::vector<RankId> ranks;
    uint32_t whole{0};   //!< number of ranks that take part, on all servers
    uint32_t slot{0};    //!< number of the operation among those of the group in the iteration
    Picoseconds at{0};   //!< the instant of the calls, in ps
    bool chooses{false}; //!< the ranks choose algorithms: they want the LATENESS
};

/**
 * LATENESS, from the controller to a shim: all ranks have called an operation, and one of them
 * later than all others. It goes to the ranks that choose.
 */
struct OpusLateness
{
    static constexpr OpusMessageType TYPE = OpusMessageType::LATENESS;

    OpusPhase phase; //!< the operation
    std::vector<RankId> ranks;
    uint32_t slot{0};        //!< of the operation
    uint32_t last{0};        //!< the rank that called last
    Picoseconds lateness{0}; //!< from the last call of another rank to its call, in ps
};

/**
 * OUTAGE, from a shim to the controller: messages of ranks failed on circuits of a grant that they
 * hold. The ranks send nothing more on it, and wait for its RECALL.
 */
struct OpusOutage
{
    static constexpr OpusMessageType TYPE = OpusMessageType::OUTAGE;

    OpusPhase phase;
    std::vector<RankId> ranks;
    uint64_t number{0};                //!< of the granted request
    std::vector<RankCircuit> circuits; //!< on which messages failed
};

/** LEAVE, from a shim to the controller: the programs of all ranks of the server are over. */
struct OpusLeave
{
    static constexpr OpusMessageType TYPE = OpusMessageType::LEAVE;

    JobId job; //!< of the shim
};

/**
 * HOLD, from a shim to the controller of a new term: ranks hold circuits for a phase. Without
 * circuits: the ranks are through with the phase, and with all of its flow before that.
 */
struct OpusHold
{
    static constexpr OpusMessageType TYPE = OpusMessageType::HOLD;

    OpusPhase phase;
    std::vector<RankId> ranks;
    std::vector<RankCircuit> circuits;            //!< of the ranks
    std::vector<std::pair<RankId, RankId>> pairs; //!< all of the phase, of all ranks
    uint32_t whole{0};       //!< number of ranks that take part in the phase, on all servers
    uint64_t digest{0};      //!< of all pairs of the phase
    bool isAhead{false};     //!< the ranks have not called the first operation yet
    uint64_t number{0};      //!< of the granted request
    uint64_t until{0};       //!< the last operation that the circuits are for; UINT64_MAX: all
    bool isOverRings{false}; //!< ranks without a circuit are joined by giant rings
};

/**
 * TERM, from the controller to a shim: its term begins, and the shim reports its groups, grants and
 * refusals. From a shim to the controller: the report is complete.
 */
struct OpusTerm
{
    static constexpr OpusMessageType TYPE = OpusMessageType::TERM;

    JobId job; //!< of the shim
};

// Between controllers and agents. An agent's rail is OpusMessage::rail.

/** PROGRAM, from the controller to an agent: a change of circuits. */
struct OpusProgram
{
    static constexpr OpusMessageType TYPE = OpusMessageType::PROGRAM;

    uint64_t plan{0};                //!< number of the change, unique over all terms, from 1
    OpusPhase phase;                 //!< the first of those that need it
    std::vector<SwitchCircuit> up;   //!< circuits to set up
    std::vector<SwitchCircuit> down; //!< circuits to take down before that
};

/**
 * DONE, from an agent to the controller: a plan is executed, and the NICs at its new circuits have
 * carrier, if the agent waits for that.
 */
struct OpusDone
{
    static constexpr OpusMessageType TYPE = OpusMessageType::DONE;

    uint64_t plan{0};      //!< of the PROGRAM
    OpusPhase phase;       //!< of the PROGRAM
    Picoseconds linkUp{0}; //!< from the end of the reconfiguration to the last carrier, in ps, or 0
};

/**
 * ALARM, from an agent to the controller: a plan was refused, and nothing has changed; or it was
 * executed in part; or a port of the switch is faulty.
 */
struct OpusAlarm
{
    static constexpr OpusMessageType TYPE = OpusMessageType::ALARM;

    uint64_t plan{0}; //!< of the PROGRAM; 0: a port is faulty
    OpusPhase phase;  //!< of the PROGRAM
    std::string reason;
    bool isPartial{false};           //!< the plan was executed, except for the dark circuits
    std::vector<SwitchCircuit> dark; //!< circuits that get no light, and were taken down again
};

/** CLAIM, from a controller to all agents: take plans of OpusMessage::term only, from now on. */
struct OpusClaim
{
    static constexpr OpusMessageType TYPE = OpusMessageType::CLAIM;

    bool isQuery{false}; //!< only whether the agent would accept; it has no effect
};

/** ACCEPT, from an agent to a controller: the term of its CLAIM is accepted. */
struct OpusAccept
{
    static constexpr OpusMessageType TYPE = OpusMessageType::ACCEPT;

    bool isQuery{false};                 //!< it answers a query: the agent would accept
    std::vector<SwitchCircuit> circuits; //!< that stand; none in an answer to a query
};

// Between agents and shims. The agent's rail is OpusMessage::rail. Circuits begin with the port of
// the shim's server.

/**
 * WATCH, from an agent to a shim: it is to report the carrier of ports of its server's NICs. From a
 * controller, which takes the circuits for dark: it is to report when they have carrier again.
 */
struct OpusWatch
{
    static constexpr OpusMessageType TYPE = OpusMessageType::WATCH;

    uint64_t plan{0};                    //!< of the PROGRAM with the circuits; 0 from a controller
    std::vector<SwitchCircuit> circuits; //!< with light, as far as the sender knows
    JobId job{};                         //!< from a controller: of the shim
};

/** CARRIER, from a shim to the sender of a WATCH: ports of it have carrier. */
struct OpusCarrier
{
    static constexpr OpusMessageType TYPE = OpusMessageType::CARRIER;

    uint64_t plan{0};                    //!< of the WATCH
    std::vector<SwitchCircuit> circuits; //!< those with carrier at the server
    JobId job{};                         //!< of the shim
};

/**
 * FALLBACK, from a shim to an agent: no controller answers, its ranks have no traffic on the rail,
 * and it wants circuits of the giant rings. From the agent to a shim: another shim says so, and it
 * is to leave the controller, too; or the rings are up.
 */
struct OpusFallback
{
    static constexpr OpusMessageType TYPE = OpusMessageType::FALLBACK;

    bool isUp{false};                //!< of an agent: the rings are up
    std::vector<SwitchCircuit> up;   //!< of a shim: circuits that it wants
    std::vector<SwitchCircuit> dark; //!< of an agent: circuits of the rings that get no light
};

// Between controllers, and of all.

/**
 * HEARTBEAT, from the controller in charge to its standby: it is in charge in OpusMessage::term,
 * and alive; to a silent shim, whose acknowledgement shows that the shim is alive. From an agent or
 * a shim to a controller of an earlier term: there is the later OpusMessage::term.
 */
struct OpusHeartbeat
{
    static constexpr OpusMessageType TYPE = OpusMessageType::HEARTBEAT;

    JobId job;          //!< of the shim that sends or receives, or 0
    bool isIdle{false}; //!< to the standby: no shim is active, so that no controller is needed
};

/**
 * JOIN, from a controller to the other one: the sender is the standby from now on. From an agent or
 * a shim to the controller in charge: its process has begun anew.
 */
struct OpusJoin
{
    static constexpr OpusMessageType TYPE = OpusMessageType::JOIN;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_CONTENTS_H */
