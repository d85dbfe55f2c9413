/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_GROUP_REGISTRATIONS_H
#define PHOTONIC_RAILS_GROUP_REGISTRATIONS_H

#include "group-register.h"

#include "ns3/controller-record.h"
#include "ns3/identifier.h"
#include "ns3/opus-contents.h"
#include "ns3/phase-outcomes.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Takes the registrations of groups. One that does not fit the others is refused to its
 * server, and changes nothing.
 */
class GroupRegistrations
{
  public:
    GroupRegistrations(GroupRegister& groups, PhaseOutcomes& outcomes, ControllerRecord& record);

    /** Takes a server's registration of its ranks of a group. */
    void TakeRegistration(ServerId server, const OpusRegisterGroup& registration);

  private:
    GroupRegister& m_groups;
    PhaseOutcomes& m_outcomes;
    ControllerRecord& m_record;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_GROUP_REGISTRATIONS_H */
