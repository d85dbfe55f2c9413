/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_MEASURED_NOISE_H
#define PHOTONIC_RAILS_MEASURED_NOISE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief How much GPUs and optical switches of real clusters vary, as others have measured it.
 *
 * - GPUs of one kind: a factor for each GPU and run, uniform over a range of 8 % around 1.
 * Measured: 8 % of the median on average, over more than 90 % of the GPUs of five clusters (Sinha
 * et al., "Not All GPUs Are Created Equal", SC 2022, arXiv 2208.11035).
 * - Stragglers: 0.5 % of the servers compute 10 % longer. Measured: machines of a job of 12,288
 * GPUs (Jiang et al., "MegaScale", NSDI 2024, arXiv 2402.15627, sections 5.1 and 6.3).
 * - One computing after another of a GPU: normal, standard deviation 0.175 %. Measured: iterations
 *   of 10.1775 s on 16 A100, standard deviation 0.0178 s (artifact of "Opus", arXiv 2602.12521,
 *   evaluation/llama-3-3d-16-latency, the job without a controller).
 * - Reconfiguration times: normal, standard deviation 20.4 % of the mean. Measured: 11.55 us,
 *   standard deviation 2.36 us (Porter et al., "Integrating Microsecond Circuit Switching into the
 *   Data Center", SIGCOMM 2013), of the one switch whose spread is published.
 *
 * The means stay: noise makes a job longer only where ranks wait for the slowest of several. A
 * range without a distribution is taken as uniform. Not measured, so not here: correlation in
 * time, and networks.
 */
class MeasuredNoise
{
  public:
    static constexpr double GPU_RANGE = 0.08;
    static constexpr double STRAGGLING_SERVERS = 0.005;
    static constexpr double STRAGGLER_FACTOR = 1.1;
    static constexpr double COMPUTING_DEVIATION = 0.01784890286 / 10.1775;
    static constexpr double RECONFIGURATION_DEVIATION = 2.36 / 11.55;
    /** Normal variables are within so many standard deviations: values beyond are drawn anew. */
    static constexpr double BOUND = 3;

    /**
     * Draws how much longer a GPU computes than the mean GPU, of the present RngRun.
     * @param rank the GPU
     * @param gpusPerServer GPUs of a server; all of a straggler compute longer
     * @return the factor
     */
    static double DrawGpuFactor(uint32_t rank, uint32_t gpusPerServer);

    /** @param mean factor of a GPU @return the text of a random variable: of each computing */
    static std::string MakeComputeFactor(double mean);

    /** @param mean of a switch @return the text of a random variable, in seconds */
    static std::string MakeReconfigurationTime(Time mean);

    /** @param mean of a switch @return the longest that is drawn */
    static Time GetLongestReconfiguration(Time mean);
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_MEASURED_NOISE_H */
