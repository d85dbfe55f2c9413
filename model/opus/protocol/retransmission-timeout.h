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
 * @brief The wait for an acknowledgement before a datagram is sent again, by RFC 6298, in integers.
 *
 * With measured round-trip times R, rounded towards zero:
 *
 *     first:  SRTT = R                          RTTVAR = R / 2
 *     later:  RTTVAR = (3 RTTVAR + |SRTT - R|) / 4, and then SRTT = (7 SRTT + R) / 8
 *     timeout = max(least, SRTT + max(G, 4 RTTVAR))
 *
 * G, the granularity of a clock, is a tenth of the least timeout: the RFC (4) recommends 100 ms at
 * most where the least is 1 s. Without it, equal round trips, which a simulation often has, would
 * lead to a timeout that expires at the instant of the acknowledgement.
 *
 * Before the first measurement the timeout is the least one: the RFC too has one second for both.
 * Each time that it expires for a datagram, that datagram waits twice as long (Double()), up to
 * MOST. Acknowledgements identify the copy of a datagram that they answer, so those that were sent
 * several times are measured too: the RFC (3) allows that with timestamps. Karn's algorithm, which
 * keeps longer timeouts for datagrams that were not sent yet, is not needed.
 *
 * Plain C++: no simulator.
 */
class RetransmissionTimeout
{
  public:
    /**
     * The longest timeout, unless the least one is longer. RFC 6298 (2.5) allows no shorter limit.
     */
    static constexpr Picoseconds MOST = Picoseconds{60} * 1'000'000'000'000;

    /** @param least the timeout before the first measurement, and the shortest */
    explicit RetransmissionTimeout(Picoseconds least);

    /** Takes a measurement. @param roundTrip from the answered copy to its acknowledgement */
    void Measure(Picoseconds roundTrip);

    /** Drops all measurements, after the peer has not answered for long. */
    void Clear();

    /** @return the timeout of a first transmission */
    Picoseconds Get() const;

    /** @return the timeout of a datagram after one that has expired */
    Picoseconds Double(Picoseconds expired) const;

  private:
    Picoseconds m_least;
    Picoseconds m_smoothed{0};  //!< SRTT; 0: no measurement
    Picoseconds m_variation{0}; //!< RTTVAR
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RETRANSMISSION_TIMEOUT_H */
