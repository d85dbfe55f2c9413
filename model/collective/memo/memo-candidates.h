/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_CANDIDATES_H
#define PHOTONIC_RAILS_MEMO_CANDIDATES_H

#include "memoized-course.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The courses that an operation that has begun may still turn out to be like. It is like one
 * if all its ranks become active and enter at the same times since the first entry. Sends may be
 * like several that differ in number, until the time has come at which one more would enter.
 *
 * A course may be under way: it began at the same instant or before, so what it does next is known
 * in time. It must be over when the first rank is to end.
 *
 * Plain C++: the caller gives the times, from the first entry on, in order.
 */
class MemoCandidates
{
  public:
    using Course = std::shared_ptr<MemoizedCourse>;

    MemoCandidates() = default;

    /** @param courses of operations of the same kind */
    explicit MemoCandidates(const std::vector<Course>& courses);

    /** A rank has become active; 0: at the first entry, or before. */
    void Activate(uint32_t place, Picoseconds at);

    /** A rank has entered. */
    void Enter(uint32_t place, const MemoPath& path, Picoseconds at);

    /** Nothing that is not reported has happened before an instant, and no rank has ended. */
    void Drop(Picoseconds at);

    /** @return whether none is left */
    bool AreNone() const
    {
        return m_left.empty();
    }

    /** @return those that are left */
    const std::vector<Course>& GetLeft() const
    {
        return m_left;
    }

    /**
     * @return the next instant for Drop() if nothing happens before, and courses get no further;
     *         NEVER: nothing is to be dropped or known by then
     */
    Picoseconds GetTimeout() const;

    /** @return the course, if no other is left, or its first rank ends now; null: there is none */
    std::shared_ptr<const MemoizedCourse> GetKnown(Picoseconds now) const;

  private:
    /** @return the next activation or entry of a course; NEVER: none is known */
    Picoseconds GetNext(const MemoizedCourse& course) const;
    /** @return whether all of a course has happened, but ends */
    bool IsKnown(const MemoizedCourse& course) const;

    std::vector<Course> m_left;
    std::vector<bool> m_active;  //!< by place
    std::vector<bool> m_entered; //!< by place
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_CANDIDATES_H */
