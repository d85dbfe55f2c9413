/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PHOTONIC_RAILS_ANNOUNCED_FRAMES_H
#define PHOTONIC_RAILS_ANNOUNCED_FRAMES_H

#include "ns3/earliest-slot.h"
#include "ns3/picoseconds.h"
#include "ns3/ring-queue.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup photonic-rails
 * @brief The frames that are announced to a packet switch and enter their queues later: in order of
 * instants, and in one instant by ingress port.
 *
 * Frames of one port come in order, those of different ports do not. So there is a queue for each
 * port, and a tournament of their first frames.
 *
 * Plain C++: no simulator.
 */
class AnnouncedFrames
{
  public:
    /** A frame in the switch's store. */
    struct Frame
    {
        Picoseconds at{0}; //!< the instant at which it enters its queue
        uint32_t number{0};
    };

    AnnouncedFrames() = default;

    /** @param ports number of ingress ports */
    explicit AnnouncedFrames(std::size_t ports)
        : m_queues(ports),
          m_first(ports)
    {
    }

    /** Adds a frame behind those of its port. */
    void Push(uint32_t ingress, const Frame& frame)
    {
        RingQueue<Frame>& queue = m_queues[ingress];
        queue.push_back(frame);
        ++m_count;
        if (queue.size() == 1)
        {
            m_first.Set(ingress, frame.at);
        }
    }

    /** @return the number of frames */
    std::size_t GetCount() const
    {
        return m_count;
    }

    /** @return the instant of the first frame, or NEVER */
    Picoseconds GetNext() const
    {
        return m_count == 0 ? NEVER : m_first.Get(m_first.GetFirst());
    }

    /** @return the instant of the first frame of a port; there must be one */
    Picoseconds GetNext(uint32_t ingress) const
    {
        return m_first.Get(ingress);
    }

    /** @return the ingress port of the first frame; there must be one */
    uint32_t GetIngress() const
    {
        return m_first.GetFirst();
    }

    /** @return whether there is a frame of a port */
    bool Has(uint32_t ingress) const
    {
        return ingress < m_queues.size() && !m_queues[ingress].empty();
    }

    /** Removes the first frame of a port; there must be one. @return the frame */
    Frame Take(uint32_t ingress)
    {
        RingQueue<Frame>& queue = m_queues[ingress];
        const Frame frame = queue.front();
        queue.pop_front();
        --m_count;
        m_first.Set(ingress, queue.empty() ? NEVER : queue.front().at);
        return frame;
    }

  private:
    std::vector<RingQueue<Frame>> m_queues; //!< by ingress port
    EarliestSlot m_first;                   //!< the first frame of each
    std::size_t m_count{0};
};

} // namespace ns3

#endif /* PHOTONIC_RAILS_ANNOUNCED_FRAMES_H */
