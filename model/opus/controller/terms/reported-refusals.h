/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REPORTED_REFUSALS_H
#define PHOTONIC_RAILS_REPORTED_REFUSALS_H

#include "report-admission.h"

#include "ns3/identifier.h"
#include "ns3/open-phases.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-endings.h"
#include "ns3/phase-outcomes.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The phases that shims report as refused in an earlier term: they are refused in this term
 * too, so that all ranks of a phase get the same outcome.
 *
 * A phase that is held goes on, because its circuits may be in use.
 */
class ReportedRefusals
{
  public:
    ReportedRefusals(ReportAdmission& admission,
                     OpenPhases& phases,
                     PhaseEndings& endings,
                     PhaseOutcomes& outcomes);

    /** Takes a phase that was refused. @param server of the shim */
    void TakeRefusal(ServerId server, const OpusRefuse& refusal);

  private:
    ReportAdmission& m_admission;
    OpenPhases& m_phases;
    PhaseEndings& m_endings;
    PhaseOutcomes& m_outcomes;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_REPORTED_REFUSALS_H */
