/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ECN_MARKING_H
#define PHOTONIC_RAILS_ECN_MARKING_H

#include <cstdint>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The marks of Congestion Experienced in a queue: RED on the queue's present length (Zhu et
 * al.: Congestion control for large-scale RDMA deployments, SIGCOMM 2015, figure 5).
 *
 * A frame that finds a queue of at most Kmin bytes is not marked; beyond Kmax every frame is;
 * between them the marked share grows linearly, up to Pmax at Kmax.
 *
 * The result is a pure function of (seed, queue, ordinal of the frame at the queue, length),
 * without a random state. All arithmetic is in integers.
 *
 * Plain C++: no simulator.
 */
class EcnMarking
{
  public:
    /** Never marks. */
    EcnMarking() = default;

    /**
     * @param kmin bytes up to which no frame is marked
     * @param kmax bytes beyond which every frame is marked, kmin or more and below 4 GiB
     * @param pmax marked share at kmax, 0 to 1
     */
    EcnMarking(uint64_t kmin, uint64_t kmax, double pmax);

    /** Lengths of a queue, in bytes. */
    struct Thresholds
    {
        uint64_t kmin;
        uint64_t kmax;
    };

    /**
     * The default thresholds of a port, in whole bytes: the volume of its wire in 32 and in 128 us,
     * or 4 and 16 kB for each Gb/s, but at least one and four of the largest frames. Below that a
     * single waiting frame would count as congestion.
     *
     *     Kmin = max(rate * 32 us / 8, frame), Kmax = max(rate * 128 us / 8, 4 frame)
     *
     * @param bitsPerSecond rate of the port, in bits a second
     * @param largestFrame in bytes, without preamble and gap
     * @return Kmin and Kmax
     */
    static Thresholds GetDefaults(uint64_t bitsPerSecond, uint32_t largestFrame);

    /**
     * @param key the key of the queue, from KeyOf()
     * @param ordinal of the frame at the queue
     * @param bytes in the queue
     * @return whether the frame is marked
     */
    bool IsMarked(uint64_t key, uint64_t ordinal, uint64_t bytes) const;

    /** @return whether the key and the ordinal decide that @param bytes in the queue */
    bool IsDrawn(uint64_t bytes) const
    {
        return bytes > m_kmin && bytes <= m_kmax;
    }

    /** @return the bytes up to which no frame is marked */
    uint64_t GetKmin() const
    {
        return m_kmin;
    }

    /**
     * @param seed of the run
     * @param queue a number of the queue, unique in the run
     * @return the key of all draws of that queue
     */
    static uint64_t KeyOf(uint64_t seed, uint64_t queue);

  private:
    uint64_t m_kmin{~uint64_t{0}};
    uint64_t m_kmax{~uint64_t{0}};
    uint64_t m_pmax{0}; //!< in units of 2^-32
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ECN_MARKING_H */
