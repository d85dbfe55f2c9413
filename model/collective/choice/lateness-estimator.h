/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_LATENESS_ESTIMATOR_H
#define PHOTONIC_RAILS_LATENESS_ESTIMATOR_H

#include "call-comparison.h"

#include "ns3/picoseconds.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Estimates which rank of a group will call an operation last, and how much later than all
 * others.
 *
 * A training job calls the same operations in each iteration. So an operation is expected to be
 * like those of the same slot in earlier iterations, each of which has given a sample
 * (CallComparison).
 *
 * The lateness that is expected of a rank is the median of the last samples (the lower one of two),
 * in which it is 0 unless the rank was the last. The straggler is the rank of which most is
 * expected. So a rank that is late by chance in fewer than half of the iterations is not expected
 * to be late again, and a rank that recovers is forgotten when half of the samples are newer.
 *
 * Plain C++: no simulator.
 * @code
 * LatenessEstimator estimator(3);
 * estimator.Add(slot, sample, now);
 * const std::optional<LatenessSample> expected = estimator.Get(slot, later);
 * @endcode
 */
class LatenessEstimator
{
  public:
    /** @param window number of samples, 1 or more */
    explicit LatenessEstimator(uint32_t window);

    /** Adds the sample of an operation. @param now at which it is known here */
    void Add(uint32_t slot, const LatenessSample& sample, Picoseconds now);

    /**
     * @param slot of an operation
     * @param before samples that have been known since an earlier instant count; so it does not
     * matter which event of an instant comes first
     * @return the expected straggler and its lateness; none: no rank is expected to be late
     */
    std::optional<LatenessSample> Get(uint32_t slot, Picoseconds before) const;

  private:
    /** A sample, and since when it is known. */
    struct Known
    {
        LatenessSample sample;
        Picoseconds since{0};
    };

    uint32_t m_window;
    std::map<uint32_t, std::deque<Known>> m_slots; //!< the last ones, one more than the window
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_LATENESS_ESTIMATOR_H */
