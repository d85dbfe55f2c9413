/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pointer.h"
#include "ns3/random-variable-mean.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/** A variable by the text of an attribute. */
Ptr<RandomVariableStream>
Make(const std::string& text)
{
    PointerValue pointer;
    pointer.DeserializeFromString(text, MakePointerChecker<RandomVariableStream>());
    return pointer.Get<RandomVariableStream>();
}

} // namespace

TEST(RandomVariableMean, OfAConstantIsTheConstant)
{
    EXPECT_DOUBLE_EQ(*FindMean(Make("ns3::ConstantRandomVariable[Constant=0.025]")), 0.025);
}

TEST(RandomVariableMean, IsTheMeanOfManyDraws)
{
    for (const std::string text : {"ns3::UniformRandomVariable[Min=1|Max=4]",
                                   "ns3::ExponentialRandomVariable[Mean=3]",
                                   "ns3::NormalRandomVariable[Mean=5|Variance=4]",
                                   "ns3::TriangularRandomVariable[Mean=2|Min=0|Max=5]",
                                   "ns3::LogNormalRandomVariable[Mu=0.5|Sigma=0.7]",
                                   "ns3::WeibullRandomVariable[Scale=2|Shape=1.5]",
                                   "ns3::GammaRandomVariable[Alpha=3|Beta=0.5]",
                                   "ns3::ErlangRandomVariable[K=4|Lambda=0.25]"})
    {
        const Ptr<RandomVariableStream> variable = Make(text);
        ASSERT_TRUE(variable) << text;
        variable->SetStream(7);
        const auto mean = FindMean(variable);
        ASSERT_TRUE(mean) << text;
        constexpr int DRAWS = 400'000; // the error of the mean is below 2 % of these means
        double sum = 0;
        for (int i = 0; i < DRAWS; ++i)
        {
            sum += variable->GetValue();
        }
        EXPECT_NEAR(sum / DRAWS, *mean, 0.02 * *mean) << text;
    }
}

TEST(RandomVariableMean, IsUnknownOfOthers)
{
    EXPECT_FALSE(FindMean(Make("ns3::ZipfRandomVariable[N=3|Alpha=1]")));
}
