/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_HISTORY_H
#define PHOTONIC_RAILS_PHASE_HISTORY_H

#include "opus-contents.h"
#include "opus-flow-table.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** @return a phase's flow: its group, or its sender and receiver */
OpusPhase GetFlowKey(const OpusPhase& phase);

/**
 * @ingroup photonic-rails
 * @brief The outcomes of phases that have ended, so that a late or repeated message is recognised.
 *
 * The last ones of each flow are kept. Earlier ones count as refused: a message for those was sent
 * before many others were granted.
 */
class PhaseHistory
{
  public:
    /** The number of phases of a flow that are kept. */
    static constexpr std::size_t KEPT = 64;

    /**
     * Adds a phase that has ended.
     * @param refusal the reason of its refusal; empty if it was not refused
     */
    void Add(const OpusPhase& phase, const std::string& refusal);

    /** @return of a phase that has ended: its refusal, or empty words; else nothing */
    std::optional<std::string> Find(const OpusPhase& phase) const;

    /** @return the history in words; equal histories have equal words */
    std::string Describe() const;

  private:
    /** The phases of a flow. */
    struct Ended
    {
        /** In order, of which those from `first` on count: the others go several at a time. */
        std::vector<std::pair<OpusPhase, std::shared_ptr<const std::string>>> kept;
        std::size_t first{0};
        std::optional<OpusPhase> forgotten; //!< this one and all before it are not kept
    };

    OpusFlowTable<Ended> m_byFlow;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_HISTORY_H */
