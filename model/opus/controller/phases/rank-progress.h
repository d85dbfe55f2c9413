/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANK_PROGRESS_H
#define PHOTONIC_RAILS_RANK_PROGRESS_H

#include "ns3/identifier-table.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-flow-table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The progress of each rank in each flow, by its releases.
 *
 * A rank may be through with operations that a partner runs later, under a phase of another name:
 * the rank sent its messages, and the partner released the circuits before it received them. The
 * rank does not request these operations again.
 *
 * Operations of a flow are over in order, and so are the stages of one: a rank that is through with
 * operation 5 is through with all of operation 4. Within an operation each stage counts separately:
 * circuits of an early stage may be called back while those of a later one are not, and a stage
 * that a rank still has to request must never count as done.
 */
class RankProgress
{
  public:
    /**
     * Notes that a rank is through with a stage of an operation, and with all operations before it.
     * @param phase any phase of the flow
     */
    void Raise(const OpusPhase& phase, RankId rank, uint64_t operation, uint32_t stage);

    /** @return whether a rank is through with a phase's first operation */
    bool IsThrough(const OpusPhase& phase, RankId rank) const;

    /**
     * @return the last operation of the phase's flow of whose stage, that of the phase, the rank is
     * through; at least the phase's own
     */
    uint64_t GetOperation(const OpusPhase& phase, RankId rank) const;

    /** @return the progress in words; equal progress has equal words */
    std::string Describe() const;

  private:
    /** By stage, in order, the last operation. */
    using Through = std::vector<std::pair<uint32_t, uint64_t>>;

    /** @return a rank's progress in a phase's flow; null if it has not begun */
    const Through* Find(const OpusPhase& phase, RankId rank) const;

    OpusFlowTable<IdentifierTable<RankId, Through>> m_byFlow;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANK_PROGRESS_H */
