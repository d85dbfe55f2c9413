/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RING_WRITER_H
#define PHOTONIC_RAILS_RING_WRITER_H

#include "ring-orders.h"

#include "ns3/collective-schedule.h"
#include "ns3/schedule-channel.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Writes the collectives of a channel whose ring has an order of its own.
 */
class RingWriter
{
  public:
    using Wires = CollectiveTransfer::Wires;
    /** Returns the wires from a rank to the next. */
    using WiresOf = std::function<Wires(uint32_t from, uint32_t to)>;

    /**
     * @param channel that gets the transfers; it must outlive the writer
     * @param order of the ring, in the direction of the channel
     * @param wires between neighbors
     */
    RingWriter(ScheduleChannel& channel, RingOrder order, WiresOf wires);

    /**
     * The share of the rank at a place starts at the next one, and is summed on its way home, from
     * round 0 on.
     * @param shares the chunks, by rank
     */
    void Scatter(const std::vector<uint32_t>& shares);

    /**
     * Each share goes round.
     * @param shares the chunks, by rank
     * @param firstRound the round of the first transfers
     */
    void Gather(const std::vector<uint32_t>& shares, uint32_t firstRound);

    /** Scatter(), then Gather(). */
    void ScatterAndGather(const std::vector<uint32_t>& shares);

  private:
    /** @return the rank at a place, which may be beyond the last one: the ring goes on */
    uint32_t At(uint32_t place) const;

    ScheduleChannel& m_channel;
    RingOrder m_order;
    WiresOf m_wires;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RING_WRITER_H */
