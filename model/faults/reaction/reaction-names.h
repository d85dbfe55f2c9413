/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_REACTION_NAMES_H
#define PHOTONIC_RAILS_REACTION_NAMES_H

#include "ns3/type-aliases.h"

namespace ns3
{

/**
 * @return the short names of the reactions that come with the module: `splice`, `move`, `detour`,
 * `shrink`, `giant-ring` and `stop`. Any other type that derives from ns3::FailureReaction is known
 * by its own name
 */
const TypeAliases& GetReactionAliases();

} // namespace ns3

#endif /* PHOTONIC_RAILS_REACTION_NAMES_H */
