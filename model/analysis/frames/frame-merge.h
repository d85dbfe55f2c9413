/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_MERGE_H
#define PHOTONIC_RAILS_FRAME_MERGE_H

#include "ns3/picoseconds.h"

#include <deque>
#include <utility>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Puts the sent and received frames of a port into one order, which does not depend on their
 * batches: by instant, and received frames first at equal instants.
 *
 * The instant of a sent frame is its first bit; that of a received frame is its last. Batches wait
 * until all frames before an instant are complete, and are then written, in part if necessary.
 *
 * @tparam Batch a FrameBatch, with the prepared data of its writer
 */
template <typename Batch>
class FrameMerge
{
  public:
    /** Adds frames that were sent, after those before. @param batch arguments of a Batch */
    template <typename... Arguments>
    void AddSent(Arguments&&... batch)
    {
        m_sent.emplace_back(true, std::forward<Arguments>(batch)...);
    }

    /** Adds frames that were received, after those before. @param batch arguments of a Batch */
    template <typename... Arguments>
    void AddReceived(Arguments&&... batch)
    {
        m_received.emplace_back(false, std::forward<Arguments>(batch)...);
    }

    /**
     * Later calls add no frame before an instant.
     * @param before NEVER: there are no more frames
     * @param write is called with a Batch for each frame before that instant, in order
     */
    template <typename Write>
    void Settle(Picoseconds before, Write&& write)
    {
        while (true)
        {
            const Picoseconds sent = InstantOf(m_sent);
            const Picoseconds received = InstantOf(m_received);
            if (received < before && received <= sent)
            {
                WriteUntil(m_received, sent < before ? sent + 1 : before, write);
            }
            else if (sent < before)
            {
                WriteUntil(m_sent, received < before ? received : before, write);
            }
            else
            {
                return;
            }
        }
    }

  private:
    /** @return the instant of the next frame, or NEVER if there is none */
    static Picoseconds InstantOf(const std::deque<Batch>& batches)
    {
        return batches.empty() ? NEVER : batches.front().GetInstant();
    }

    /** Writes frames of the oldest batch: the next one, and those after it before an instant. */
    template <typename Write>
    static void WriteUntil(std::deque<Batch>& batches, Picoseconds before, Write& write)
    {
        Batch& batch = batches.front();
        do
        {
            write(batch);
            if (!batch.Next())
            {
                batches.pop_front();
                return;
            }
        } while (batch.GetInstant() < before);
    }

    std::deque<Batch> m_sent;
    std::deque<Batch> m_received;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_MERGE_H */
