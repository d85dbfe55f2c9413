/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/expert-skew.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

ExpertSkew
Read(const std::string& words)
{
    const OptionValue<ExpertSkew> skew = ParseExpertSkew(words);
    EXPECT_EQ(skew.why, "") << words;
    return skew.value;
}

/** @return weights over their sum */
std::vector<double>
GetShares(const ExpertSkew& skew, uint32_t experts, uint32_t layer, uint32_t iteration)
{
    const std::vector<uint64_t> weights = skew.DrawWeights(experts, layer, iteration);
    EXPECT_EQ(weights.size(), experts);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> shares;
    for (const uint64_t weight : weights)
    {
        EXPECT_GE(weight, 1U);
        EXPECT_LE(weight, uint64_t{1} << 40);
        shares.push_back(weight / sum);
    }
    return shares;
}

} // namespace

TEST(ExpertSkew, UniformSharesAreEqual)
{
    EXPECT_EQ(ExpertSkew().DrawWeights(7, 3, 4), std::vector<uint64_t>(7, 1));
    EXPECT_EQ(ExpertSkew().GetName(), "uniform");
}

TEST(ExpertSkew, ZipfSharesFollowTheClosedForm)
{
    for (const double exponent : {0.0, 0.5, 1.0, 1.7, 3.0})
    {
        ExpertSkew skew;
        skew.kind = ExpertSkew::Kind::ZIPF;
        skew.parameter = exponent;
        for (const uint32_t experts : {1U, 2U, 8U, 64U})
        {
            std::vector<double> shares = GetShares(skew, experts, 2, 5);
            std::sort(shares.rbegin(), shares.rend());
            double harmonic = 0; // the generalised harmonic number
            for (uint32_t place = 1; place <= experts; ++place)
            {
                harmonic += std::pow(place, -exponent);
            }
            for (uint32_t place = 1; place <= experts; ++place)
            {
                // a weight is rounded to 2^-40 of the largest
                EXPECT_NEAR(shares[place - 1], std::pow(place, -exponent) / harmonic, 1e-10);
            }
        }
    }
}

TEST(ExpertSkew, EachExpertIsThePopularOneEquallyOften)
{
    constexpr uint32_t EXPERTS = 8;
    constexpr uint32_t DRAWS = 8000;
    const ExpertSkew skew = Read("zipf:1");
    std::vector<uint32_t> first(EXPERTS);
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        const std::vector<uint64_t> weights = skew.DrawWeights(EXPERTS, i % 40, i / 40);
        ++first[std::max_element(weights.begin(), weights.end()) - weights.begin()];
    }
    const double mean = double{DRAWS} / EXPERTS;
    const double deviation = std::sqrt(mean * (1 - 1.0 / EXPERTS)); // binomial
    for (const uint32_t times : first)
    {
        EXPECT_NEAR(times, mean, 5 * deviation);
    }
}

TEST(ExpertSkew, DirichletSharesHaveTheirMeanAndVariance)
{
    constexpr uint32_t DRAWS = 20'000;
    for (const uint32_t experts : {2U, 8U, 30U})
    {
        for (const double concentration : {0.05, 0.5, 1.0, 2.5, 40.0})
        {
            ExpertSkew skew;
            skew.kind = ExpertSkew::Kind::DIRICHLET;
            skew.parameter = concentration;
            skew.seed = experts;
            const double n = experts;
            const double mean = 1 / n;
            const double variance = (n - 1) / (n * n * (n * concentration + 1));
            double sum = 0;
            double squares = 0;
            double fourth = 0;
            for (uint32_t i = 0; i < DRAWS; ++i)
            {
                const double off = GetShares(skew, experts, 1, i)[experts / 2] - mean;
                sum += off;
                squares += off * off;
                fourth += off * off * off * off;
            }
            SCOPED_TRACE(skew.GetName() + " of " + std::to_string(experts));
            EXPECT_NEAR(sum / DRAWS, 0, 5 * std::sqrt(variance / DRAWS));
            EXPECT_NEAR(squares / DRAWS, variance, 5 * std::sqrt(fourth / DRAWS / DRAWS));
        }
    }
}

TEST(ExpertSkew, AShareOfTwoExpertsIsUniformAtConcentrationOne)
{
    // Dirichlet(1, 1) is the uniform distribution: the largest distance of the two distribution
    // functions is below 1.95 / sqrt(n) with a probability of 99.9 % (Kolmogorov)
    constexpr uint32_t DRAWS = 10'000;
    std::vector<double> shares;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        shares.push_back(GetShares(Read("dirichlet:1:9"), 2, i, 3)[0]);
    }
    std::sort(shares.begin(), shares.end());
    double distance = 0;
    for (uint32_t i = 0; i < DRAWS; ++i)
    {
        distance = std::max(distance, std::abs(shares[i] - (i + 0.5) / DRAWS));
    }
    EXPECT_LT(distance, 1.95 / std::sqrt(DRAWS));
}

TEST(ExpertSkew, DrawsDifferByLayerIterationAndSeedAndByNothingElse)
{
    for (const std::string words : {"zipf:1.1", "dirichlet:0.4"})
    {
        std::set<std::vector<uint64_t>> drawn;
        for (uint32_t layer = 0; layer < 6; ++layer)
        {
            for (uint32_t iteration = 0; iteration < 6; ++iteration)
            {
                for (const std::string seed : {":0", ":1", ":2"})
                {
                    drawn.insert(Read(words + seed).DrawWeights(32, layer, iteration));
                }
            }
        }
        EXPECT_EQ(drawn.size(), 6U * 6 * 3);
        EXPECT_EQ(Read(words).DrawWeights(32, 4, 5), Read(words + ":1").DrawWeights(32, 4, 5));
    }
}

TEST(ExpertSkew, OptionsAreReadStrictly)
{
    EXPECT_EQ(Read("uniform").kind, ExpertSkew::Kind::UNIFORM);
    EXPECT_EQ(Read("zipf:1.25").GetName(), "zipf:1.25:1");
    EXPECT_EQ(Read("dirichlet:0.5:77").GetName(), "dirichlet:0.5:77");
    const std::string remedy = "; give uniform, zipf:EXPONENT or dirichlet:CONCENTRATION";
    for (const auto& [words, why] : std::vector<std::pair<std::string, std::string>>{
             {"", "no such skew"},
             {"zip:1", "did you mean zipf"},
             {"uniform:1", "uniform has no numbers, not 1"},
             {"zipf", "zipf has one number or two, not 0"},
             {"zipf:1:2:3", "zipf has one number or two, not 3"},
             {"zipf:", ""},
             {"zipf:x", "give a number"},
             {"zipf:-1", "the exponent of zipf is -1; give 0 to 16"},
             {"zipf:nan", ""},
             {"dirichlet:0", "the concentration of dirichlet is 0; give 0.001 to 1e+06"},
             {"dirichlet:1:", "the seed is \"\""},
             {"dirichlet:1:-4", "the seed is \"-4\", not a whole number from 0 on"},
             {"dirichlet:1:0.5", "the seed is \"0.5\""}})
    {
        const std::string found = ParseExpertSkew(words).why;
        EXPECT_NE(found.find(why), std::string::npos) << words << ": " << found;
        EXPECT_NE(found.find(remedy), std::string::npos) << words << ": " << found;
        EXPECT_EQ(found.find('\n'), std::string::npos);
    }
}
