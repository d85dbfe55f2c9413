/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Means and their intervals, against printed tables and closed forms.

#include "ns3/sample-mean.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr double PI = 3.14159265358979323846;

SampleMean
MakeMeanOf(const std::vector<double>& values)
{
    SampleMean mean;
    for (const double value : values)
    {
        mean.Add(value);
    }
    return mean;
}

} // namespace

TEST(StudentQuantile, IsThatOfPrintedTables)
{
    // as textbooks print it, such as Fisher and Yates: Statistical Tables, table III
    struct Row
    {
        uint64_t freedom;
        double of95;  //!< probability 0.95
        double of975; //!< probability 0.975
        double of995; //!< probability 0.995
    };

    for (const Row& row : {Row{1, 6.314, 12.706, 63.657},
                           Row{2, 2.920, 4.303, 9.925},
                           Row{3, 2.353, 3.182, 5.841},
                           Row{4, 2.132, 2.776, 4.604},
                           Row{5, 2.015, 2.571, 4.032},
                           Row{9, 1.833, 2.262, 3.250},
                           Row{10, 1.812, 2.228, 3.169},
                           Row{20, 1.725, 2.086, 2.845},
                           Row{30, 1.697, 2.042, 2.750},
                           Row{60, 1.671, 2.000, 2.660},
                           Row{120, 1.658, 1.980, 2.617}})
    {
        EXPECT_NEAR(GetStudentQuantile(0.95, row.freedom), row.of95, 0.0005) << row.freedom;
        EXPECT_NEAR(GetStudentQuantile(0.975, row.freedom), row.of975, 0.0005) << row.freedom;
        EXPECT_NEAR(GetStudentQuantile(0.995, row.freedom), row.of995, 0.0005) << row.freedom;
    }
    // of many degrees it is the normal distribution's
    EXPECT_NEAR(GetStudentQuantile(0.975, 1'000'000), 1.959966, 1e-5);
}

TEST(StudentQuantile, HasClosedFormsForOneAndTwoDegrees)
{
    for (const double p : {0.5001, 0.6, 0.75, 0.9, 0.975, 0.999, 0.999999})
    {
        const double one = std::tan(PI * (p - 0.5)); // a Cauchy distribution
        EXPECT_NEAR(GetStudentQuantile(p, 1) / one, 1, 1e-9) << p;
        const double two = (2 * p - 1) * std::sqrt(2 / (4 * p * (1 - p)));
        EXPECT_NEAR(GetStudentQuantile(p, 2) / two, 1, 1e-9) << p;
        EXPECT_DOUBLE_EQ(GetStudentQuantile(1 - p, 2), -GetStudentQuantile(p, 2));
    }
    EXPECT_NEAR(GetStudentQuantile(0.5, 7), 0, 1e-12);
}

TEST(SampleMean, IsThatOfItsValues)
{
    const SampleMean mean = MakeMeanOf({2, 4, 4, 4, 5, 5, 7, 9}); // squares of distances: 32
    EXPECT_EQ(mean.GetCount(), 8U);
    EXPECT_DOUBLE_EQ(mean.GetMean(), 5);
    EXPECT_DOUBLE_EQ(mean.GetDeviation(), std::sqrt(32.0 / 7));
    EXPECT_NEAR(mean.GetHalfWidth(), 2.3646 * std::sqrt(32.0 / 7 / 8), 1e-4); // 7 degrees
}

TEST(SampleMean, OfEqualValuesIsExact)
{
    const SampleMean mean = MakeMeanOf({1e9 + 0.5, 1e9 + 0.5, 1e9 + 0.5});
    EXPECT_DOUBLE_EQ(mean.GetMean(), 1e9 + 0.5);
    EXPECT_DOUBLE_EQ(mean.GetDeviation(), 0);
    EXPECT_DOUBLE_EQ(mean.GetHalfWidth(), 0);
}

TEST(SampleMean, OfOneValueIsNotKnown)
{
    EXPECT_TRUE(std::isinf(MakeMeanOf({3}).GetHalfWidth()));
    EXPECT_DOUBLE_EQ(MakeMeanOf({3}).GetMean(), 3);
    EXPECT_DOUBLE_EQ(MakeMeanOf({}).GetMean(), 0);
}

TEST(SampleMean, IntervalsHoldTheTrueMeanAtTheirConfidence)
{
    std::mt19937 random(1);
    std::normal_distribution<double> draw(10, 3);
    constexpr int TRIALS = 4000;
    int hits = 0;
    for (int trial = 0; trial < TRIALS; ++trial)
    {
        SampleMean mean;
        for (int i = 0; i < 4; ++i)
        {
            mean.Add(draw(random));
        }
        hits += std::abs(mean.GetMean() - 10) <= mean.GetHalfWidth();
    }
    // 0.95, with a standard deviation of sqrt(0.95 * 0.05 / 4000) = 0.0034
    EXPECT_NEAR(hits / static_cast<double>(TRIALS), 0.95, 0.014);
}
