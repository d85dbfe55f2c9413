/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_CANDIDATES_H
#define PHOTONIC_RAILS_MEMO_CANDIDATES_H

#include "memo-store.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The known operations that one that has begun may still turn out to be like. It is like one
 * if all its ranks become active and enter at the same times since the first entry. Sends may be
 * like several that differ in number, until the time has come at which one more would enter.
 *
 * A known one may still be simulated (MemoRecording): then what it has not done by an instant, and
 * this one has, makes them unlike a picosecond later, since the order of events of an instant does
 * not count.
 *
 * Plain C++: the caller gives the times, from the first entry on, in order.
 */
class MemoCandidates
{
  public:
    MemoCandidates() = default;

    /** @param known operations of the same kind */
    explicit MemoCandidates(const MemoStore::Known& known);

    /** A rank has become active; 0: at the first entry, or before. */
    void Activate(uint32_t place, Picoseconds at);

    /** A rank has entered. @param path must outlive this object */
    void Enter(uint32_t place, const MemoPath& path, Picoseconds at);

    /** Looks again at those that are still simulated: their ranks may have gone other paths. */
    void Compare();

    /** One of them is not to be used. */
    void Remove(const std::shared_ptr<const MemoizedRanks>& known);

    /** Nothing that is not reported has happened before an instant. */
    void Drop(Picoseconds before);

    /** @return whether none is left */
    bool AreNone() const
    {
        return m_left.empty();
    }

    /**
     * @return the instant at which those are gone that await something, if nothing happens before;
     *         NEVER: none does, but for those of which more must become known
     */
    Picoseconds GetTimeout() const;

    /** @return the one that all ranks have entered alike; null: there is none */
    std::shared_ptr<const MemoizedRanks> GetKnown() const;

  private:
    /** What a rank has done. */
    struct Own
    {
        Picoseconds active{NEVER};
        Picoseconds entered{NEVER};
        const MemoPath* path{nullptr};
    };

    /** @return when one has done the first thing that the other has not; NEVER: there is none */
    Picoseconds GetNext(const MemoizedRanks& known) const;

    MemoStore::Known m_left;
    std::vector<Own> m_own; //!< by place
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_CANDIDATES_H */
