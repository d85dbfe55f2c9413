/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "expert-skew.h"

#include "ns3/known-names.h"
#include "ns3/mix-bits.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/** The largest weight. The sum over all experts of a layer has less than 64 bits. */
constexpr double LARGEST_WEIGHT = 1ULL << 40;
// beyond these limits nearly all tokens are for one expert, or shares are equal
constexpr double LARGEST_EXPONENT = 16;
constexpr double LEAST_CONCENTRATION = 1e-3;
constexpr double LARGEST_CONCENTRATION = 1e6;

/** Random draws for a layer in an iteration: the generator SplitMix64. */
class RoutingDraws
{
  public:
    RoutingDraws(uint64_t seed, uint32_t layer, uint32_t iteration)
        : m_state(MixBits(MixBits(MixBits(seed) + layer) + iteration))
    {
    }

    /** @return 64 random bits */
    uint64_t Next()
    {
        constexpr uint64_t INCREMENT = 0x9e3779b97f4a7c15; // of SplitMix64
        m_state += INCREMENT;
        return MixBits(m_state);
    }

    /** @return a number above 0 and below 1 */
    double NextShare()
    {
        return (static_cast<double>(Next() >> 11) + 0.5) / static_cast<double>(1ULL << 53);
    }

    /** @return a whole number below a limit */
    uint32_t NextBelow(uint32_t limit)
    {
        return static_cast<uint32_t>((Next() >> 32) * limit >> 32);
    }

    /** @return a normal variate, by Box and Muller */
    double NextNormal()
    {
        constexpr double TWO_PI = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(NextShare()));
        return radius * std::cos(TWO_PI * NextShare());
    }

    /** @return the logarithm of a gamma variate of scale 1, which a small shape can't underflow */
    double NextLogGamma(double shape)
    {
        if (shape < 1)
        {
            const double larger = NextLogGamma(shape + 1);
            return larger + std::log(NextShare()) / shape;
        }
        const double d = shape - 1.0 / 3;
        const double c = 1 / std::sqrt(9 * d);
        while (true)
        {
            const double normal = NextNormal();
            const double root = 1 + c * normal;
            const double share = NextShare();
            const double cube = root * root * root;
            if (root > 0 && std::log(share) < normal * normal / 2 + d * (1 - cube + std::log(cube)))
            {
                return std::log(d * cube);
            }
        }
    }

  private:
    uint64_t m_state;
};

/** @return a weight @param share of the largest one */
uint64_t
ToWeight(double share)
{
    // no expert is without any tokens, so a token finds as many experts as it visits
    return std::max<uint64_t>(1, std::llround(share * LARGEST_WEIGHT));
}

/** @return weights by Zipf's law, in an order that is drawn */
std::vector<uint64_t>
DrawZipf(uint32_t experts, double exponent, RoutingDraws& draws)
{
    std::vector<uint64_t> weights;
    for (uint32_t place = 1; place <= experts; ++place)
    {
        weights.push_back(ToWeight(std::pow(place, -exponent)));
    }
    for (uint32_t left = experts; left > 1; --left) // Fisher and Yates
    {
        std::swap(weights[left - 1], weights[draws.NextBelow(left)]);
    }
    return weights;
}

/** @return weights by a Dirichlet distribution: gamma variates over the largest of them */
std::vector<uint64_t>
DrawDirichlet(uint32_t experts, double concentration, RoutingDraws& draws)
{
    std::vector<double> logarithms;
    for (uint32_t expert = 0; expert < experts; ++expert)
    {
        logarithms.push_back(draws.NextLogGamma(concentration));
    }
    const double largest = *std::max_element(logarithms.begin(), logarithms.end());
    std::vector<uint64_t> weights;
    for (const double logarithm : logarithms)
    {
        weights.push_back(ToWeight(std::exp(logarithm - largest)));
    }
    return weights;
}

/** @return words between colons */
std::vector<std::string>
SplitAtColons(const std::string& words)
{
    std::vector<std::string> parts;
    std::istringstream in(words + ":");
    for (std::string part; std::getline(in, part, ':');)
    {
        parts.push_back(part);
    }
    return parts;
}

} // namespace

std::string
ExpertSkew::GetName() const
{
    std::ostringstream name;
    if (kind == Kind::UNIFORM)
    {
        return "uniform";
    }
    name << (kind == Kind::ZIPF ? "zipf:" : "dirichlet:") << parameter << ":" << seed;
    return name.str();
}

std::vector<uint64_t>
ExpertSkew::DrawWeights(uint32_t experts, uint32_t layer, uint32_t iteration) const
{
    RoutingDraws draws(seed, layer, iteration);
    switch (kind)
    {
    case Kind::UNIFORM:
        break;
    case Kind::ZIPF:
        return DrawZipf(experts, parameter, draws);
    case Kind::DIRICHLET:
        return DrawDirichlet(experts, parameter, draws);
    }
    return std::vector<uint64_t>(experts, 1);
}

std::string
FindMistake(const ExpertSkew& skew)
{
    std::ostringstream mistake;
    const bool isZipf = skew.kind == ExpertSkew::Kind::ZIPF;
    const double least = isZipf ? 0 : LEAST_CONCENTRATION;
    const double most = isZipf ? LARGEST_EXPONENT : LARGEST_CONCENTRATION;
    // a comparison with what is no number is false
    const bool fits = skew.parameter >= least && skew.parameter <= most;
    if (skew.kind != ExpertSkew::Kind::UNIFORM && !fits)
    {
        mistake << (isZipf ? "the exponent of zipf" : "the concentration of dirichlet") << " is "
                << skew.parameter << "; give " << least << " to " << most;
    }
    return mistake.str();
}

OptionValue<ExpertSkew>
ParseExpertSkew(const std::string& words)
{
    const std::string remedy = "; give uniform, zipf:EXPONENT or dirichlet:CONCENTRATION, and "
                               "perhaps :SEED, such as dirichlet:0.5:7";
    const std::vector<std::string> parts = SplitAtColons(words);
    const KnownName known = FindKnownName(parts[0], {"uniform", "zipf", "dirichlet"}, "skew");
    OptionValue<ExpertSkew> skew;
    if (!known.why.empty())
    {
        skew.why = known.why + remedy;
        return skew;
    }
    const bool isUniform = known.name == "uniform";
    if (isUniform ? parts.size() != 1 : parts.size() != 2 && parts.size() != 3)
    {
        skew.why = known.name + " has " + (isUniform ? "no numbers" : "one number or two") +
                   ", not " + std::to_string(parts.size() - 1) + remedy;
        return skew;
    }
    if (isUniform)
    {
        return skew;
    }
    skew.value.kind = known.name == "zipf" ? ExpertSkew::Kind::ZIPF : ExpertSkew::Kind::DIRICHLET;
    const OptionValue<double> parameter = ParseReal(parts[1]);
    skew.value.parameter = parameter.value;
    skew.why = parameter.why.empty() ? FindMistake(skew.value) : parameter.why;
    if (parts.size() == 3)
    {
        const OptionValue<int64_t> seed = ParseWhole(parts[2]);
        const bool fits = seed.why.empty() && seed.value >= 0;
        skew.value.seed = fits ? seed.value : 0;
        skew.why += fits ? "" : "the seed is \"" + parts[2] + "\", not a whole number from 0 on";
    }
    skew.why += skew.why.empty() ? "" : remedy;
    return skew;
}

} // namespace ns3
