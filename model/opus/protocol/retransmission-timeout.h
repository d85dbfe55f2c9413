/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RETRANSMISSION_TIMEOUT_H
#define PHOTONIC_RAILS_RETRANSMISSION_TIMEOUT_H

#include "ns3/picoseconds.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How long to wait for an acknowledgement before a datagram is sent again, as RFC 6298 has
 * it, in integers.
 *
 * With round-trip times R as they are measured, rounded towards zero:
 *
 *     first:  SRTT = R                          RTTVAR = R / 2
 *     later:  RTTVAR = (3 RTTVAR + |SRTT - R|) / 4, and then SRTT = (7 SRTT + R) / 8
 *     timeout = max(least, SRTT + max(G, 4 RTTVAR))
 *
 * G, the granularity of a clock, is a tenth of the least timeout: the RFC (4) recommends 100 ms at
 * most where the least is 1 s. Without it, round trips that are all equal, as a simulation has
 * them, would lead to a timeout that expires at the instant of the acknowledgement.
 *
 * Before the first measurement the timeout is the least one: the RFC has one second for both, too.
 * Each time that it expires for a datagram, that datagram waits twice as long (Double()), up to
 * MOST. Acknowledgements say which copy of a datagram they answer, so those that were sent several
 * times are measured too: the RFC (3) allows that as it does with timestamps, and Karn's algorithm,
 * which keeps longer timeouts for datagrams that were not sent yet, is not needed.
 *
 * Plain C++: no simulator.
 */
class RetransmissionTimeout
{
  public:
    /** No timeout is longer, unless the least is. RFC 6298 (2.5) allows no less. */
    static constexpr Picoseconds MOST = Picoseconds{60} * 1'000'000'000'000;

    /** @param least the timeout before anything is measured, and the shortest */
    explicit RetransmissionTimeout(Picoseconds least);

    /** A datagram is acknowledged. @param roundTrip since the copy was sent that is answered */
    void Measure(Picoseconds roundTrip);

    /** Nothing measured counts any more: the peer did not answer for long. */
    void Clear();

    /** @return the timeout of what is sent for the first time */
    Picoseconds Get() const;

    /** @return the next one of a datagram for which one expired @param expired it */
    Picoseconds Double(Picoseconds expired) const;

  private:
    Picoseconds m_least;
    Picoseconds m_smoothed{0};  //!< SRTT; 0: nothing is measured
    Picoseconds m_variation{0}; //!< RTTVAR
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RETRANSMISSION_TIMEOUT_H */
