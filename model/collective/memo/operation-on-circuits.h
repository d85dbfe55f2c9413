/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H
#define PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H

#include "framed-size.h"
#include "memo-store.h"
#include "way-on-circuit.h"

#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"
#include "ns3/rank-schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The messages of a collective operation on circuits that nothing else uses, worked out
 * without events: from the entries of the ranks follow the ends.
 *
 * **The promise.** Ends and counts of ranks, and counts of queue pairs, are those of messages, to
 * the picosecond.
 *
 * **What can be worked out.** An operation of one stage on rails, such as rings, in one direction
 * or in both. Each way of a rank to another has a circuit for itself, but for the way back. What it
 * sends on one way depends on arrivals by one way only, so that it does not matter in which order
 * it takes what comes by several at one instant. No rank can end before all have entered, so that
 * nobody waits for the outcome meanwhile. What comes to a rank that has not entered waits until it
 * has.
 *
 * **How.** CircuitWires has the instants of frames and answers, and CollectiveRun has what a rank
 * sends when a message has come.
 *
 * Plain C++: no simulator.
 *
 * @code
 * std::unique_ptr<OperationOnCircuits> operation = OperationOnCircuits::Make(kind);
 * operation->Enter(0, ways, 0, 0); // and so on, for each rank
 * const std::vector<OperationOnCircuits::Outcome> outcomes = CircuitMessages(*operation).Run();
 * @endcode
 */
class OperationOnCircuits
{
  public:
    /** What becomes of a rank. Times are counted as those of Enter(). */
    struct Outcome
    {
        Picoseconds ended{0};
        MessageTotals totals{};
        uint64_t early{0};                   //!< messages that came before it was active
        std::vector<QueuePairProgress> sent; //!< by way out
        /** By way out: when nothing is sent on its circuit any more, by end. */
        std::vector<std::array<Picoseconds, 2>> quiet;
    };

    /** @return an operation of a kind; null: it can't be worked out */
    static std::unique_ptr<OperationOnCircuits> Make(const MemoStore::Kind& kind);

    /**
     * A rank enters.
     * @param ways by way out
     * @param at time since the first one has entered
     * @param active the same of the instant from which on it takes messages
     * @return whether the operation can be worked out, as far as is known
     */
    bool Enter(uint32_t place,
               const std::vector<WayOnCircuit>& ways,
               Picoseconds at,
               Picoseconds active);

    /** @return whether all ranks have entered */
    bool HaveAllEntered() const
    {
        return m_entered == m_ranks.size();
    }

  private:
    friend class CircuitMessages; // which works it out

    /** A rank. */
    struct Rank
    {
        std::shared_ptr<const RankSchedule> part;
        std::vector<WayOnCircuit> ways; //!< out
        Picoseconds entered{NEVER};
        Picoseconds active{0};
    };

    explicit OperationOnCircuits(const MemoStore::Kind& kind);

    /** @return whether a rank's messages do not depend on the order of arrivals of an instant */
    static bool IsPlain(const RankSchedule& part);
    /** @return sizes of the messages of a chunk on wires, and how many have each */
    std::map<uint64_t, uint64_t> ListSizes(uint32_t chunk) const;
    /** Lists the sizes of messages. @return whether each is one wire message */
    bool FindSizes(uint32_t mtu);

    MemoStore::Kind m_kind;
    std::vector<Rank> m_ranks; //!< by place
    uint32_t m_entered{0};
    WayOnCircuit m_like;                    //!< the first way
    std::map<uint64_t, FramedSize> m_sizes; //!< by bytes on wires
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H */
