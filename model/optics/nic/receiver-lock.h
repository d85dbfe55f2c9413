/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RECEIVER_LOCK_H
#define PHOTONIC_RAILS_RECEIVER_LOCK_H

#include "ns3/event-id.h"
#include "ns3/light-history.h"
#include "ns3/picoseconds.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The lock of a transceiver's receiver on the light of its fiber.
 *
 * The receiver locks some time after light comes (transceiver lock and port bring-up, drawn in
 * seconds each time), and loses its lock with the light, at once. A frame is received only if the
 * receiver is locked from its first bit to its last.
 */
class ReceiverLock
{
  public:
    /** @param changed is called with true after each lock, and with false after each loss */
    explicit ReceiverLock(std::function<void(bool)> changed);

    /** @param seconds from light to lock; null: no time */
    void SetLinkUpTime(Ptr<RandomVariableStream> seconds);

    /** @return the seconds from light to lock; null: no time */
    Ptr<RandomVariableStream> GetLinkUpTime() const;

    /**
     * Fixes the random draws of the link-up time.
     * @param stream the first stream number
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /** Sets the light since before the simulation began. The receiver has locked since then. */
    void Preset(bool light);

    /** Light comes: the receiver locks, now or later. */
    void Rise();

    /** The light goes. */
    void Fall();

    /** @return whether the receiver is locked, now */
    bool IsLocked() const
    {
        return m_locked.IsLit();
    }

    /** @return the time from light to the last lock; 0: it was lit before the simulation */
    Picoseconds GetLinkUp() const
    {
        return m_linkUp;
    }

    /** @return the instant since which it is; it must be locked */
    Picoseconds GetSince() const
    {
        return m_locked.GetCurrent().from;
    }

    /**
     * @param first the instant of a frame's first bit
     * @param last the instant of its last bit
     * @return whether the receiver was locked on one light between them
     */
    bool Holds(Picoseconds first, Picoseconds last) const
    {
        bool locked;
        return m_locked.Check(first, last, locked) == PathCheck::WHOLE;
    }

    /** Cancels the pending lock. */
    void Dispose();

  private:
    /** The receiver locks, now. */
    void Lock();

    std::function<void(bool)> m_changed;
    Ptr<RandomVariableStream> m_linkUpTime;
    LightHistory<bool> m_locked; //!< intervals in which the receiver was locked
    Picoseconds m_lit{0};        //!< the last instant at which light came
    Picoseconds m_linkUp{0};     //!< from light to the last lock
    EventId m_locking;           //!< the pending lock
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RECEIVER_LOCK_H */
