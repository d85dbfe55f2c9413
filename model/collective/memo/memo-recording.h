/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEMO_RECORDING_H
#define PHOTONIC_RAILS_MEMO_RECORDING_H

#include "memoized-ranks.h"

#include "ns3/picoseconds.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What an operation that goes by messages has done so far, for others that begin like it at
 * the same instant or later, and wait for what becomes of it.
 *
 * What a rank has not done yet has the instant NEVER. What has ended is known to depend on nothing
 * but the entries. Plain C++.
 */
class MemoRecording : public SimpleRefCount<MemoRecording>
{
  public:
    /** One that waits. */
    class Listener
    {
      public:
        virtual ~Listener() = default;
        /** A rank has done something, or the recording is broken. No result may change meanwhile.
         */
        virtual void RecordingChanged() = 0;
    };

    /** @param begin the instant of the first entry @param ranks their number */
    MemoRecording(Picoseconds begin, std::size_t ranks);

    /** @return the instant of the first entry */
    Picoseconds GetBegin() const
    {
        return m_begin;
    }

    /** @return what ranks have done; all of it after Complete() */
    const std::shared_ptr<const MemoizedRanks>& GetRanks() const
    {
        return m_shown;
    }

    /** @return whether all of it became known */
    bool IsComplete() const
    {
        return m_isComplete;
    }

    /** @return whether more won't become known, and what is known is not to be used any more */
    bool IsBroken() const
    {
        return m_isBroken;
    }

    /** @return whether somebody waits */
    bool HasListeners() const
    {
        return !m_listeners.empty();
    }

    /** A rank has become active. @param at since the begin; 0: at the begin, or before */
    void Activate(uint32_t place, Picoseconds at);

    /** A rank has entered. */
    void Enter(uint32_t place, const MemoPath& path, Picoseconds at);

    /** A rank has ended. */
    void End(uint32_t place, const MemoizedRank& its);

    /** All have ended. */
    void Complete(MemoizedRanks ranks);

    /** It was disturbed: those who wait go on by messages. */
    void Break();

    /** Adds one that waits. */
    void Add(Listener& listener);

    /** One does not wait any more. */
    void Remove(Listener& listener);

  private:
    /** Notifies those who wait. */
    void Report() const;

    Picoseconds m_begin;
    std::shared_ptr<MemoizedRanks> m_ranks;
    std::shared_ptr<const MemoizedRanks> m_shown; //!< the same
    std::vector<Listener*> m_listeners;
    bool m_isComplete{false};
    bool m_isBroken{false};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEMO_RECORDING_H */
