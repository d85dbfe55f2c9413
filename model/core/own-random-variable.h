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
 * @brief A random variable of the same kind and parameters, for one owner only.
 *
 * An attribute set by Config::SetDefault() or an object factory gives all objects the same random
 * variable, so the order of draws at one instant would change the values of the others.
 *
 * A variable whose values are not attributes (empirical, deterministic) is not copied.
 *
 * @param variable a random variable
 * @return a copy, or the variable itself
 */
Ptr<RandomVariableStream> OwnCopyOf(Ptr<RandomVariableStream> variable);

/**
 * @ingroup photonic-rails
 * Replaces a random variable by a copy of its own, which draws from a fixed stream.
 * @param variable of one owner; null stays null
 * @param stream number
 */
void FixStream(Ptr<RandomVariableStream>& variable, int64_t stream);

/**
 * @ingroup photonic-rails
 * @param variable a random variable, in seconds
 * @param name the attribute that holds the variable, for the message
 * @return a draw; aborts if it is negative or beyond 9,000,000 s
 */
Picoseconds DrawPicoseconds(Ptr<RandomVariableStream> variable, const std::string& name);

} // namespace ns3

#endif /* PHOTONIC_RAILS_OWN_RANDOM_VARIABLE_H */
