/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SEND_RENDEZVOUS_H
#define PHOTONIC_RAILS_SEND_RENDEZVOUS_H

#include <cstdint>

namespace ns3
{

/**
 * The limits of how far sends may be ahead of their receives. They are the same for all ranks of a
 * job.
 */
struct EagerLimits
{
    uint64_t bytes{16 << 10}; //!< the largest send that need not wait for its receive
    uint32_t sends{8};        //!< the most sends that may be ahead
};

/**
 * @ingroup photonic-rails
 * @brief Decides when sends from one rank to another may go: eagerly up to a size, else by
 * rendezvous.
 *
 * Both ends number receives and sends in the order of their calls, so both have the pairs and the
 * sizes. A send of more than the eager bytes goes when the sender has a report that its receive was
 * called. A smaller one goes at once, as long as fewer than the eager sends are ahead of the
 * reported receives. So a receiver that computes has a bounded number of messages to keep.
 *
 * The receiver sends these reports in messages: for each receive that is too large to be eager, and
 * else once for every half of the eager sends. NCCL's receiver writes a clear-to-send for each slot
 * of its buffer that it has posted, and NCCL_STEPS slots (8) are posted at most; a send of up to
 * NCCL_P2P_LL_THRESHOLD (16 KiB) goes with flags in its data, so that no rank waits for its memory.
 *
 * Plain C++: the state of one direction at one end.
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
    /** A report: an entry of the list that NCCL's receiver writes (struct ncclIbSendFifo). */
    static constexpr uint64_t REPORT_BYTES = 64;

    /**
     * @param number of a send, from 0
     * @param bytes of the send
     * @return whether it may go, by the reports that the sender has
     */
    bool MayGo(const EagerLimits& limits, uint64_t number, uint64_t bytes) const
    {
        return number < m_called || (bytes <= limits.bytes && number < m_called + limits.sends);
    }

    /**
     * @param number of a receive that is called, from 0
     * @param bytes of the receive
     * @return whether the sender needs a report
     */
    static bool MustReport(const EagerLimits& limits, uint64_t number, uint64_t bytes)
    {
        const uint64_t every = limits.sends < 2 ? 1 : limits.sends / 2;
        return bytes > limits.bytes || (number + 1) % every == 0;
    }

    /**
     * @param number of a receive
     * @return the report for the sender, in as many bits as immediate data has
     */
    static uint32_t MakeReport(uint64_t number)
    {
        return static_cast<uint32_t>(number + 1);
    }

    /** Takes a report at the sender. Reports come in order. @param word from MakeReport() */
    void TakeReport(uint32_t word)
    {
        m_called += word - static_cast<uint32_t>(m_called);
    }

  private:
    uint64_t m_called{0}; //!< receives that have been called, by the reports
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SEND_RENDEZVOUS_H */
