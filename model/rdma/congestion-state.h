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
 * @brief What the congestion control of a queue pair keeps: how much it may have on its way, and
 * how fast it may send.
 *
 * This base class is the rule for a dedicated circuit: no limit. Plain C++, one object a queue
 * pair, which a CongestionControl makes; instants are integers, and so are rates.
 */
class CongestionState
{
  public:
    /** No limit. */
    static constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();

    virtual ~CongestionState() = default;

    /** @return payload that may be on its way unacknowledged, in bytes */
    virtual uint64_t GetWindow() const
    {
        return UNLIMITED;
    }

    /** @return whether frames may have to keep a distance; then they go one by one */
    virtual bool IsPaced() const
    {
        return false;
    }

    /**
     * Frames go on the wire.
     * @param first when their first bit goes
     * @param wireBytes their size, preambles and gaps included
     * @return when the next frame's first bit may go
     */
    virtual Picoseconds OnSent(Picoseconds /* first */, uint64_t /* wireBytes */)
    {
        return ALWAYS_BEFORE;
    }

    /**
     * A congestion notification came in. It counts for frames whose first bit goes later.
     */
    virtual void OnCongestion(Picoseconds /* now */)
    {
    }
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_CONGESTION_STATE_H */
