/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEND_RENDEZVOUS_H
#define PHOTONIC_RAILS_SEND_RENDEZVOUS_H

#include <cstdint>

namespace ns3
{

/** How far sends may be ahead of their receives. The same for all ranks of a job. */
struct EagerLimits
{
    uint64_t bytes{16 << 10}; //!< of a send that need not wait for its receive
    uint32_t sends{8};        //!< that are so far ahead at most
};

/**
 * @ingroup photonic-rails
 * @brief When sends from one rank to another may go: eagerly up to a size, else by rendezvous.
 *
 * Receives are counted as they are called, and sends as they are called, so both ends know which
 * belongs to which, and how large it is. A send of more than the eager bytes goes when its receive
 * is known to have been called. A smaller one goes at once, as long as fewer than the eager sends
 * are ahead of the receives that are known to have been called: so a receiver that computes has a
 * bounded number of messages to keep.
 *
 * The receiver says so in messages: for each receive that is too large to be eager, and else for
 * one of every half of the eager sends. NCCL's receiver writes a clear to send for each slot of its
 * buffer that it has posted, and NCCL_STEPS slots (8) are posted at most; a send of up to
 * NCCL_P2P_LL_THRESHOLD (16 KiB) goes with flags in its data, so that no rank waits for its memory.
 *
 * Plain C++: what one end knows of one direction.
 * @code
 * const EagerLimits limits;
 * SendRendezvous known;                // at the sender
 * known.MayGo(limits, 8, 100);         // false: eight are ahead
 * known.Told(SendRendezvous::Say(3));  // the receives 0 to 3 have been called
 * known.MayGo(limits, 8, 100);         // true
 * @endcode
 */
class SendRendezvous
{
  public:
    /**
     * @param limits the job's
     * @param number of a send, from 0
     * @param bytes of it
     * @return whether it may go, as far as the sender knows
     */
    bool MayGo(const EagerLimits& limits, uint64_t number, uint64_t bytes) const
    {
        return number < m_called || (bytes <= limits.bytes && number < m_called + limits.sends);
    }

    /**
     * @param limits the job's
     * @param number of a receive that is called, from 0
     * @param bytes of it
     * @return whether the sender has to be told
     */
    static bool MustTell(const EagerLimits& limits, uint64_t number, uint64_t bytes)
    {
        const uint64_t every = limits.sends < 2 ? 1 : limits.sends / 2;
        return bytes > limits.bytes || (number + 1) % every == 0;
    }

    /** @return what to tell, in as many bits as immediate data has @param number of a receive */
    static uint32_t Say(uint64_t number)
    {
        return static_cast<uint32_t>(number + 1);
    }

    /** The sender is told. Words come in order. @param word what Say() made */
    void Told(uint32_t word)
    {
        m_called += word - static_cast<uint32_t>(m_called);
    }

  private:
    uint64_t m_called{0}; //!< receives that are known to have been called
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEND_RENDEZVOUS_H */
