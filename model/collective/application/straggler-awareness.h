/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_STRAGGLER_AWARENESS_H
#define PHOTONIC_RAILS_STRAGGLER_AWARENESS_H

#include "collective-settings.h"
#include "numbered-program.h"
#include "rank-connections.h"

#include "ns3/call-comparison.h"
#include "ns3/identifier.h"
#include "ns3/lateness-estimator.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief What a rank knows of stragglers: it reports its calls of all-reduces, and if it is the
 * first rank of a group, it gets samples and estimates who will be late.
 *
 *     call of a rank -> OpusBroker -> shim (-> controller -> shim of the first rank) -> sample
 *     call of a rank -> BootstrapNetwork -> first rank of the group -> sample
 *
 * The second way is that of brokers that do not compare calls: there is no control plane. Each step
 * takes its latency, and no rank knows what has not come to it.
 *
 * All-reduces of 3 ranks or more count, unless they name another algorithm than "ring". Their slots
 * are their numbers in their group since the last RankProgram::BeginIteration().
 */
class StragglerAwareness
{
  public:
    StragglerAwareness(const NumberedProgram& program,
                       const RankConnections& connections,
                       const CollectiveSettings& settings);

    /** @return whether it matters whether a rank is late at an operation */
    bool Covers(uint32_t operation) const;
    /** @return whether this rank chooses the algorithm of an operation: the first of the group */
    bool Chooses(uint32_t operation) const;
    /** @return the operations of an iteration that it covers and this rank chooses for */
    std::vector<uint32_t> FindChosen(uint32_t iteration) const;

    /** Reports that this rank calls an operation that it covers. */
    void Call(uint32_t operation);
    /** Takes the call of a rank of a group whose first rank this is. */
    void TakeCall(GroupId group, const RankCall& call);

    /** @return the rank that is expected to be late at an operation; none: no rank is */
    std::optional<LatenessSample> GetExpected(uint32_t operation) const;

    /** Forgets all samples. */
    void Clear();

  private:
    /** Takes the sample of an operation. @param group number of it, bound to the callback */
    void TakeSample(uint32_t group, uint32_t slot, const LatenessSample& sample);
    /** @return the slot of an operation */
    uint32_t GetSlot(uint32_t operation) const;

    const NumberedProgram& m_program;
    const RankConnections& m_connections;
    const CollectiveSettings& m_settings;
    std::map<GroupId, CallComparison> m_comparisons; //!< of groups whose first rank this is
    std::map<GroupId, LatenessEstimator> m_estimators;
    mutable std::vector<uint32_t> m_slots; //!< by operation; empty before it is needed
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_STRAGGLER_AWARENESS_H */
