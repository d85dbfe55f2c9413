/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_SHARED_BUFFER_H
#define PHOTONIC_RAILS_SHARED_BUFFER_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The packet memory of a switch, and its allocation to queues.
 *
 * **Pool.** The buffer has a pool that all ports share, and headroom: reserved bytes for every port
 * and lossless class. The pool is the rest.
 *
 * **Dynamic thresholds** (Choudhury and Hahne: Dynamic queue length thresholds for shared-memory
 * packet switches, IEEE/ACM Transactions on Networking 6(2), 1998). A queue may hold alpha times
 * the free bytes of the pool. With n queues that exceed their share, each holds alpha P / (1 + n
 * alpha) of a pool of P bytes, and P / (1 + n alpha) stay free.
 *
 * **Lossy classes** count at the egress: a frame is refused if it would raise its queue, of (egress
 * port, class), above the threshold.
 *
 * **Lossless classes** count at the ingress, by (ingress port, class). A frame that would raise
 * that count above the threshold is stored in the headroom, and then the sender must be paused. The
 * sender may continue when the headroom is empty and the count is at least a hysteresis below the
 * threshold, or zero. A frame is refused only if the headroom is full, which does not happen if it
 * can hold all frames that arrive before the pause takes effect.
 *
 * Sizes are bytes of frames with check sequence, without preamble and gap. Not modelled: cells (a
 * real buffer rounds each frame up to a multiple of about 200 bytes) and memory for single ports.
 *
 * Plain C++: no simulator.
 */
class SharedBuffer
{
  public:
    static constexpr uint32_t CLASSES = 8; //!< traffic classes

    /** The sharing of the buffer. */
    struct Settings
    {
        uint64_t bytes{0};        //!< total size
        double alpha{1};          //!< threshold factor of lossy queues
        double xoffAlpha{1};      //!< threshold factor of ingress counts of lossless classes
        uint64_t hysteresis{0};   //!< bytes between the thresholds of pausing and resuming
        uint8_t lossless{0};      //!< a bit for each class
        uint32_t largestFrame{0}; //!< the pool must hold at least one of this size
    };

    /** A buffer without memory. */
    SharedBuffer() = default;

    /**
     * @param headroom by port: bytes for each of its lossless classes
     */
    SharedBuffer(const Settings& settings, std::vector<uint64_t> headroom);

    /**
     * Stores a frame, if it may be stored.
     * @param ingress its ingress port
     * @param egress its egress port
     * @param trafficClass 0 to 7
     * @return false if it must be dropped
     */
    bool Admit(uint32_t ingress, uint32_t egress, uint32_t trafficClass, uint32_t bytes);

    /**
     * Frees the memory of a frame.
     * @param ingress its ingress port
     * @param egress its egress port
     * @param trafficClass 0 to 7
     */
    void Release(uint32_t ingress, uint32_t egress, uint32_t trafficClass, uint32_t bytes);

    /**
     * @param trafficClass 0 to 7
     * @return whether the class is lossless
     */
    bool IsLossless(uint32_t trafficClass) const
    {
        return (m_settings.lossless >> trafficClass & 1U) != 0;
    }

    /**
     * @param trafficClass a lossless class
     * @return whether the sender must be paused: the headroom is in use
     */
    bool MustPause(uint32_t ingress, uint32_t trafficClass) const
    {
        return m_inHeadroom[ingress * CLASSES + trafficClass] > 0;
    }

    /**
     * @param trafficClass a lossless class
     * @return whether a paused sender may continue
     */
    bool MayGoOn(uint32_t ingress, uint32_t trafficClass) const;

    /**
     * @param trafficClass 0 to 7
     * @return the bytes queued for it
     */
    uint64_t GetQueue(uint32_t egress, uint32_t trafficClass) const
    {
        return m_queues[egress * CLASSES + trafficClass];
    }

    /**
     * @param trafficClass 0 to 7
     * @return the stored bytes of this ingress port, including the headroom
     */
    uint64_t GetIngress(uint32_t ingress, uint32_t trafficClass) const;

    /**
     * @param trafficClass a lossless class
     * @return the bytes of this ingress port in the headroom
     */
    uint64_t GetInHeadroom(uint32_t ingress, uint32_t trafficClass) const;

    /** @return the bytes stored */
    uint64_t GetUsed() const
    {
        return m_poolUsed + m_headroomUsed;
    }

    /** @return the bytes stored in the pool */
    uint64_t GetPoolUsed() const;

    /** @return the size of the pool */
    uint64_t GetPool() const;

    /**
     * @return the bytes that may be stored, however they are distributed, so that every frame is
     *         stored and no headroom is used
     */
    uint64_t GetCalmBytes() const;

    /** @return the present threshold of a lossy queue */
    uint64_t GetLimit() const
    {
        return Scale(m_alpha);
    }

    /** @return the present pause threshold of a lossless class of a port */
    uint64_t GetXoffLimit() const
    {
        return Scale(m_xoffAlpha);
    }

  private:
    /** @return alpha times the free bytes of the pool */
    uint64_t Scale(uint64_t alpha) const
    {
        return (m_pool - m_poolUsed) * alpha >> FRACTION;
    }

    static constexpr int FRACTION = 16; //!< bits after the binary point of an alpha

    Settings m_settings;
    uint64_t m_alpha{0};                //!< in units of 2^-FRACTION
    uint64_t m_xoffAlpha{0};            //!< in units of 2^-FRACTION
    std::vector<uint64_t> m_headroom;   //!< by port
    uint64_t m_pool{0};                 //!< size of the pool
    uint64_t m_poolUsed{0};             //!< used bytes of the pool
    uint64_t m_headroomUsed{0};         //!< used bytes of all headroom
    std::vector<uint64_t> m_queues;     //!< bytes by egress port and class
    std::vector<uint64_t> m_inPool;     //!< bytes by ingress port and lossless class
    std::vector<uint64_t> m_inHeadroom; //!< bytes by ingress port and lossless class
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_SHARED_BUFFER_H */
