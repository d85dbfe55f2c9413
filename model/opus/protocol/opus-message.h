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

/** The subject of requests and grants: a stage of an operation of a group of a job. */
struct OpusPhase
{
    JobId job;
    GroupId group;
    bool pointToPoint{false}; //!< a send between two ranks, which are then in the message's pairs
    RankId from;              //!< of a send: the sender
    RankId to;                //!< of a send: the receiver
    uint64_t operation{0};    //!< its number in the group, or among the sends between the two ranks
    uint32_t stage{0};        //!< of the operation

    /** @return all members, for comparison */
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

    /** @return whether both are the same phase */
    bool operator==(const OpusPhase& other) const
    {
        return AsTuple() == other.AsTuple();
    }

    /** @return whether this phase is before the other in the order of phases */
    bool operator<(const OpusPhase& other) const
    {
        return AsTuple() < other.AsTuple();
    }
};

/** A circuit by its ends: a port of a rank's NIC, and one of another's. */
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
 * @brief A message between shims, controllers and the agents of switches, as data.
 *
 * | type           | from, to            | content                                                |
 * |----------------|---------------------|--------------------------------------------------------|
 * | REGISTER_GROUP | shim, controller    | `ranks` are in group `phase.group` of the job (1)      |
 * | REQUEST        | shim, controller    | `ranks` want `pairs` for `phase`, to send `bytes` (1)  |
 * | GRANT          | controller, shim    | `circuits` are up for `phase` (3)                      |
 * | REFUSE         | controller, shim    | no circuits for `phase`, for `reason`                  |
 * | RELEASE        | shim, controller    | `ranks` have no traffic of `phase` in flight any more  |
 * | RECALL         | controller, shim    | release `phase`, except for operations up to `until`   |
 * | LEAVE          | shim, controller    | the programs of all ranks of the server are over       |
 * | PROGRAM        | controller, agent   | plan `plan`: take `down`, set `up`                     |
 * | DONE           | agent, controller   | plan `plan` is done                                    |
 * | ALARM          | agent, controller   | plan `plan` was refused, for `reason` (2)              |
 * | HEARTBEAT      | controller, standby | the sender is in charge in `term` (4)                  |
 * | JOIN           | controller, other   | the sender is the standby from now on                  |
 * | CLAIM          | controller, agents  | take plans of `term` only, from now on                 |
 * | ACCEPT         | agent, controller   | `term` is accepted; the circuits `up` stand (5)        |
 * | TERM           | controller, shim    | `term` begins: report the grants                       |
 * | HOLD           | shim, controller    | `ranks` hold `circuits` for `phase`, up to `until` (6) |
 * | REFUSE         | shim, controller    | `ranks` were refused `phase` in an earlier term        |
 * | TERM           | shim, controller    | the report is complete                                 |
 *
 * (1) The ranks are those of this server, and the pairs are theirs; `whole` and `digest` are of all
 * ranks of the group, and of all pairs of the phase. REQUEST, `speculative`: the operation is not
 * called yet.
 * (2) Nothing has changed. If it is `speculative`, the plan was executed except for the circuits in
 * `down`, which get no light and have been taken down again. With plan 0, a port is faulty.
 * (3) `speculative`: the last message of these ranks was a request in advance; `others` counts from
 * there.
 * (4) `speculative`: no controller is needed at present. An agent or a shim sends it to a
 * controller of an earlier term to announce the later one.
 * (5) Both are `speculative` where the request is only whether the agent would accept.
 * (6) `pairs`, `plan` and `speculative` are those of the granted request. Without circuits: the
 * ranks are through with `phase`, and with all of its flow before that.
 *
 * A phase is named after the first operation that it serves, and may serve more: as many as all of
 * its ranks run before they change to another parallelism. Each REQUEST has the rank's last
 * operation (`until`); GRANT carries the least of these, which holds for all ranks; RELEASE has the
 * last operation that the rank ran, and if that is earlier, the others get it by RECALL.
 */
struct OpusMessage
{
    /** The kind of message. */
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
    uint32_t term{0}; //!< of the controller; a controller that takes over has a greater one
    ServerId server;  //!< of the shim that sends or receives
    RailId rail;      //!< of the agent that sends or receives
    OpusPhase phase;
    bool speculative{false};
    uint64_t bytes{0};
    uint64_t plan{0};
    uint64_t until{0};     //!< the last operation of the phase's flow that it is for
    uint32_t links{0};     //!< of REQUEST: most links of each pair; 0: as many as the ports allow
    uint32_t whole{0};     //!< of REGISTER_GROUP, REQUEST: ranks that take part, on all servers
    uint64_t digest{0};    //!< of REGISTER_GROUP, REQUEST: of the whole list of ranks or pairs
    Picoseconds others{0}; //!< of GRANT: from the arrival of these ranks' requests to the last
    Picoseconds reconfiguration{0}; //!< of GRANT: reconfiguration time of its circuits, or 0
    std::vector<RankId> ranks;
    std::vector<std::pair<RankId, RankId>> pairs;
    std::vector<RankCircuit> circuits;
    std::vector<SwitchCircuit> up;
    std::vector<SwitchCircuit> down;
    std::string reason;
    std::vector<uint8_t> entry; //!< octets of any kind; version 1 does not use them
};

/** @return the name of a type in lower case with dashes */
const char* ToString(OpusMessage::Type type);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_MESSAGE_H */
