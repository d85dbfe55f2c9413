/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reported-refusals.h"

namespace ns3
{

ReportedRefusals::ReportedRefusals(ReportAdmission& admission,
                                   OpenPhases& phases,
                                   PhaseEndings& endings,
                                   PhaseOutcomes& outcomes)
    : m_admission(admission),
      m_phases(phases),
      m_endings(endings),
      m_outcomes(outcomes)
{
}

void
ReportedRefusals::TakeRefusal(ServerId server, const OpusRefuse& refusal)
{
    if (!m_admission.IsAdmitted(server, refusal))
    {
        return;
    }
    ControllerPhase* open = m_phases.Find(refusal.phase);
    if (!open)
    {
        m_outcomes.RefuseUnopened(refusal.phase, refusal.reason);
    }
    else if (open->state != ControllerPhase::State::GRANTED)
    {
        m_endings.Refuse(*open, refusal.reason, true);
    }
}

} // namespace ns3
