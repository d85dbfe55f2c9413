/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SPLICE_REACTION_H
#define PHOTONIC_RAILS_SPLICE_REACTION_H

#include "failure-reaction.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A spare server takes the place of a lost one, on circuits that are reconfigured so. The
 * alias `splice`.
 *
 * Spares of the rack of the first lost server come first, then those of other racks, each in order
 * of their numbers. On rails of optical switches any server of the rail is as near as any other:
 * the spare gets the circuits that the lost one had, as in LUMION (arXiv 2505.23105).
 */
class SpliceReaction : public FailureReaction
{
  public:
    /** @return the type */
    static TypeId GetTypeId();

    Recovery Decide(const FailureCase& failure) const override;
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SPLICE_REACTION_H */
