/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H
#define PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H

#include "memo-store.h"

#include "ns3/message-frames.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"
#include "ns3/queue-pair-progress.h"
#include "ns3/rank-schedule.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/** One direction of a circuit. */
struct CircuitDirection
{
    uint64_t rate{0};   //!< in bit/s
    Picoseconds way{0}; //!< from port to port
};

/** The way of a rank's messages to another, on a circuit that nothing else uses. */
struct WayOnCircuit
{
    std::size_t circuit{0}; //!< its number in the operation
    uint32_t end{0};        //!< of the circuit, at which the rank is: 0 or 1
    CircuitDirection there; //!< of data, and of answers to data of the other rank
    CircuitDirection back;
    uint32_t mtu{0};        //!< bytes of payload of a frame, at most
    uint32_t ackEvery{0};   //!< frames between two requests for an acknowledgement
    Picoseconds timeout{0}; //!< after which frames are sent again
};

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
 * it takes what comes by several at one instant. Each rank is active before a message can be there;
 * what comes to a rank that has not entered waits until it has.
 *
 * **How.** A direction of a circuit carries the data of one queue pair, and the answers to that of
 * the other. An answer is ready when a frame that requests one has arrived. It goes at the next
 * frame boundary behind that instant, or at once if the wire is idle, and covers all that are ready
 * by then. So only frames that request answers matter: an operation needs two steps for each, one
 * when it begins and nothing can delay it any more, and one when it arrives.
 *
 * Plain C++: no simulator.
 *
 * @code
 * std::unique_ptr<OperationOnCircuits> operation = OperationOnCircuits::Make(kind);
 * operation->Enter(0, ways, 0); // and so on, for each rank
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
        std::vector<QueuePairProgress> sent; //!< by way out
    };

    /** @return an operation of a kind; null: it can't be worked out */
    static std::unique_ptr<OperationOnCircuits> Make(const MemoStore::Kind& kind);

    /**
     * A rank enters.
     * @param ways by way out
     * @param at time since the first one has entered
     * @return whether the operation can be worked out, as far as is known
     */
    bool Enter(uint32_t place, const std::vector<WayOnCircuit>& ways, Picoseconds at);

    /** @return whether all ranks have entered */
    bool HaveAllEntered() const
    {
        return m_entered == m_ranks.size();
    }

    /** @return a time before which no message arrives, as far as ranks have entered */
    Picoseconds GetFirst() const
    {
        return m_firstArrival;
    }

    /** @return a time before which no rank ends, whenever the others enter */
    Picoseconds GetLeast() const
    {
        return m_least;
    }

    /** Messages of one size. */
    struct Size
    {
        uint64_t frames{0};     //!< of data
        uint64_t firstBytes{0}; //!< of the first of them on the wire
        uint64_t bytes{0};      //!< of one in the middle
        uint64_t lastBytes{0};  //!< of the last, which is the first of one frame
        uint64_t wireBytes{0};  //!< of all
    };

  private:
    friend class CircuitMessages; // which works it out

    /** A rank. */
    struct Rank
    {
        std::shared_ptr<const RankSchedule> part;
        std::vector<WayOnCircuit> ways; //!< out
        Picoseconds entered{NEVER};
    };

    explicit OperationOnCircuits(const MemoStore::Kind& kind);

    /** @return whether a rank's messages do not depend on the order of arrivals of an instant */
    static bool IsPlain(const RankSchedule& part);
    /** @return sizes of the messages of a chunk on wires, and how many have each */
    std::map<uint64_t, uint64_t> ListSizes(uint32_t chunk) const;
    /** Lists the sizes of messages. @return whether each is one wire message */
    bool FindSizes(uint32_t mtu);
    /** @return the least time in which a rank can get its messages */
    Picoseconds FindLeast(uint64_t rate) const;

    MemoStore::Kind m_kind;
    std::vector<Rank> m_ranks; //!< by place
    uint32_t m_entered{0};
    WayOnCircuit m_like;              //!< the first way
    std::map<uint64_t, Size> m_sizes; //!< by bytes on wires
    Picoseconds m_firstArrival{NEVER};
    Picoseconds m_least{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPERATION_ON_CIRCUITS_H */
