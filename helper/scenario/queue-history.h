/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_QUEUE_HISTORY_H
#define PHOTONIC_RAILS_QUEUE_HISTORY_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The length of a queue over time: its peak, its mean, and on request each change.
 *
 * The queue is empty at 0 ps. The mean is exact, in integers.
 */
class QueueHistory
{
  public:
    /** A length of the queue, from an instant on. */
    struct Depth
    {
        Time since;
        uint64_t bytes;
    };

    /** @param keepsDepths whether each change is kept */
    explicit QueueHistory(bool keepsDepths);

    /** The length changes. @param at not before the last change @param bytes in the queue */
    void Add(Time at, uint64_t bytes);

    /** @return the largest length, in bytes */
    uint64_t GetPeak() const;

    /**
     * @return the mean length in bytes, rounded down
     * @param until the end of the time, which begins at 0 ps; the queue is empty from the last
     *        change on
     */
    uint64_t GetMean(Time until) const;

    /** @return all changes, if they are kept */
    const std::vector<Depth>& GetDepths() const;

  private:
    __extension__ using Wide = unsigned __int128;

    bool m_keepsDepths;
    std::vector<Depth> m_depths;
    uint64_t m_peak{0};
    uint64_t m_bytes{0}; //!< in the queue
    Time m_since{0};
    Wide m_area{0}; //!< bytes times picoseconds, until then
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_QUEUE_HISTORY_H */
