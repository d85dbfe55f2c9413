/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SCALE_UP_HELD_H
#define PHOTONIC_RAILS_SCALE_UP_HELD_H

#include "scale-up-ports.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Traffic of a ScaleUpDomain that is held: what becomes of it is known, as long as its
 * members have no other traffic, so it is not simulated.
 *
 * The domain says what disturbs it, before that happens. It then sends its messages in the past
 * (PastEvents), up to now.
 */
class ScaleUpHeld
{
  public:
    virtual ~ScaleUpHeld() = default;

    /** Two members, which may be the same, are about to have other traffic, or are looked at. */
    virtual void Disturb(MemberId one, MemberId other) = 0;

    /** From now on each message is observed. */
    virtual void DisturbAll() = 0;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SCALE_UP_HELD_H */
