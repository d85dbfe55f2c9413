/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRETCH_RANK_H
#define PHOTONIC_RAILS_STRETCH_RANK_H

#include "ns3/algorithm-choice.h"
#include "ns3/communication-group.h"
#include "ns3/identifier.h"
#include "ns3/message-totals.h"
#include "ns3/picoseconds.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{

/** An operation of a stretch, the same at all ranks. */
struct StretchStep
{
    Picoseconds duration{0};                       //!< of a computation
    std::shared_ptr<const AlgorithmChoice> choice; //!< null: it is a computation
    uint64_t bytes{0};                             //!< of the buffer
    uint64_t messageSize{0}; //!< the largest size of a message, in bytes of data

    /** @return whether it is a collective operation */
    bool IsCollective() const
    {
        return choice != nullptr;
    }

    /** @return whether both are the same */
    bool operator==(const StretchStep& other) const
    {
        const auto list = [](const AlgorithmChoice& one) {
            return std::tie(one.schedule, one.protocol, one.algorithm, one.trafficPath, one.reason);
        };
        return duration == other.duration && bytes == other.bytes &&
               messageSize == other.messageSize && IsCollective() == other.IsCollective() &&
               (!choice || choice == other.choice || list(*choice) == list(*other.choice));
    }
};

/** The operations of a stretch. */
using StretchSteps = std::vector<StretchStep>;

/** What becomes of an operation of a stretch at a rank. */
struct StretchTime
{
    Picoseconds start{0};   //!< the rank calls it, or begins to compute
    Picoseconds end{NEVER}; //!< it is over; NEVER: that is not known
    MessageTotals totals{}; //!< of a collective operation that is over
};

/** The communication library of a rank that is in a stretch. */
class StretchRank
{
  public:
    virtual ~StretchRank() = default;

    /**
     * The first operations of the stretch are over. If these are all, the rank goes on with its
     * program; else the next one is under way.
     * @param over what became of those
     */
    virtual void StretchIsOver(const std::vector<StretchTime>& over) = 0;

    /** Calls the collective operation that is under way, at an instant of the past. */
    virtual void CallAgain(std::size_t step) = 0;

    /** Goes on with the computation that is under way. */
    virtual void ComputeOn(std::size_t step, Picoseconds start) = 0;

    /** @param most the messages of a flow that had waited when an operation was called */
    virtual void StretchHadEarly(uint64_t most) = 0;
};

/** A rank begins a stretch of its program. */
struct StretchEntry
{
    RankId rank;
    const CommunicationGroup* group{nullptr};
    uint64_t number{0}; //!< of the first collective operation in its flow
    uint32_t place{0};  //!< of the rank in the group
    std::shared_ptr<const StretchSteps> steps;
    StretchRank* library{nullptr};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRETCH_RANK_H */
