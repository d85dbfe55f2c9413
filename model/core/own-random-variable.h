/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H
#define PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H

#include "picoseconds.h"

#include "ns3/random-variable-stream.h"

#include <string>

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

/**
 * @ingroup photonic-rails
 * @param variable a random variable, in seconds
 * @param name of the attribute that holds it, for the message
 * @return a draw; aborts if it is negative or beyond 9,000,000 s
 */
Picoseconds DrawPicoseconds(Ptr<RandomVariableStream> variable, const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H */
