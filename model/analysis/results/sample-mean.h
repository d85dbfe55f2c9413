/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SAMPLE_MEAN_H
#define PHOTONIC_RAILS_SAMPLE_MEAN_H

#include <cstdint>

namespace ns3
{

/**
 * The distribution of Student's t (Student: The Probable Error of a Mean. Biometrika 6(1), 1908).
 * @param probability above 0 and below 1
 * @param freedom degrees of freedom, 1 or more
 * @return the value that t does not exceed with that probability
 */
double GetStudentQuantile(double probability, uint64_t freedom);

/**
 * @ingroup photonic-rails
 * @brief The mean of values from independent runs, and how well it is known.
 *
 * With n values whose sample standard deviation is s, the mean of the distribution that they are
 * drawn from is within t s / sqrt(n) of their mean with a probability, where t is the quantile of
 * Student's distribution with n - 1 degrees of freedom. That holds exactly for values of a normal
 * distribution, and well for others if there are many.
 *
 * Plain C++.
 * @code
 * SampleMean iteration;
 * for (const double seconds : runs) { iteration.Add(seconds); }
 * std::cout << iteration.GetMean() << " +- " << iteration.GetHalfWidth();
 * @endcode
 */
class SampleMean
{
  public:
    /** Adds a value. */
    void Add(double value);

    /** @return the number of values */
    uint64_t GetCount() const;

    /** @return the mean; 0 without values */
    double GetMean() const;

    /** @return the sample standard deviation, with n - 1 in the denominator; 0 of a single value */
    double GetDeviation() const;

    /**
     * @param confidence the probability of the interval, above 0 and below 1
     * @return half of the width of the interval around the mean; infinite of a single value
     */
    double GetHalfWidth(double confidence = 0.95) const;

  private:
    uint64_t m_count{0};
    double m_mean{0};
    double m_squares{0}; //!< sum of the squares of the distances from the mean
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SAMPLE_MEAN_H */
