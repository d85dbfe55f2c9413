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
 * @brief Puts what a port has sent and what it has received into one order, which does not depend
 * on how a sink was told of it: by instant, and at equal instants what was received comes first.
 *
 * Of what is sent, the instant is that of the first bit; of what is received, of the last. Batches
 * wait until all before an instant is known, and then are written in part if need be.
 *
 * @tparam Batch a FrameBatch, with what its writer prepares for it
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
     * Nothing more comes that is before an instant.
     * @param before the instant; NEVER: nothing more comes
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

    /** Writes frames of the oldest batch: the next, and those after it before an instant. */
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
