/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_UNNAMED_RANKS_H
#define PHOTONIC_RAILS_UNNAMED_RANKS_H

#include "ns3/open-phases.h"
#include "ns3/phase-ranks.h"
#include "ns3/phase-voting.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The ranks of open phases that no REQUEST and no HOLD has named: they and their partners
 * are through with the phase since an earlier term, and do not request it again.
 *
 * Such ranks become known by the group of the phase, when it is complete. Those that are through
 * with the phase count so, and it does not wait for their votes.
 */
class UnnamedRanks
{
  public:
    UnnamedRanks(OpenPhases& phases, PhaseRanks& phaseRanks, PhaseVoting& voting);

    /** Adds these ranks to the open phases, as far as they are known. */
    void Find();

  private:
    OpenPhases& m_phases;
    PhaseRanks& m_phaseRanks;
    PhaseVoting& m_voting;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_UNNAMED_RANKS_H */
