/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_COMPUTE_FACTORS_H
#define PHOTONIC_RAILS_COMPUTE_FACTORS_H

#include "ns3/application-container.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The factors by which computing of ranks takes longer than their programs have it: a random
 * variable for all ranks, or the noise of real GPUs, and constants for stragglers.
 *
 * Each rank draws from a stream of its own, so its draws do not depend on other ranks.
 */
class ComputeFactors
{
  public:
    /** @param variable the text of a random variable, which is valid */
    void SetJitter(const std::string& variable);

    /** Has GPUs and their computing vary as MeasuredNoise, in place of a jitter. */
    void SetMeasuredNoise();

    /** @return whether GPUs vary as MeasuredNoise */
    bool AreMeasured() const;

    /** @param rank the slower rank @param factor of all its compute times, without jitter */
    void AddStraggler(uint32_t rank, double factor);

    /**
     * Sets ComputeFactor where it is not 1, and gives the draws of rank r stream r. Aborts if there
     * is no rank of a straggler.
     * @param applications by rank, of type CollectiveApplication
     * @param gpusPerServer ranks of a server
     */
    void Apply(const ApplicationContainer& applications, uint32_t gpusPerServer) const;

  private:
    std::string m_jitter;                    //!< empty: none
    bool m_isMeasured{false};                //!< noise in place of a jitter
    std::map<uint32_t, double> m_stragglers; //!< factors by rank
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_COMPUTE_FACTORS_H */
