/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRETCH_WALK_H
#define PHOTONIC_RAILS_STRETCH_WALK_H

#include "intra-node-plan.h"
#include "intra-node-run.h"
#include "stretch-part.h"

#include "ns3/picoseconds.h"
#include "ns3/stretch-rank.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Works out a part of a stretch: ranks go from step to step, each when its last one is over,
 * while an IntraNodeRun has the messages of what they have called.
 *
 * Plain C++.
 */
class StretchWalk
{
  public:
    /** The plans of steps that are collective, by step; null: it is a computation. */
    using Plans = std::vector<std::shared_ptr<const IntraNodePlan>>;

    /**
     * @param run of the fabric, at its beginning
     * @param first step: a collective operation
     * @param calls by place: the instants of its calls, from the first one on
     */
    StretchWalk(const IntraNodeRun& run,
                const StretchSteps& steps,
                const Plans& plans,
                std::shared_ptr<const IntraNodeRanks> ranks,
                std::size_t first,
                const std::vector<Picoseconds>& calls);

    /** @return the part */
    StretchPart Go();

  private:
    /** A rank on its way. */
    struct Walker
    {
        std::size_t step;  //!< collective, or the number of all
        Picoseconds call;  //!< of that step
        bool waits{false}; //!< it has called it
    };

    /** @return whether all ranks are at one step, after all that was called */
    bool IsOver() const;
    /** @return the earliest call of those that are known; NEVER: none is */
    Picoseconds FindCall() const;
    /**
     * Goes on with the messages up to the next call, or until an end becomes known.
     * @return whether one did
     */
    bool GoUntilEnds(Picoseconds call);
    /** Ranks whose operations are known to end go on. */
    void TakeEnds();
    /** A rank's operation is over: it goes on to the next call. */
    void GoOn(uint32_t place, Picoseconds end);
    /** Makes the calls of an instant. */
    void Call(Picoseconds at);

    IntraNodeRun m_run;
    const StretchSteps& m_steps;
    const Plans& m_plans;
    std::shared_ptr<const IntraNodeRanks> m_ranks;
    std::size_t m_first;
    std::vector<Walker> m_walkers; //!< by place
    uint64_t m_ends{0};            //!< those of the run that are taken
    std::vector<std::optional<uint32_t>>
        m_operation; //!< by step from the first: its number in the run
    StretchPart m_part;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRETCH_WALK_H */
