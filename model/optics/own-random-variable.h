/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H
#define PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H

#include "ns3/random-variable-stream.h"

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief A random variable of the same kind and parameters, for one owner alone.
 *
 * An attribute set by Config::SetDefault() or an object factory gives all objects the same random
 * variable, so who draws first at one instant would change what the others get.
 *
 * A variable whose values are not attributes (empirical, deterministic) is returned as it is.
 *
 * @param variable a random variable
 * @return a copy of it
 */
Ptr<RandomVariableStream> OwnCopyOf(Ptr<RandomVariableStream> variable);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H */
