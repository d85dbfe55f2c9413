/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCHEDULE_CHANNEL_H
#define PHOTONIC_RAILS_SCHEDULE_CHANNEL_H

#include "collective-schedule.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes one channel of a schedule: the algorithm for the channel's part of the buffer.
 *
 * An algorithm says who sends what in which round, round by round, and no more:
 * @code
 * for (uint32_t round = 0; round + 1 < n; ++round)
 * {
 *     for (uint32_t rank = 0; rank < n; ++rank)
 *     {
 *         channel.Copy(round, rank, channel.Next(rank), shares[channel.Back(rank, round)]);
 *     }
 * }
 * @endcode
 * What a transfer depends on follows: it sends what has come in the rounds before its own.
 */
class ScheduleChannel
{
  public:
    /**
     * @param schedule gets the transfers
     * @param channel which of its channels
     */
    ScheduleChannel(CollectiveSchedule& schedule, uint32_t channel);

    /** @return what the schedule is made for */
    const CollectiveParameters& GetParameters() const
    {
        return m_schedule.GetParameters();
    }

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return GetParameters().ranks;
    }

    /** @return which channel it is */
    uint32_t GetChannel() const
    {
        return m_channel;
    }

    /** @return the rank that comes after one on this channel's ring: ranks count up, or down */
    uint32_t Next(uint32_t rank) const
    {
        return Ahead(rank, 1);
    }

    /** @return the rank so many places ahead on this channel's ring @param rank @param steps */
    uint32_t Ahead(uint32_t rank, uint32_t steps) const;

    /** @return the rank so many places back on this channel's ring @param rank @param steps */
    uint32_t Back(uint32_t rank, uint32_t steps) const;

    /**
     * Adds the channel's part of an equal part of the buffer.
     * @param home the rank whose share it is, or that it comes from
     * @param place which part, from 0
     * @param parts the number of parts
     * @return its number
     */
    uint32_t AddChunk(uint32_t home, uint64_t place, uint64_t parts);

    /**
     * The same, of an all-to-all: what one rank has for another, its share number `to` of n. With a
     * demand matrix, the channel's part of what that says.
     * @param from the rank that has it
     * @param to the rank that it is for
     * @param place if it goes in several chunks: which of them, from 0
     * @param parts how many
     * @return its number
     */
    uint32_t AddChunkFor(uint32_t from, uint32_t to, uint64_t place = 0, uint64_t parts = 1);

    /**
     * The same, of a part that is not divided over the channels: the caller says which channel has
     * what.
     * @param from the rank that has it
     * @param to the rank that it is for
     * @param place with which part of all that the one has for the other it begins, from 0
     * @param parts how many there are
     * @param span how many it is
     * @return its number
     */
    uint32_t AddPartFor(uint32_t from,
                        uint32_t to,
                        uint64_t place,
                        uint64_t parts,
                        uint64_t span = 1);

    /** Adds a chunk for each rank, its share of the buffer. @return their numbers, by rank */
    std::vector<uint32_t> AddShares();

    /**
     * Adds a transfer that takes the place of what is there. Rounds come in order.
     * @param round in which
     * @param from the rank that sends
     * @param to the rank that receives
     * @param chunk the number of what is sent
     * @param wires on which
     */
    void Copy(uint32_t round,
              uint32_t from,
              uint32_t to,
              uint32_t chunk,
              CollectiveTransfer::Wires wires = CollectiveTransfer::Wires::RAIL);

    /** The same, added to what is there. */
    void Reduce(uint32_t round,
                uint32_t from,
                uint32_t to,
                uint32_t chunk,
                CollectiveTransfer::Wires wires = CollectiveTransfer::Wires::RAIL);

    /** The rounds of this channel run into each other, so that all pairs are needed at once. */
    void JoinStages()
    {
        m_schedule.JoinStages();
    }

  private:
    /** Adds a transfer. */
    void Send(uint32_t round,
              uint32_t from,
              uint32_t to,
              uint32_t chunk,
              CollectiveTransfer::Action action,
              CollectiveTransfer::Wires wires);

    /** What has come to a rank of a chunk. */
    struct Arrivals
    {
        uint32_t before{0}; //!< in rounds before the latest
        uint32_t latest{0}; //!< in the latest round
        uint32_t round{0};  //!< the latest round
    };

    CollectiveSchedule& m_schedule;
    uint32_t m_channel;
    std::map<std::pair<uint32_t, uint32_t>, Arrivals> m_arrivals; //!< by rank and chunk
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCHEDULE_CHANNEL_H */
