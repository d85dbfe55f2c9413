/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMOIZED_COURSE_H
#define PHOTONIC_RAILS_MEMOIZED_COURSE_H

#include "frame-totals.h"

#include "ns3/collective-schedule.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"

#include <cstddef>
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
};

/** What a rank did in an operation; all times from the first entry of a rank on. */
struct MemoizedRank
{
    MemoPath path;
    /** Of a send: its schedule, whose address is in the path. */
    std::shared_ptr<const CollectiveSchedule> schedule;
    Picoseconds active{NEVER};  //!< its start-up was over; 0: at the first entry, or before
    Picoseconds entered{NEVER}; //!< it was active, and had circuits
    Picoseconds ended{NEVER};
    MessageTotals totals{};
    std::vector<MemoizedTraffic> sent; //!< by way out
};

/**
 * @ingroup photonic-rails
 * @brief What becomes of an operation, or of sends, on quiet circuits that nothing else uses.
 * Others that begin alike later may follow it while it is under way.
 *
 * Plain C++.
 */
class MemoizedCourse
{
  public:
    /** How far it is. */
    enum class State : uint8_t
    {
        UNDER_WAY, //!< more ranks may enter
        OVER,      //!< all of it is known
        VOID,      //!< something disturbed it
    };

    /** Who may turn out to be like a course that is under way. */
    class Follower
    {
      public:
        virtual ~Follower() = default;
        /** The course has got further. */
        virtual void CourseHasChanged(const MemoizedCourse& course) = 0;
    };

    /**
     * @param places of ranks; those of sends come as they enter
     * @param begin instant of the first entry
     */
    MemoizedCourse(std::size_t places, Picoseconds begin);

    /** @param ranks what became of them: it is over */
    explicit MemoizedCourse(std::vector<MemoizedRank> ranks);

    /** @return the instant of the first entry, of a course that is under way */
    Picoseconds GetBegin() const
    {
        return m_begin;
    }

    /** @return the state */
    State GetState() const
    {
        return m_state;
    }

    /** @return what the ranks did so far, by place; those of sends in the order of entries */
    const std::vector<MemoizedRank>& GetRanks() const
    {
        return m_ranks;
    }

    /** @return the instant at which the first rank has ended; NEVER: none has */
    Picoseconds GetFirstEnd() const
    {
        return m_firstEnd;
    }

    /** A rank has become active. */
    void Activate(std::size_t place, Picoseconds at);
    /** A rank has entered. @param its what is known of it */
    void Enter(std::size_t place, const MemoizedRank& its);
    /** A rank has ended. */
    void NoteEnd(Picoseconds at);
    /** It is over. @param ranks what became of all */
    void Finish(std::vector<MemoizedRank> ranks);
    /** It is void. */
    void Abandon();

    /** Adds a follower, which removes itself before it is gone. */
    void Add(Follower& follower);
    /** Removes a follower. */
    void Remove(Follower& follower);

  private:
    /** Tells followers. */
    void Notify();

    State m_state{State::UNDER_WAY};
    Picoseconds m_begin{0};
    std::vector<MemoizedRank> m_ranks;
    Picoseconds m_firstEnd{NEVER};
    std::vector<Follower*> m_followers;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMOIZED_COURSE_H */
