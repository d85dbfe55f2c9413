/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCHEDULE_CHANNEL_H
#define PHOTONIC_RAILS_SCHEDULE_CHANNEL_H

#include "collective-schedule.h"
#include "rank-chunk-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes one channel of a schedule: the algorithm for the channel's part of the buffer.
 *
 * An algorithm adds the transfers, round by round:
 * @code
 * for (uint32_t round = 0; round + 1 < n; ++round)
 * {
 *     for (uint32_t rank = 0; rank < n; ++rank)
 *     {
 *         channel.Copy(round, rank, channel.Next(rank), shares[channel.Back(rank, round)]);
 *     }
 * }
 * @endcode
 * The dependencies follow: a transfer sends the data that has arrived in earlier rounds.
 */
class ScheduleChannel
{
  public:
    /**
     * @param schedule that gets the transfers
     * @param channel number of the channel in it
     */
    ScheduleChannel(CollectiveSchedule& schedule, uint32_t channel);

    /** @return the parameters of the schedule */
    const CollectiveParameters& GetParameters() const
    {
        return m_schedule.GetParameters();
    }

    /** @return the number of ranks */
    uint32_t GetRanks() const
    {
        return GetParameters().ranks;
    }

    /** @return the number of the channel */
    uint32_t GetChannel() const
    {
        return m_channel;
    }

    /** @return the next rank on this channel's ring, on which ranks ascend or descend */
    uint32_t Next(uint32_t rank) const
    {
        return Ahead(rank, 1);
    }

    /** @return the rank a number of places ahead on this channel's ring */
    uint32_t Ahead(uint32_t rank, uint32_t steps) const;

    /** @return the rank a number of places back on this channel's ring */
    uint32_t Back(uint32_t rank, uint32_t steps) const;

    /**
     * Adds the channel's part of an equal part of the buffer.
     * @param home the rank whose share it is, or that sends it
     * @param place of the part, from 0
     * @param parts the number of parts
     * @return its number
     */
    uint32_t AddChunk(uint32_t home, uint64_t place, uint64_t parts);

    /**
     * The same for an all-to-all: the data from one rank to another, which is share `to` of n. With
     * a demand matrix, the channel's part of that demand.
     * @param from the sender
     * @param to the receiver
     * @param place of the chunk, from 0, if the data goes in several chunks
     * @param parts the number of these chunks
     * @return its number
     */
    uint32_t AddChunkFor(uint32_t from, uint32_t to, uint64_t place = 0, uint64_t parts = 1);

    /**
     * The same for a part that is not divided over the channels: the caller distributes parts over
     * channels.
     * @param from the sender
     * @param to the receiver
     * @param place of its first part in the data from one to the other, from 0
     * @param parts the number of parts in that data
     * @param span the number of parts in the chunk
     * @return its number
     */
    uint32_t AddPartFor(uint32_t from,
                        uint32_t to,
                        uint64_t place,
                        uint64_t parts,
                        uint64_t span = 1);

    /** Adds a chunk for each rank, its share of the buffer. @return the chunks' numbers, by rank */
    std::vector<uint32_t> AddShares();

    /**
     * Adds a transfer that replaces the receiver's data. Rounds come in order.
     * @param from the sender
     * @param to the receiver
     * @param chunk number of the chunk
     */
    void Copy(uint32_t round,
              uint32_t from,
              uint32_t to,
              uint32_t chunk,
              CollectiveTransfer::Wires wires = CollectiveTransfer::Wires::RAIL);

    /** Adds a transfer that is added to the receiver's data. */
    void Reduce(uint32_t round,
                uint32_t from,
                uint32_t to,
                uint32_t chunk,
                CollectiveTransfer::Wires wires = CollectiveTransfer::Wires::RAIL);

    /** Merges the stages: the rounds of this channel overlap, so all pairs are needed at once. */
    void JoinStages()
    {
        m_schedule.JoinStages();
    }

    /** Has ranks keep to the rounds. */
    void KeepRounds()
    {
        m_schedule.KeepRounds();
    }

  private:
    /** Adds a transfer. */
    void Send(uint32_t round,
              uint32_t from,
              uint32_t to,
              uint32_t chunk,
              CollectiveTransfer::Action action,
              CollectiveTransfer::Wires wires);

    /** The arrivals of a chunk at a rank. */
    struct Arrivals
    {
        uint32_t before{0}; //!< in rounds before the latest
        uint32_t latest{0}; //!< in the latest round
        uint32_t round{0};  //!< the latest round
    };

    CollectiveSchedule& m_schedule;
    uint32_t m_channel;
    RankChunkTable<Arrivals> m_arrivals;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCHEDULE_CHANNEL_H */
