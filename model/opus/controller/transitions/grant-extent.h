/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GRANT_EXTENT_H
#define PHOTONIC_RAILS_GRANT_EXTENT_H

#include "ns3/controller-phase.h"
#include "ns3/controller-record.h"
#include "ns3/open-phases.h"
#include "ns3/picoseconds.h"
#include "ns3/rank-progress.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The extent of a grant: the last operation that it serves (ControllerPhase::until), and the
 * time after which its use is reported.
 *
 * A grant serves the operations up to the least that its ranks request, limited by the progress of
 * ranks that are through with the phase already. This never grows. Where circuits are for good
 * (CircuitPolicy::IsForGood), a grant has neither a last operation nor a time limit.
 */
class GrantExtent
{
  public:
    /**
     * @param limit in picoseconds from a grant to its release; a longer use is reported
     * @param isForGood whether granted circuits stay as long as the job runs
     */
    GrantExtent(Picoseconds limit,
                bool isForGood,
                const RankProgress& progress,
                OpenPhases& phases,
                ControllerRecord& record);

    /** Sets the extent of a grant that begins, as all ranks agree. */
    void Begin(ControllerPhase& phase);
    /**
     * Sets the extent of a grant that began in an earlier term.
     * @param until its last operation, by one rank
     */
    void TakeOver(ControllerPhase& phase, uint64_t until);
    /**
     * Limits a grant of an earlier term, whose votes are all known now, by the ranks that are
     * through. It is shortened if a rank that holds it has been granted more.
     */
    void AgreeAgain(ControllerPhase& phase);
    /** Reports a grant that is in use beyond its time limit. */
    void Expire(ControllerPhase& phase);

  private:
    /** @return the last operation, of this one and of those that ranks of a phase are through with
     */
    uint64_t LimitByProgress(const ControllerPhase& phase, uint64_t until) const;
    /** Starts the time limit of a grant. */
    void LimitUse(ControllerPhase& phase);

    Picoseconds m_limit;
    bool m_isForGood;
    const RankProgress& m_progress;
    OpenPhases& m_phases;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GRANT_EXTENT_H */
