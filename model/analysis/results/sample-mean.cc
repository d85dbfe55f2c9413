/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sample-mean.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

/**
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), from its end.
 * @param x from 0 to (a + 1) / (a + b + 2), where it converges quickly
 */
double
GetBetaFraction(double a, double b, double x)
{
    // it needs a multiple of sqrt(max(a, b)) at most
    const int terms = 100 + static_cast<int>(std::min(20 * std::sqrt(std::max(a, b)), 20'000.0));
    double fraction = 1;
    for (int term = terms; term > 0; --term)
    {
        const double m = term / 2;
        const double part = term % 2 == 0
                                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        fraction = 1 + part / fraction;
    }
    return 1 / fraction;
}

/** @return the regularized incomplete beta function */
double
GetBeta(double a, double b, double x)
{
    if (x > (a + 1) / (a + b + 2))
    {
        return 1 - GetBeta(b, a, 1 - x);
    }
    if (x <= 0)
    {
        return 0;
    }
    const double logarithm =
        std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x);
    return std::exp(logarithm) / a * GetBetaFraction(a, b, x);
}

/** @return the probability that Student's t is more than a value, which is 0 or more */
double
GetStudentTail(double value, double freedom)
{
    return GetBeta(freedom / 2, 0.5, freedom / (freedom + value * value)) / 2;
}

} // namespace

double
GetStudentQuantile(double probability, uint64_t freedom)
{
    NS_ABORT_MSG_UNLESS(
        probability > 0 && probability < 1 && freedom > 0,
        "GetStudentQuantile: probability "
            << probability << " of " << freedom
            << " degrees of freedom; give more than 0 and less than 1, of 1 or more");
    if (probability < 0.5)
    {
        return -GetStudentQuantile(1 - probability, freedom);
    }
    const double tail = 1 - probability;
    double below = 0;
    double above = 1;
    while (GetStudentTail(above, freedom) > tail)
    {
        above *= 2;
    }
    for (double middle = above / 2; below < middle && middle < above; middle = (below + above) / 2)
    {
        (GetStudentTail(middle, freedom) > tail ? below : above) = middle;
    }
    return above;
}

void
SampleMean::Add(double value)
{
    // Welford: Note on a Method for Calculating Corrected Sums of Squares. Technometrics 4(3), 1962
    ++m_count;
    const double distance = value - m_mean;
    m_mean += distance / m_count;
    m_squares += distance * (value - m_mean);
}

uint64_t
SampleMean::GetCount() const
{
    return m_count;
}

double
SampleMean::GetMean() const
{
    return m_mean;
}

double
SampleMean::GetDeviation() const
{
    return m_count < 2 ? 0 : std::sqrt(m_squares / (m_count - 1));
}

double
SampleMean::GetHalfWidth(double confidence) const
{
    return m_count < 2 ? std::numeric_limits<double>::infinity()
                       : GetStudentQuantile((1 + confidence) / 2, m_count - 1) * GetDeviation() /
                             std::sqrt(static_cast<double>(m_count));
}

} // namespace ns3
