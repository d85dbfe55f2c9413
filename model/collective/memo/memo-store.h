/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_STORE_H
#define PHOTONIC_RAILS_MEMO_STORE_H

#include "memoized-course.h"

#include "ns3/collective-protocol.h"
#include "ns3/collective-schedule.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{

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

    /** A course of one kind, which is over or under way. */
    using Course = std::shared_ptr<MemoizedCourse>;

    /** The most operations of a kind that are kept. */
    static constexpr std::size_t MOST_OF_KIND = 64;

    /** The most kinds of which something is kept. */
    static constexpr std::size_t MOST_KINDS = 256;

    /** The most operations of a kind that others may follow at a time. */
    static constexpr std::size_t MOST_UNDER_WAY = 16;

    /**
     * @param begin of an operation
     * @return the courses of a kind, those that are over first; of those under way the ones that
     *         began with the operation or before, which are ahead of it
     */
    std::vector<Course> Find(const Kind& kind, Picoseconds begin) const;

    /** @return whether another operation of a kind may be kept */
    bool MayAdd(const Kind& kind) const;

    /**
     * @param places of an operation; 0: sends
     * @param begin of it
     * @return its course
     */
    Course Begin(const Kind& kind, std::size_t places, Picoseconds begin);

    /**
     * Keeps what became of an operation, unless it is known. Its course is over.
     * @return whether it is what became of an earlier one that began alike, if there is one
     */
    bool Finish(const Kind& kind, const Course& course, std::vector<MemoizedRank> ranks);

    /** The course of an operation is void, unless it is over. */
    void Abandon(const Kind& kind, const Course& course);

  private:
    /** What is known, with the schedule, whose address is in the key. */
    struct Entry
    {
        std::shared_ptr<const CollectiveSchedule> schedule;
        std::vector<Course> known;    //!< that are over
        std::vector<Course> underWay; //!< that others may follow
    };

    using Key = std::tuple<const CollectiveSchedule*, uint64_t, uint64_t, CollectiveProtocol>;

    /** @return the key of a kind */
    static Key KeyOf(const Kind& kind);

    std::map<Key, Entry> m_entries;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_STORE_H */
