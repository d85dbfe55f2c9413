/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_EXPERT_SKEW_H
#define PHOTONIC_RAILS_EXPERT_SKEW_H

#include "ns3/option-value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The popularity of the experts of a layer: how unequally a router divides tokens over them.
 *
 * - UNIFORM: all experts have equal shares.
 * - ZIPF: the shares are in proportion to 1, 2^-s, 3^-s, ... with the exponent s. The order of the
 *   experts is drawn.
 * - DIRICHLET: the shares are drawn from a symmetric Dirichlet distribution of concentration a. Of
 *   n experts a share has the mean 1 / n and the variance (n - 1) / (n^2 (n a + 1)): a small
 *   concentration leaves most tokens to few experts.
 *
 * Draws differ by layer and by iteration. They are a function of seed, layer, iteration and expert
 * alone, with a generator of their own (MixBits()) and gamma variates by Marsaglia and Tsang ("A
 * Simple Method for Generating Gamma Variables", ACM TOMS 26, 2000), so a run has the same demand
 * with any policy, and whatever else is drawn.
 */
struct ExpertSkew
{
    /** The distribution of the shares. */
    enum class Kind : uint8_t
    {
        UNIFORM,
        ZIPF,
        DIRICHLET,
    };

    Kind kind{Kind::UNIFORM};
    double parameter{0}; //!< of ZIPF: the exponent; of DIRICHLET: the concentration
    uint64_t seed{1};    //!< of the draws

    /** @return "uniform", "zipf:1.2:1" with exponent and seed, "dirichlet:0.5:1" */
    std::string GetName() const;

    /**
     * @param experts number of experts of the layer
     * @param layer of the model
     * @param iteration of the job
     * @return by expert: its weight, from 1 to 2^40; shares are in proportion to weights
     */
    std::vector<uint64_t> DrawWeights(uint32_t experts, uint32_t layer, uint32_t iteration) const;
};

/** @return the mistake in a skew, with the remedy; empty if there is none */
std::string FindMistake(const ExpertSkew& skew);

/**
 * @param words `uniform`, `zipf:EXPONENT` or `dirichlet:CONCENTRATION`, the last two with `:SEED`
 *              or without
 * @return the skew, or an error
 */
OptionValue<ExpertSkew> ParseExpertSkew(const std::string& words);

} // namespace ns3

#endif /* PHOTONIC_RAILS_EXPERT_SKEW_H */
