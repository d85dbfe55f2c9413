/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_COSTS_H
#define PHOTONIC_RAILS_STRAGGLER_COSTS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief When an all-reduce takes less time by StragglAR than by a ring, in closed form.
 *
 * n ranks reduce S bytes. The last rank calls L later than the last but one, which calls at 0. With
 * the rate B of a rank (bytes a second), the hop latency a and the time d of a reconfiguration:
 *
 *     ring        L + 2 (n-1) a + 2 S (n-1) / (n B)
 *     StragglAR   max(L, scatter) + R (a + S / ((n-1) B)) + m d
 *     scatter     r a + S (n-2) / ((n-1) B) + q d        of the others, while they wait
 *
 * R is the number of rounds of the plan (GetStragglerPlan()), m the number of reconfigurations
 * between these rounds; r and q are those of the reduce-scatter, n - 2 and 1 for a ring. Where no
 * circuits are reconfigured d is 0. A ring whose circuits stand takes no reconfiguration.
 *
 * Two conditions follow. However late the straggler is, StragglAR pays only if what is left to do
 * is less: R (a + S / ((n-1) B)) + m d < 2 (n-1) a + 2 S (n-1) / (n B). If so, it pays from the
 * lateness on at which both take equally long (GetCrossover()). That holds if a straggler that
 * comes before the others are through does not disturb them. On a fabric or a packet switch its
 * first chunk meets theirs, which takes some rounds more. So it is sure to pay only if all of the
 * scatter is hidden (IsSureToPay()). Circuits keep it waiting until theirs are through.
 *
 * Plain C++: no simulator. Times are whole picoseconds.
 */
struct StragglerCosts
{
    uint32_t ranks{0};
    uint64_t bytes{0};          //!< of the buffer
    uint64_t bytesPerSecond{1}; //!< of a rank, in each direction
    Time hop{0};                //!< latency of a step, beside the bytes
    Time reconfiguration{0};    //!< of circuits, each time; 0: none are reconfigured
    uint32_t rounds{0};         //!< of the plan
    uint32_t changes{0};        //!< reconfigurations for them
    uint32_t scatterRounds{0};  //!< of the reduce-scatter of the others
    uint32_t scatterChanges{0}; //!< reconfigurations for these
    Time settling{0};           //!< by which a round ends later, when what ranks sent is settled

    /** @return costs without circuits, with the plan and a reduce-scatter on a ring */
    static StragglerCosts OfFabric(uint32_t ranks,
                                   uint64_t bytes,
                                   uint64_t bytesPerSecond,
                                   Time hop);

    /** @return the time of a ring when all ranks have called */
    Time GetRing() const;
    /** @return the time of the reduce-scatter of the others */
    Time GetScatter() const;
    /** @return the time of StragglAR when the straggler has come and the others are through */
    Time GetRounds() const;
    /** @return the time of StragglAR from the call of the last but one on */
    Time GetStragglAr(Time lateness) const;
    /** @return the same, with rounds that end when what ranks sent is settled */
    Time GetStragglArSettled(Time lateness) const;
    /** @return the least lateness with which StragglAR takes as long as a ring; Time::Max(): none
     */
    Time GetCrossover() const;

    /** @return whether StragglAR takes less time than a ring, whatever the straggler disturbs */
    bool IsSureToPay(Time lateness) const;
    /**
     * @param other the time of another algorithm when all ranks have called
     * @return whether StragglAR takes less time than that one, whatever the straggler disturbs
     */
    bool IsSureToPay(Time lateness, Time other) const;

  private:
    /** @return the time of a part of the buffer on a rank's ports */
    Time GetSending(uint64_t parts, uint64_t whole) const;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_COSTS_H */
