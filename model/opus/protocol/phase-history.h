/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_PHASE_HISTORY_H
#define PHOTONIC_RAILS_PHASE_HISTORY_H

#include "opus-message.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ns3
{

/** @return a phase's flow: its group, or its sender and receiver @param phase any */
OpusPhase GetFlowKey(const OpusPhase& phase);

/**
 * @ingroup photonic-rails
 * @brief What became of phases that are over, so that a message that comes late or twice is known
 * for what it is.
 *
 * The last ones of each flow are kept. Earlier ones count as refused: what is still on its
 * way for those was sent before a great many others were granted.
 */
class PhaseHistory
{
  public:
    /** Phases of a flow that are kept. */
    static constexpr std::size_t KEPT = 64;

    /** A phase is over. @param phase it @param refusal why it was refused; empty if it was not */
    void Add(const OpusPhase& phase, const std::string& refusal);

    /** @return the refusal, or empty words, of a phase that is over @param phase any */
    std::optional<std::string> Find(const OpusPhase& phase) const;

    /** @return the history in words, the same for equal ones */
    std::string Describe() const;

  private:
    /** The phases of a flow. */
    struct Ended
    {
        std::map<OpusPhase, std::string> kept;
        std::optional<OpusPhase> forgotten; //!< it and all before
    };

    std::map<OpusPhase, Ended> m_byFlow;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_PHASE_HISTORY_H */
