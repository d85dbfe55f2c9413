/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_FRAME_STORE_H
#define PHOTONIC_RAILS_FRAME_STORE_H

#include "ns3/wire-frame.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief Frames by number, so that queues are lists of numbers and a frame is moved only in and
 * out.
 *
 * Numbers are used again; memory grows to the largest number of frames at one time.
 */
class FrameStore
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< no frame

    /** A frame and its place in the switch. */
    struct Slot
    {
        WireFrame frame;
        uint32_t next{NONE}; //!< the frame behind it in its queue
        uint32_t ingress{0}; //!< its ingress port
    };

    /**
     * @param ingress the ingress port of the frame
     * @return its number
     */
    uint32_t Put(WireFrame&& frame, uint32_t ingress)
    {
        if (m_free.empty())
        {
            Grow();
        }
        const uint32_t number = m_free.back();
        m_free.pop_back();
        ++m_used;
        Slot& slot = (*this)[number];
        slot.frame = std::move(frame);
        slot.next = NONE;
        slot.ingress = ingress;
        return number;
    }

    /**
     * @param number of a frame
     * @return the frame; it stays where it is until it is freed
     */
    Slot& operator[](uint32_t number)
    {
        return (*m_chunks[number / CHUNK])[number % CHUNK];
    }

    /** @param number of a frame that is no longer needed */
    void Free(uint32_t number)
    {
        (*this)[number].frame.packet = nullptr;
        m_free.push_back(number);
        --m_used;
    }

    /** @return the number of frames */
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /** Removes all frames. */
    void Clear()
    {
        m_chunks.clear();
        m_free.clear();
        m_used = 0;
    }

  private:
    static constexpr uint32_t CHUNK = 64;

    /** Adds space for more frames. */
    void Grow()
    {
        const uint32_t first = m_chunks.size() * CHUNK;
        m_chunks.push_back(std::make_unique<std::array<Slot, CHUNK>>());
        m_free.reserve(m_chunks.size() * CHUNK);
        for (uint32_t i = CHUNK; i-- > 0;)
        {
            m_free.push_back(first + i);
        }
    }

    std::vector<std::unique_ptr<std::array<Slot, CHUNK>>> m_chunks;
    std::vector<uint32_t> m_free;
    uint64_t m_used{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_FRAME_STORE_H */
