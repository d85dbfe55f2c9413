/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "group-registrations.h"

namespace ns3
{

GroupRegistrations::GroupRegistrations(GroupRegister& groups,
                                       PhaseOutcomes& outcomes,
                                       ControllerRecord& record)
    : m_groups(groups),
      m_outcomes(outcomes),
      m_record(record)
{
}

void
GroupRegistrations::TakeRegistration(ServerId server, const OpusRegisterGroup& registration)
{
    const GroupRegister::Check check = m_groups.Register(server, registration);
    if (!check.refusal.empty())
    {
        OpusPhase group; // the refusal names the group in a phase
        group.job = registration.job;
        group.group = registration.group;
        m_outcomes.Refuse(server, group, registration.ranks, check.refusal, true);
    }
    else if (!check.isNew)
    {
        ++m_record.counters.duplicates;
    }
}

} // namespace ns3
