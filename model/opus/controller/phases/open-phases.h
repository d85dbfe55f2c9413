/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OPEN_PHASES_H
#define PHOTONIC_RAILS_OPEN_PHASES_H

#include "controller-phase.h"

#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/opus-flow-table.h"
#include "ns3/picoseconds.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The open phases of a controller: by name, by flow, and by the time at which the wait of
 * each ends.
 *
 * A flow is a group, or the sends from a rank to another. The phases of a flow are in the order of
 * operation and stage.
 */
class OpenPhases
{
  public:
    using Phases = std::map<OpusPhase, ControllerPhase>;
    /** The open phases of a flow, in order: mostly one or two. */
    using Flow = std::vector<ControllerPhase*>;

    /**
     * @param whole number of ranks that take part
     * @param digest of their pairs
     * @return the phase of that name, and whether it is new
     */
    std::pair<ControllerPhase&, bool> Open(const OpusPhase& phase, uint32_t whole, uint64_t digest);
    /** Removes an open phase. */
    void Close(const OpusPhase& phase);

    /** @return an open phase, or null */
    ControllerPhase* Find(const OpusPhase& phase);
    /** @return a phase, which must be open */
    ControllerPhase& At(const OpusPhase& phase);
    /** @return all phases, in order */
    const Phases& Get() const;
    Phases::iterator begin();
    Phases::iterator end();
    /** @param phase any of the flow @return the open phases of the flow, in order */
    const Flow& GetFlow(const OpusPhase& phase) const;
    /** @param phase any of the flow @return the first open phase of the flow; null: none is open */
    ControllerPhase* FindFirst(const OpusPhase& phase);
    /** @return the first open phase after a phase in its flow; null: there is none */
    ControllerPhase* FindNext(const OpusPhase& phase);

    /** @return whether an earlier phase of its flow that shares a rank must be granted first */
    bool IsHeld(const ControllerPhase& phase) const;
    /**
     * @return the last operation, up to `until`, before those that a rank requests in the later
     * phases of a phase's flow
     */
    uint64_t GetLastBeforeRequested(const OpusPhase& phase, RankId rank, uint64_t until) const;

    /** Sets the end of a phase's wait. @param deadline in picoseconds; NEVER: there is none */
    void SetDeadline(ControllerPhase& phase, Picoseconds deadline);
    /** @return the end of the first wait, in picoseconds; NEVER if there is none */
    Picoseconds GetNextDeadline() const;
    /** @return the phase whose wait ends first, if that is at `now` or earlier; else null */
    ControllerPhase* FindDue(Picoseconds now);

  private:
    /** @return the place of a phase among those of its flow, or of the next one */
    static Flow::const_iterator FindPlace(const Flow& flow, const OpusPhase& phase);

    Phases m_phases;
    OpusFlowTable<Flow> m_byFlow; //!< of the phases above
    std::set<std::pair<Picoseconds, OpusPhase>> m_deadlines;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_OPEN_PHASES_H */
