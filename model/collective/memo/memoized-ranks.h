/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_RANKS_H
#define PHOTONIC_RAILS_MEMOIZED_RANKS_H

#include "frame-totals.h"

#include "ns3/collective-schedule.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** What the times of a rank's messages on its circuits depend on, as numbers. */
using MemoPath = std::vector<int64_t>;

/** What a rank sent on one way. */
struct MemoizedTraffic
{
    QueuePairProgress progress;
    FrameTotals frames; //!< of data
    /** When nothing is sent on its circuit any more, by end; NEVER: that is not known. */
    std::array<Picoseconds, 2> quiet{NEVER, NEVER};
};

/**
 * What a rank did in an operation; all times from the first entry of a rank on. If there are
 * messages inside servers, which wait for no circuits: from the first rank on that is active.
 */
struct MemoizedRank
{
    MemoPath path;
    /** Of a send: its schedule, whose address is in the path. */
    std::shared_ptr<const CollectiveSchedule> schedule;
    /** Its start-up was over; 0: at the first entry, or before. */
    Picoseconds active{0};
    Picoseconds entered{0}; //!< it was active, and had circuits
    Picoseconds ended{0};
    MessageTotals totals{};
    uint64_t mostEarly{0};             //!< messages that came before it was active
    std::vector<MemoizedTraffic> sent; //!< by way out
};

/**
 * What became of an operation, or of sends, on quiet circuits that nothing else used; by place. The
 * places of sends are in the order of entries.
 */
using MemoizedRanks = std::vector<MemoizedRank>;

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_RANKS_H */
