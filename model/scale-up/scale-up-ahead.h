/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_AHEAD_H
#define PHOTONIC_RAILS_SCALE_UP_AHEAD_H

#include "scale-up-ports.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Traffic of a ScaleUpDomain that is worked out ahead of its events, on members that have no
 * other traffic meanwhile.
 *
 * The domain says what disturbs it, before that happens. It then turns its messages at these
 * members into messages of the domain, in the state that they have at this instant
 * (ScaleUpDomain::Restore...()).
 */
class ScaleUpAhead
{
  public:
    virtual ~ScaleUpAhead() = default;

    /** A message is about to be sent from a member to another, and is no part of this traffic. */
    virtual void Disturb(MemberId from, MemberId to) = 0;

    /** From now on each message is observed: turns all traffic into messages. */
    virtual void DisturbAll() = 0;

    /** @return whether this traffic uses a member's port by now, or will */
    virtual bool IsAt(MemberId member) const = 0;

    /** Adds to the domain's counts what this traffic has sent and delivered by now. */
    virtual void Commit() = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_AHEAD_H */
