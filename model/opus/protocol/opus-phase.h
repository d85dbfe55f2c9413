/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPUS_PHASE_H
#define PHOTONIC_RAILS_OPUS_PHASE_H

#include "ns3/identifier.h"

#include <cstdint>
#include <tuple>

namespace ns3
{

/** A server, counted from 0. */
using ServerId = Identifier<struct ServerIdTag>;

/** A job, counted from 0. */
using JobId = Identifier<struct JobIdTag>;

/**
 * @ingroup photonic-rails
 * @brief The subject of requests and grants: a stage of an operation of a group of a job.
 *
 * A phase is named after the first operation that it serves, and may serve more: as many as all of
 * its ranks run before they change to another parallelism.
 */
struct OpusPhase
{
    JobId job;
    GroupId group;
    bool pointToPoint{false}; //!< a send between two ranks, which are then in the message's pairs
    RankId from;              //!< of a send: the sender
    RankId to;                //!< of a send: the receiver
    uint64_t operation{0};    //!< its number in the group, or among the sends between the two ranks
    uint32_t stage{0};        //!< of the operation

    /** All members, for comparison. */
    using Tuple = std::tuple<uint32_t, uint32_t, bool, uint32_t, uint32_t, uint64_t, uint32_t>;

    /** @return all members, for comparison */
    Tuple AsTuple() const
    {
        return {job.Get(), group.Get(), pointToPoint, from.Get(), to.Get(), operation, stage};
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

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPUS_PHASE_H */
