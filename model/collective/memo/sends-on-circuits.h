/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SENDS_ON_CIRCUITS_H
#define PHOTONIC_RAILS_SENDS_ON_CIRCUITS_H

#include "memo-store.h"
#include "memoized-call.h"
#include "way-on-circuit.h"

#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"
#include "ns3/rank-schedule.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Sends by rendezvous between two ranks, on circuits that nothing else uses, which can be
 * worked out without events: from what has entered so far follow its ends.
 *
 * **The promise.** Ends and counts are those of messages, to the picosecond, as long as nothing
 * more enters. What has ended by the instant of another entry has ended as it said.
 *
 * **What can be worked out.** Sends in both directions and of several groups, each by queue pairs
 * for its data and one for the reports of its receives. Those of a direction and group enter in the
 * order of their calls, at both ends, and no receive enters before an earlier one whose send waits:
 * the report of the later one covers the earlier one, too.
 *
 * Plain C++: no simulator.
 *
 * @code
 * SendsOnCircuits sends;
 * sends.Enter(send, {way}, 0);     // the sender's end
 * sends.Enter(receive, {back}, 1); // the receiver's, whose report goes back
 * const std::vector<SendsOnCircuits::Outcome> outcomes = CircuitSends(sends).Run();
 * @endcode
 */
class SendsOnCircuits
{
  public:
    /** What becomes of one end of a send. Times are counted as those of Enter(). */
    struct Outcome
    {
        Picoseconds ended{NEVER}; //!< NEVER: the other end has not entered
        MessageTotals totals{};
        std::vector<QueuePairProgress> sent; //!< by way out
    };

    /** The most ends: each that enters is worked out with all before it. */
    static constexpr std::size_t MOST = 64;

    /** What all follows from. */
    using Key = MemoStore::SendsKey;

    /**
     * One end of a send enters.
     * @param ways out: of data, or of the report
     * @param at time since the first one has entered
     * @return whether all can be worked out
     */
    bool Enter(const MemoizedSend& send, const std::vector<WayOnCircuit>& ways, Picoseconds at);

    /** An end of a send has ended. @param place of it, in the order of entries */
    void End(std::size_t place)
    {
        m_ends[place].hasEnded = true;
    }

    /** @return whether a send that has not ended has entered at both ends */
    bool AreAny() const;

    /** @return the same for sends of equal kinds, ways and times */
    Key GetKey() const;

  private:
    friend class CircuitSends; // which works them out

    static constexpr std::size_t ALONE = ~std::size_t{0};

    /** One end of a send. */
    struct Half
    {
        MemoizedSend send;
        std::shared_ptr<const RankSchedule> part;
        std::vector<WayOnCircuit> ways; //!< out
        Picoseconds entered{0};
        std::size_t other{ALONE}; //!< the place of the other end
        bool hasEnded{false};
    };

    /**
     * @param isAlone whether the other end has not entered
     * @return whether an end is in order with those that have entered
     */
    bool IsInOrder(const MemoizedSend& send, bool isAlone) const;
    /** @return whether frames that wait for others are not sent again */
    bool AreInTime() const;

    std::vector<Half> m_ends; //!< in the order of entries
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SENDS_ON_CIRCUITS_H */
