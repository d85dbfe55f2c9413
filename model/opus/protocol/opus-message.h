/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_MESSAGE_H
#define PHOTONIC_RAILS_OPUS_MESSAGE_H

#include "ns3/identifier.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** A server, counted from 0. */
using ServerId = Identifier<struct ServerIdTag>;

/** A job, counted from 0. */
using JobId = Identifier<struct JobIdTag>;

/** What circuits are asked for and granted for: a stage of an operation of a group of a job. */
struct OpusPhase
{
    JobId job;
    GroupId group;
    bool pointToPoint{false}; //!< a send between two ranks; these are then in the message's pairs
    RankId from;              //!< of a send
    RankId to;                //!< of a send
    uint64_t operation{0};    //!< its number in the group, or among the sends between the two
    uint32_t stage{0};        //!< of the operation

    /** @return all of it, to be compared */
    auto AsTuple() const
    {
        return std::make_tuple(job.Get(),
                               group.Get(),
                               pointToPoint,
                               from.Get(),
                               to.Get(),
                               operation,
                               stage);
    }

    /** @return whether both are the same @param other */
    bool operator==(const OpusPhase& other) const
    {
        return AsTuple() == other.AsTuple();
    }

    /** @return whether this one comes first @param other */
    bool operator<(const OpusPhase& other) const
    {
        return AsTuple() < other.AsTuple();
    }
};

/** A circuit by who is at its ends: a port of a rank's NIC, and one of another's. */
struct RankCircuit
{
    RankId one;
    uint32_t onePort{0};
    RankId other;
    uint32_t otherPort{0};
};

/** A circuit of a switch, by its ports. */
struct SwitchCircuit
{
    PortId one;
    PortId other;
};

/**
 * @ingroup photonic-rails
 * @brief What shims, controllers and the agents of switches say to each other, as data.
 *
 * | type           | from, to            | says                                                   |
 * |----------------|---------------------|--------------------------------------------------------|
 * | REGISTER_GROUP | shim, controller    | `ranks` are in group `phase.group` of the job (1)      |
 * | REQUEST        | shim, controller    | `ranks` want `pairs` for `phase`, to send `bytes` (1)  |
 * | GRANT          | controller, shim    | `circuits` are up for `phase` (3)                      |
 * | REFUSE         | controller, shim    | they will not be, for `reason`                         |
 * | RELEASE        | shim, controller    | `ranks` have no traffic of `phase` in flight any more  |
 * | RECALL         | controller, shim    | give `phase` back, but for operations up to `until`    |
 * | LEAVE          | shim, controller    | the programs of all ranks of the server are over       |
 * | PROGRAM        | controller, agent   | plan `plan`: take `down`, set `up`                     |
 * | DONE           | agent, controller   | plan `plan` is done                                    |
 * | ALARM          | agent, controller   | plan `plan` was refused, for `reason` (2)              |
 * | HEARTBEAT      | controller, standby | it is in charge in `term`, and alive (4)               |
 * | JOIN           | controller, other   | it is not in charge, and stands by from now on         |
 * | CLAIM          | controller, agents  | take nobody's plans but mine from now on, in `term`    |
 * | ACCEPT         | agent, controller   | so it will be in `term`; the circuits `up` stand (5)   |
 * | TERM           | controller, shim    | `term` begins: say what you hold                       |
 * | HOLD           | shim, controller    | `ranks` hold `circuits` for `phase`, up to `until` (6) |
 * | REFUSE         | shim, controller    | `ranks` were refused `phase` in an earlier term        |
 * | TERM           | shim, controller    | that was all                                           |
 *
 * (1) The ranks are those of this server, and the pairs those that they are in; `whole` and
 * `digest` stand for all ranks of the group, and for all pairs of the phase. REQUEST,
 * `speculative`: the operation is not called yet.
 * (2) Nothing has changed. If it is `speculative`, the plan was carried out but for the circuits in
 * `down`, which get no light and have been taken down again. With plan 0, a port is faulty.
 * (3) `speculative`: the last that came of these ranks was an ask in advance; `others` counts from
 * there.
 * (4) `speculative`: nobody needs a controller at the moment. An agent or a shim says by it to a
 * controller of an earlier term that there is a later one.
 * (5) Both are `speculative` where the agent is only asked whether it would.
 * (6) `pairs`, `plan` and `speculative` are those of the ask that was granted. Without circuits:
 * the ranks are through with `phase`, and with all of its flow before that.
 *
 * A phase is named after the first operation that it serves, and may serve more: as many as all of
 * its ranks go through before they turn to another parallelism. Each says in REQUEST how far it
 * would go (`until`); GRANT carries the least of these, which binds all; RELEASE says how far the
 * rank has come, and if that is less, the others are told by RECALL.
 */
struct OpusMessage
{
    /** What kind. */
    enum class Type : uint8_t
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
    };

    Type type{Type::HEARTBEAT};
    uint32_t term{0}; //!< of the controller: one that takes over has a greater one, its own
    ServerId server;  //!< of the shim that sends, or that it is for
    RailId rail;      //!< of the agent that sends, or that it is for
    OpusPhase phase;
    bool speculative{false};
    uint64_t bytes{0};
    uint64_t plan{0};
    uint64_t until{0};     //!< an operation of the phase's flow, the last of several
    uint32_t links{0};     //!< of REQUEST: of each pair, at most; 0: as many as there are ports
    uint32_t whole{0};     //!< of REGISTER_GROUP, REQUEST: how many ranks take part, all servers'
    uint64_t digest{0};    //!< of REGISTER_GROUP, REQUEST: of the whole list of ranks, of pairs
    Picoseconds others{0}; //!< of GRANT: from the arrival of these ranks' asks to the last one's
    Picoseconds reconfiguration{0}; //!< of GRANT: that its circuits took to turn, 0 if they stood
    std::vector<RankId> ranks;
    std::vector<std::pair<RankId, RankId>> pairs;
    std::vector<RankCircuit> circuits;
    std::vector<SwitchCircuit> up;
    std::vector<SwitchCircuit> down;
    std::string reason;
    std::vector<uint8_t> entry; //!< octets of any kind; version 1 has no use for them
};

/** @return a type's name in lower case with dashes */
const char* ToString(OpusMessage::Type type);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_MESSAGE_H */
