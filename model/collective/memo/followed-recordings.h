/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FOLLOWED_RECORDINGS_H
#define PHOTONIC_RAILS_FOLLOWED_RECORDINGS_H

#include "memo-recording.h"
#include "memo-store.h"

#include "ns3/picoseconds.h"
#include "ns3/ptr.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The operations that go by messages right now and that one that is held may be like.
 *
 * Plain C++.
 */
class FollowedRecordings
{
  public:
    /** @param listener is notified of what becomes of them; must outlive this object */
    explicit FollowedRecordings(MemoRecording::Listener& listener);
    ~FollowedRecordings();
    FollowedRecordings(const FollowedRecordings&) = delete;
    FollowedRecordings& operator=(const FollowedRecordings&) = delete;

    /**
     * Follows those that are no later than an operation that began at an instant, and no others.
     * @return what their ranks have done
     */
    MemoStore::Known Follow(const MemoStore::Recordings& recordings, Picoseconds begin);

    /** Follows only the one with these ranks, if it is there. */
    void KeepOnly(const std::shared_ptr<const MemoizedRanks>& ranks);

    /** Follows none. */
    void Clear();

    /** @return whether one is followed */
    bool AreAny() const
    {
        return !m_recordings.empty();
    }

    /** @return the ranks of those that are broken, which are not followed any more */
    MemoStore::Known TakeBroken();

  private:
    /** Follows only those for which a condition holds. */
    template <typename Condition>
    void KeepIf(Condition condition);

    MemoRecording::Listener& m_listener;
    MemoStore::Recordings m_recordings;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FOLLOWED_RECORDINGS_H */
