/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_STORE_H
#define PHOTONIC_RAILS_MEMO_STORE_H

#include "memo-recording.h"
#include "memoized-ranks.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations on circuits that a job has simulated: what became of each, by what it
 * depends on. Sends are found by the first that entered, or by all that they depend on.
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
    static constexpr std::size_t MOST_OF_KIND = 1024;

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

    /** @return what became of an operation of a kind that began as one does; null: there is none */
    std::shared_ptr<const MemoizedRanks> FindAlike(const Kind& kind,
                                                   const MemoizedRanks& ranks) const;

    /**
     * Keeps what became of an operation, unless it is known.
     * @return whether it is what became of an earlier one that began alike, if there is one
     */
    bool Add(const Kind& kind, const std::shared_ptr<const MemoizedRanks>& ranks);

    /** The most sends that are kept that were worked out (SendsOnCircuits). */
    static constexpr std::size_t MOST_SENDS = 8192;

    /** All that sends depend on, as SendsOnCircuits has it. */
    using SendsKey = std::vector<int64_t>;

    /** @return what became of such sends; null: they are not known */
    std::shared_ptr<const MemoizedRanks> FindSends(const SendsKey& key) const;

    /** Keeps what became of sends, if there is room. */
    void AddSends(const SendsKey& key, const std::shared_ptr<const MemoizedRanks>& ranks);

    /** The operations of one kind that go by messages right now. */
    using Recordings = std::vector<Ptr<MemoRecording>>;

    /** @return those of a kind */
    const Recordings& FindRecordings(const Kind& kind) const;

    /** An operation goes by messages. */
    void AddRecording(const Kind& kind, const Ptr<MemoRecording>& recording);

    /** It is over, or broken. */
    void RemoveRecording(const Kind& kind, const Ptr<MemoRecording>& recording);

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

    /** Mixes the numbers of a key. */
    struct Hash
    {
        std::size_t operator()(const SendsKey& key) const;
    };

    std::map<Key, Entry> m_entries;
    std::unordered_map<SendsKey, std::shared_ptr<const MemoizedRanks>, Hash> m_sends;
    std::map<Key, Recordings> m_recordings;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_STORE_H */
