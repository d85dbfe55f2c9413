/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_CONGESTION_STATE_H
#define PHOTONIC_RAILS_CONGESTION_STATE_H

#include "ns3/picoseconds.h"

#include <cstdint>
#include <limits>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The congestion state of a queue pair: its window and its rate.
 *
 * This base class is for a dedicated circuit: no limit. Plain C++, one object a queue pair, which a
 * CongestionControl makes; instants are integers, and so are rates.
 */
class CongestionState
{
  public:
    /** No limit. */
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    virtual ~CongestionState() = default;

    /** @return the window: unacknowledged payload at most, in bytes */
    virtual uint64_t GetWindow() const
    {
        return UNLIMITED;
    }

    /** @return whether the rate may be limited; then frames are sent one by one */
    virtual bool IsPaced() const
    {
        return false;
    }

    /**
     * Frames go on the wire.
     * @param first the instant of their first bit
     * @param wireBytes their size, preambles and gaps included
     * @return the earliest first bit of the next frame
     */
    virtual Picoseconds OnSent([[maybe_unused]] Picoseconds first,
                               [[maybe_unused]] uint64_t wireBytes)
    {
        return ALWAYS_BEFORE;
    }

    /**
     * A congestion notification came in. It applies to frames whose first bit is later.
     */
    virtual void OnCongestion(Picoseconds /* now */)
    {
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_STATE_H */
