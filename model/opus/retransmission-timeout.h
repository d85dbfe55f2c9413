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
 *     timeout = max(least, SRTT + 4 RTTVAR)
 *
 * Before the first measurement the timeout is the least one: the RFC has one second for both, too.
 * A timeout that expires doubles it, up to MOST, and it stays so until a round trip is measured
 * (Karn's algorithm): the caller measures datagrams that were sent once only.
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

    /** A datagram that was sent once is acknowledged. @param roundTrip since it was sent */
    void Measure(Picoseconds roundTrip);

    /** A datagram was not acknowledged in time. @param waited how long it had */
    void Expire(Picoseconds waited);

    /** Nothing measured counts any more: the peer did not answer for long. */
    void Clear();

    /** @return the timeout of what is sent now */
    Picoseconds Get() const;

    /** @return what it would be if no timeout had expired */
    Picoseconds GetMeasured() const;

  private:
    Picoseconds m_least;
    Picoseconds m_smoothed{0};  //!< SRTT; 0: nothing is measured
    Picoseconds m_variation{0}; //!< RTTVAR
    Picoseconds m_backedOff{0}; //!< at least that long, since timeouts expired
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RETRANSMISSION_TIMEOUT_H */
