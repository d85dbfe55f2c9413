/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_RANDOM_VARIABLE_MEAN_H
#define PHOTONIC_RAILS_RANDOM_VARIABLE_MEAN_H

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * The mean of a random variable by its attributes. Nothing is drawn, so no other draw changes. A
 * bound that a variable has is left out.
 * @param variable constant, uniform, triangular, exponential, normal, log-normal, Weibull, gamma or
 *        Erlang
 * @return the mean; empty for other variables
 */
std::optional<double> FindMean(Ptr<RandomVariableStream> variable);

} // namespace ns3

#endif /* PHOTONIC_RAILS_RANDOM_VARIABLE_MEAN_H */
