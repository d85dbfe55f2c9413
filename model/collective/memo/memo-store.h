/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_STORE_H
#define PHOTONIC_RAILS_MEMO_STORE_H

#include "frame-totals.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
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

/**
 * @ingroup photonic-rails
 * @brief The operations on circuits that a job has simulated: what became of each, by what it
 * depends on. Sends are found by the first that entered.
 *
 * Plain C++.
 */
class MemoStore : public SimpleRefCount<MemoStore>
{
  public:
    /** What operations that may be alike have in common. */
    struct Kind
    {
        std::shared_ptr<const CollectiveSchedule> schedule;
        uint64_t bytes{0};
        uint64_t messageSize{0};
        CollectiveProtocol protocol{CollectiveProtocol::SIMPLE};
    };

    /** What is known of one kind. */
    using Known = std::vector<std::shared_ptr<const MemoizedRanks>>;

    /** The most operations of a kind that are kept. */
    static constexpr std::size_t MOST_OF_KIND = 32;

    /** The most kinds of which something is kept. */
    static constexpr std::size_t MOST_KINDS = 256;

    /** @return what is known of a kind */
    const Known& Find(const Kind& kind) const;

    /** @return whether another operation of a kind may be kept */
    bool MayAdd(const Kind& kind) const
    {
        const Known& known = Find(kind);
        return known.size() < MOST_OF_KIND && (!known.empty() || m_entries.size() < MOST_KINDS);
    }

    /**
     * Keeps what became of an operation, unless it is known.
     * @return whether it is what became of an earlier one that began alike, if there is one
     */
    bool Add(const Kind& kind, MemoizedRanks ranks);

  private:
    /** What is known, with the schedule, whose address is in the key. */
    struct Entry
    {
        std::shared_ptr<const CollectiveSchedule> schedule;
        Known known;
    };

    using Key = std::tuple<const CollectiveSchedule*, uint64_t, uint64_t, CollectiveProtocol>;

    /** @return the key of a kind */
    static Key KeyOf(const Kind& kind);

    std::map<Key, Entry> m_entries;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_STORE_H */
